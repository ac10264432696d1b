"""The reference builds: what to buy, how to wire it, what to print, drill and cut.

Everything is made from the board data of the rules, the example configurations and the pins in
the firmware. `python -m hardware` makes it all; `hardware/README.md` says what lies where.
"""

"""Many tables in one house, over MQTT: the table's side, and the house's.

Nothing of this is imported by a table that has no `[cafe]` in its configuration. A table never
waits for the broker: it says what it shows, and plays on where nobody hears it.
"""

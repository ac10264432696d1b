"""The board: a diode matrix of switches, and perhaps a light at each."""

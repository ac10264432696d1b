"""The serial line between the box and its microcontrollers: codec and link state, no I/O."""

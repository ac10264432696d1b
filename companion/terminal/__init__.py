"""What commands share at a terminal: keys, options, and the board and the game drawn in letters."""

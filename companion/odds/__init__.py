"""Odds: play-outs of a position, each player's chances, the box's players, and who was lucky.

Pure, like `rules`, and imported only where somebody asks for it: a box that shows no chances and
has no player of its own never loads any of this. See docs/odds.md.
"""

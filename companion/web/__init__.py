"""The page the daemon serves: a table to play on without hardware, a kiosk, a phone view.

An ordinary adapter: it shows the daemon's views and posts events, and no rule lives here.
"""

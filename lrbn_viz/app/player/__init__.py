"""The trace player: a canvas component that replays whole traces in the browser.

`source` and `packing` need no Panel: notebooks and exported pages host the same player. `host` is Panel's.
"""

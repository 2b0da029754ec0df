"""The trace player: a canvas that replays whole traces, in the app, notebooks and exported pages.

Nothing here knows Panel, Bokeh or param: Python packs bytes, and JavaScript draws them.
"""

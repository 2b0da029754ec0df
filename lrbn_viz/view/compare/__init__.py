"""The comparison of systems on the same images, drawn in JavaScript.

Two feed it with the same menus and blocks: the server's Compare page, and a live page on its own engine.
"""

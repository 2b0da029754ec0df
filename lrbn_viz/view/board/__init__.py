"""The training board: two models side by side while they learn, drawn in JavaScript.

Two feed it with the same blocks and frames (``types/board.d.ts``): the server's Train page, and the worker of
a live page.
"""

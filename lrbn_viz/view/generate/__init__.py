"""Samples of two models, pass by pass, drawn in JavaScript.

Two feed the page with the same blocks (``types/generate.d.ts``): the server's Generate page, and a live page.
"""

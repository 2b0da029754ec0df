"""The live page: the player and an engine in JavaScript in one file, which needs no server and no Python."""

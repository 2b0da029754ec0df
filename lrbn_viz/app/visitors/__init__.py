"""Visitors of a server that others reach: who is who, whose a run is, and how much each may take."""

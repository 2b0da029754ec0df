"""Trained models, as files, and the script that made them."""

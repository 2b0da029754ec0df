"""Trained models, as files, and the scripts that train and measure them."""

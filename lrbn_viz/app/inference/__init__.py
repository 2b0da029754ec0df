"""The Inference page."""

"""A class: the live page as a file beside the explorer, and what a class predicts, counted as it comes."""

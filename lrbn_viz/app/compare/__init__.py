"""The Compare page: the same images through several systems, their figures, and the paper's tables."""

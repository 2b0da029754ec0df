"""Analysis of a trained model on an image: exact posteriors, optima, samples, interpolation between codes."""

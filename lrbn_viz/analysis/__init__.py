"""What a trained model does with an image: exact posteriors, optima, samples, interpolation between codes."""

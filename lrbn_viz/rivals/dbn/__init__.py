"""The deep belief network: an RBM on top of a directed sigmoid layer."""

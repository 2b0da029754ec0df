"""The restricted Boltzmann machine (RBM)."""

"""The deep Boltzmann machine: two layers of latents, all links undirected."""

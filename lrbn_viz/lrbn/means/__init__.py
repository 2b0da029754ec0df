"""Mean field of directed models: means of independent latents that raise a lower bound on log P(x)."""

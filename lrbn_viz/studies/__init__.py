"""Training on data sets, stored on disk: runs, reproductions of the paper, sweeps."""

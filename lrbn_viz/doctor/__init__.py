"""`lrbn-viz doctor`: diagnosis of an installation: versions, correctness of its kernels, speed."""

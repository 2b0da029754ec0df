"""`lrbn-viz doctor`: what this installation is, whether its kernels compute what they should, how fast."""

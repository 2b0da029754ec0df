"""Common parts of all kernels: numerics, random streams, SIMD blocks, and the cache of compiled code."""

from lrbn_viz.kernels.cache import find_room, patch_index_reading

find_room()
patch_index_reading()

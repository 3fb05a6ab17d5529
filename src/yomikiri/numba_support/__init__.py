"""Machine code: how kernels are compiled and kept, and words of 64 bits inside them. Knows no game."""

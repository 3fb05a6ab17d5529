"""What compiles the kernels when the package is built; numba and LLVM are needed here and nowhere else."""

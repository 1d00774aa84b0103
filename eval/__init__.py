"""Data sets, measures and benchmarks."""

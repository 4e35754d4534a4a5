"""How fast refold is: ``python -m benchmarks`` (see README.md)."""

"""refold and others over the same logical stream: ``python -m benchmarks.peers``."""

"""The study of the paper, run again: `python -m examples.paper --help`."""

"""scorecard: learn probabilistic scoring lists and print them as clinical pocket cards."""

__version__ = "0.1.0"

"""The proof that all forms of a list agree: run what was written, and compare.

`check` takes files that were made from a list, applies each to the same cases as the list itself,
and tells for each how many were tried and how many came out differently.
"""

from scorecard.checking.verdicts import Verdict, check

__all__ = ["Verdict", "check"]

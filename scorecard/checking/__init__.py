"""Whether files are what a list gives: each is made again, and compared to the last byte.

`check` takes files that were made from a list and tells for each whether it is the one, and if not,
where it differs.
"""

from scorecard.checking.verdicts import Verdict, check

__all__ = ["Verdict", "check"]

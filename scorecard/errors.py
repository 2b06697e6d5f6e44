"""What can go wrong in a way the user can mend.

The message of every error is one line: what came, what was expected, what to do. The command line
turns any `ScorecardError` into that line and exit code 1; the library never imports click.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SHORTEST_PART = 3  # letters that tell a name by a part of it


def did_you_mean(came: str, known: Iterable[str], otherwise: str = "") -> str:
    """How a refusal of a name ends: with the name that is nearly the same, or with those there are.

    Capitals, spaces and signs make no difference.

    Examples
    --------
    >>> did_you_mean("Blood pressure", ["age", "blood_pressure"])
    "did you mean 'blood_pressure'?"
    >>> did_you_mean("x", ["age", "sex"])
    'there are age, sex.'
    """
    from difflib import get_close_matches

    names = list(known)
    by_letters = {_letters(one): one for one in reversed(names)}
    letters = _letters(came)
    near = get_close_matches(letters, by_letters, n=1)
    if not near and len(letters) >= SHORTEST_PART:  # "liver" for "liver_patient"
        near = [one for one in by_letters if letters in one]
    if len(near) == 1:
        return f"did you mean {by_letters[near[0]]!r}?"
    return otherwise or f"there are {few(names)}."


def few(names: Iterable[str], most: int = 12) -> str:
    """The first of them, with commas between; an ellipsis where there are more."""
    names = list(names)
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


# What reads tables and learns from them is not installed where lists are only printed.
LEARNING = {
    "joblib", "matplotlib", "narwhals", "numpy", "polars", "scipy", "sklearn", "threadpoolctl",
}  # fmt: skip
INSTALL_LEARNING = 'python -m pip install "psl-scorecard[learn]"'
INSTALL_STUDIO = 'python -m pip install "psl-scorecard[studio]"'
INSTALL_FORMS = 'python -m pip install "psl-scorecard[forms]"'
INSTALL_WAREHOUSE = 'python -m pip install "psl-scorecard[warehouse]"'


def needed_for_tables(error: ModuleNotFoundError) -> str:
    """What to install where only cards are printed and a table came; empty for another module."""
    if (error.name or "").partition(".")[0] not in LEARNING:
        return ""
    return f"tables and learning need {error.name}, which is not installed: {INSTALL_LEARNING}"


class ScorecardError(Exception):
    """A refusal; `str(error)` is the one line a user reads."""


class ListError(ScorecardError, ValueError):
    """Something is not a scoring list: points of zero, risks that fall with the total …

    `faults` has every fault that was found, the message is the first of them.
    """

    def __init__(self, message: str, faults: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults) or (message,)


class PolicyError(ScorecardError, ValueError):
    """Stopping limits that cannot be used, or not with this list."""


class DocumentError(ScorecardError, ValueError):
    """A model file that cannot be read; the message names the place inside the document."""


class TableError(ScorecardError, ValueError):
    """A table that cannot be used; the message names file, column and row.

    `reading` has ways to read the file that may help, each a parameter with a value.
    """

    reading: tuple[tuple[str, str], ...] = ()

    def with_reading(self, name: str, *values: str) -> TableError:
        """The same with values of a parameter that may help."""
        self.reading = tuple((name, value) for value in values)
        return self


class LearningError(ScorecardError, ValueError):
    """Nothing can be learned from these data with these settings."""


class AnswerError(ScorecardError, ValueError):
    """An answer that is neither yes, no, unknown nor a value of the question's input."""

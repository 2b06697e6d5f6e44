"""What the columns of a result are called where they stand beside the columns of a table."""

from __future__ import annotations

from collections.abc import Iterable

PREFIX = "scorecard_"


def prefix_beside(added: Iterable[str], taken: Iterable[str]) -> str:
    """What the added names begin with: nothing, unless one of them is taken already.

    Then all of them begin alike, so that a program finds them by one prefix. Capitals make no
    difference, because to a database they make none.

    Examples
    --------
    >>> prefix_beside(["decision", "stage"], ["age"])
    ''
    >>> prefix_beside(["decision", "stage"], ["age", "Stage"])
    'scorecard_'
    """
    taken = {name.lower() for name in taken}
    return free_prefix(taken) if taken & set(added) else ""


def free_prefix(taken: Iterable[str]) -> str:
    """What no name begins with that is taken."""
    names, prefix = [name.lower() for name in taken], PREFIX
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    return prefix

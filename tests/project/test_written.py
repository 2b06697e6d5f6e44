"""How values are written, in a card.toml and on the command line."""

from collections.abc import Callable
from typing import Any

import pytest

from scorecard.errors import ListError
from scorecard.project.written import available, costs, points, share, signs


@pytest.mark.parametrize(
    ("read", "given", "pairs"),
    [
        (costs, ["a=1", "b=2,c=3"], (("a", 1), ("b", 2), ("c", 3))),
        (costs, "a=1, b=2", (("a", 1), ("b", 2))),
        (costs, {"a": 1, "b, c": 2.5}, (("a", 1), ("b, c", 2.5))),
        (costs, ["Hb=1,x=y=2"], (("Hb", 1), ("x=y", 2))),
        (available, ["a=0.5,b=0"], (("a", 0.5), ("b", 0))),
        (signs, ["a=+,b=−"], (("a", "+"), ("b", "-"))),
        (costs, [], ()),
    ],
)
def test_columns_get_values_one_by_one_or_with_commas(
    read: Callable[[Any], object], given: object, pairs: tuple[object, ...]
) -> None:
    assert read(given) == pairs
    assert read(pairs) == pairs, "what was read may be read again"


@pytest.mark.parametrize(
    ("read", "given", "value"),
    [
        (share, "5%", 0.05),
        (share, "1/20", 0.05),
        (share, 0.05, 0.05),
        (share, 1, 1.0),
        (points, "-2..2", (-2, -1, 1, 2)),
        (points, "1,3", (1, 3)),
        (points, [1, 3], (1, 3)),
    ],
)
def test_values(read: Callable[[Any], object], given: object, value: object) -> None:
    assert read(given) == value


@pytest.mark.parametrize(
    ("read", "given"),
    [
        (share, "5"),
        (share, 5.0),
        (share, "5,5%"),
        (points, "3..1"),
        (points, "0"),
        (points, "1.5"),
        (points, True),
        (costs, "a"),
        (costs, "Hb, g/l=1"),
        (costs, "a=-1"),
        (signs, "a=up"),
        (available, "a=2"),
    ],
)
def test_what_cannot_be_meant_is_refused(read: Callable[[Any], object], given: object) -> None:
    with pytest.raises(ListError):
        read(given)

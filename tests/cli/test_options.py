"""How values are written on the command line."""

import click
import pytest
from click.testing import CliRunner

from scorecard.cli.options import Assignments, Available, Cost, Rounding, Sign, assigned


@pytest.mark.parametrize(
    ("kind", "given", "pairs"),
    [
        (Cost(), ["a=1", "b=2,c=3"], (("a", 1), ("b", 2), ("c", 3))),
        (Cost(), ["a=1, b=2"], (("a", 1), ("b", 2))),
        (Cost(), ["Hb, g/l=1,x=y=2"], (("Hb, g/l", 1), ("x=y", 2))),
        (Available(), ["a=0.5,b=0"], (("a", 0.5), ("b", 0))),
        (Sign(), ["a=+,b=−"], (("a", "+"), ("b", "-"))),
        (Rounding(), ["a=5,b=10"], (("a", 5), ("b", 10))),
        (Rounding(), ["nice"], ("nice",)),
        (Cost(), [], ()),
    ],
)
def test_columns_get_values_one_by_one_or_with_commas(
    kind: Assignments, given: list[str], pairs: tuple[object, ...]
) -> None:
    found: list[object] = []

    @click.command()
    @assigned("--of", kind, "")
    def command(of: tuple[object, ...]) -> None:
        found.append(of)

    words = [word for one in given for word in ("--of", one)]
    assert CliRunner().invoke(command, words).exit_code == 0
    assert found == [pairs]

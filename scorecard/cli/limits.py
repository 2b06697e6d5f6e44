from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import click
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from scorecard.cli import messages
from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    language_option,
    model_argument,
    policy_options,
)
from scorecard.core.build_staircase import build_staircase, limits_of
from scorecard.core.error_control import ErrorControl
from scorecard.core.policy import StoppingPolicy
from scorecard.terminal import printed
from scorecard.words.wording import NEVER, Wording

Limits = tuple[float, float]
CHOSEN_MARK = "«"
WIDE = Console(width=1000)


@click.command(cls=GroupedCommand)
@model_argument
@click.option("--json", "as_json", is_flag=True, help="The result as JSON, for other programs.")
@policy_options
@language_option
def limits(model: str, as_json: bool, policy: GivenPolicy, language: str) -> None:
    """Compare limits: how many each pair decides, with how many questions and misses.

    Every pair of a limit for low and one for high risk is tried in cross-validation: each case is
    judged by a list that has not seen it. The pair that the other commands use is marked.

    \b
    Example:
      scorecard limits model.json
    """
    from scorecard.documents.json_document import read_list

    scoring_list = read_list(model)
    in_force = policy.of(scoring_list)
    table = limits_of(scoring_list, in_force)
    if as_json:
        click.echo(_as_json(table, in_force))
        return
    wording = Wording.of(build_staircase(scoring_list, in_force), language)
    width, colour = shutil.get_terminal_size().columns, messages.wants_colour()
    click.echo(limits_text(table, in_force, wording, width=width, colour=colour))


def limits_text(
    table: Mapping[Limits, ErrorControl],
    policy: StoppingPolicy,
    wording: Wording,
    *,
    width: int = 80,
    colour: bool = False,
) -> str:
    """Every pair of limits with how cases end in cross-validation; the policy's pair is marked.

    Limits side by side that decide the same are one row or one column.
    """
    priced = any(control.tally.mean_cost is not None for control in table.values())
    cells = {pair: _cell(control, wording, priced) for pair, control in table.items()}
    low, high = (list(dict.fromkeys(pair[side] for pair in table)) for side in (0, 1))
    nothing = _cell(None, wording, priced)
    rows = _alike(low, lambda out: [cells.get((out, into), nothing) for into in high])
    columns = _alike(high, lambda into: [cells.get((out, into), nothing) for out in low])
    view = _View(cells, nothing, policy.limits, rows, wording)
    parts: list[RenderableType] = []
    while columns:
        grids = (view.grid(columns[:count]) for count in range(len(columns), 0, -1))
        grid = next((grid for grid in grids if _width(grid) <= width), view.grid(columns[:1]))
        parts += [grid]
        columns = columns[len(grid.columns) - 1 :]
    parts += [Text(wording.word("limits table", per=wording.number(wording.per)))]
    if priced:
        parts += [Text(wording.word("limits table cost"))]
    parts += [Text(wording.word("limits table marked", mark=CHOSEN_MARK))]
    return printed(parts, width, colour)


def _alike(limits: Sequence[float], decided: Callable[[float], object]) -> list[tuple[float, ...]]:
    """The limits in order, those side by side that decide the same together."""
    return [tuple(same) for _, same in groupby(limits, decided)]


@dataclass(frozen=True)
class _View:
    """The cells of all pairs of limits, and which limits stand in one row."""

    cells: Mapping[Limits, tuple[str, ...]]
    nothing: tuple[str, ...]
    chosen: Limits
    rows: Sequence[tuple[float, ...]]
    wording: Wording

    def grid(self, columns: Sequence[tuple[float, ...]]) -> Table:
        grid = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
        grid.add_column("▼  ▲", justify="right", no_wrap=True)
        for high in columns:
            grid.add_column(self._head(high, False), justify="right", no_wrap=True)
        for low in self.rows:
            cells = [self.cells.get((low[0], high[0]), self.nothing) for high in columns]
            chosen = [self.chosen[0] in low and self.chosen[1] in high for high in columns]
            for line in range(len(self.nothing)):
                head = "" if line else self._head(low, True)
                marked = zip(cells, chosen, strict=True)
                grid.add_row(head, *(_line(cell, line, is_chosen) for cell, is_chosen in marked))
            grid.add_row()
        return grid

    def _head(self, limits: Sequence[float], rules_out: bool) -> str:
        """ "≤ 5", and where several decide the same, "≤ 1 … 5"."""
        first, last = (_limit(one, rules_out, self.wording) for one in (limits[0], limits[-1]))
        if len(limits) == 1:
            return first
        return f"{first} … {last if first == NEVER else last.partition(' ')[2]}"


def _width(grid: Table) -> int:
    return Measurement.get(WIDE, WIDE.options, grid).maximum


def _limit(limit: float, rules_out: bool, wording: Wording) -> str:
    is_none = limit <= 0 if rules_out else limit >= 1
    return NEVER if is_none else f"{'≤' if rules_out else '≥'} {wording.limit(limit, rules_out)}"


def _cell(control: ErrorControl | None, wording: Wording, priced: bool) -> tuple[str, ...]:
    """Shares decided on both sides, questions, who was decided wrongly on each side, and cost."""
    if control is None:
        return NEVER, "", "", *[""] * priced
    tally = control.tally
    (out, missed), (into, found) = tally.ruled_out, tally.ruled_in
    shares = (f"{wording.per * side / tally.cases:.0f}" for side in (out, into))
    wrong = (wording.count(missed), wording.count(into - found))
    cost = [] if tally.mean_cost is None else [wording.count(tally.mean_cost)]
    return "+".join(shares), wording.mean(tally.mean_questions), "/".join(wrong), *cost


def _line(cell: tuple[str, ...], line: int, chosen: bool) -> Text:
    text = cell[line] + (CHOSEN_MARK if chosen and not line else "")
    return Text(text, style="bold reverse" if chosen else "" if not line else "dim")


def _as_json(table: dict[Limits, ErrorControl], policy: StoppingPolicy) -> str:
    pairs = [
        {
            "rule_out": pair[0],
            "rule_in": pair[1],
            "cases": control.tally.cases,
            "low": dict(zip(("cases", "positives"), control.tally.ruled_out, strict=True)),
            "high": dict(zip(("cases", "positives"), control.tally.ruled_in, strict=True)),
            "undecided": dict(zip(("cases", "positives"), control.tally.undecided, strict=True)),
            "questions": control.tally.mean_questions,
            "cost": control.tally.mean_cost,
            "chosen": pair == policy.limits,
        }
        for pair, control in table.items()
    ]
    found = {"confidence": policy.confidence, "chosen_by": policy.chosen_by, "pairs": pairs}
    return json.dumps(found, indent=2)

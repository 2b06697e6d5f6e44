"""What a card's template gets to see: texts, ready to print, and nothing to compute.

A `CardView` does not know its paper. Sentences that come in a long and a short form are both
there; which one a size has room for is the template's choice.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorecard.printing.logos import Picture


@dataclass(frozen=True, slots=True)
class BoxView:
    """A total that can be reached: `kind` is out, in, undecided or on (go on).

    `unseen` is "0/0" where nobody got there, so that a card without counts can say it too.
    """

    total: str
    kind: str
    symbol: str
    risk: str
    counts: str
    range: str
    few: str
    unseen: str


@dataclass(frozen=True, slots=True)
class RowView:
    """A question, where to stop after it, and its boxes.

    `cells` has one per column or `None`, `boxes` has them in a row; in `groups` and `short_groups`
    neighbours that say the same are one box, with their range or without.
    """

    number: str
    label: str
    condition: str
    points: str
    rule_out: str
    rule_in: str
    undecided: str
    cells: tuple[BoxView | None, ...]
    boxes: tuple[BoxView, ...]
    groups: tuple[BoxView, ...]
    short_groups: tuple[BoxView, ...]

    @property
    def question(self) -> str:
        """The question as it is read: label and condition."""
        return f"{self.label} {self.condition}".strip()


@dataclass(frozen=True, slots=True)
class LegendView:
    """One entry of the legend: the look of a box and what it means."""

    kind: str
    symbol: str
    text: str


@dataclass(frozen=True, slots=True)
class Words:
    """The fixed words a template places."""

    yes_if: str
    points: str
    total: str
    stop: str
    undecided: str
    undecided_stop: str
    rule_out: str
    rule_in: str
    rule_out_short: str
    rule_in_short: str
    before: str
    of: str
    every: str
    risks: str
    chip: str
    chip_short: str
    counts: str
    counts_short: str
    range: str
    ruler: str
    tally: str
    case: str
    decision: str


@dataclass(frozen=True, slots=True)
class CardView:
    """Everything on a card, as text."""

    language: str
    title: str
    subtitle: str
    outcome: str
    audience: str
    warnings: tuple[str, ...]
    how: str
    how_short: str
    base: BoxView
    columns: tuple[str, ...]
    rows: tuple[RowView, ...]
    legend: tuple[LegendView, ...]
    marks: tuple[str, ...]
    box_note: str
    undecided: str
    unknown: str
    limits: str
    limits_short: str
    notes: tuple[str, ...]
    notes_short: tuple[str, ...]
    performance: str
    figures: str
    figures_short: str
    source: str
    remark: str
    validation: str
    judgement: str
    identity: str
    has_undecided_stops: bool
    rare: bool
    ticks: bool
    logo: Picture | None
    qr: Picture | None
    words: Words

"""What a report consists of, how its figures are written, and whether limits were kept."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Literal

from scorecard.core.model import ScoringList
from scorecard.core.performance import OPEN, Ends, Kept, Rate, kept
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Decision
from scorecard.evaluation.measures import Estimate
from scorecard.words.wording import Wording

UNDEFINED = "–"
ACTED_ON: dict[Decision, str] = {
    "rule out": "ruled out",
    "rule in": "ruled in",
    "undecided": "undecided",
}
GROUPED: dict[Decision, str] = {
    "rule out": "at low risk",
    "rule in": "at high risk",
    "undecided": "in between",
}


Use = Literal["use it", "validate first", "do not use"]
HEADLINES: dict[Use, str] = {
    "use it": "Use it",
    "validate first": "Validate it first",
    "do not use": "Do not use it",
}


@dataclass(frozen=True)
class Advice:
    """Whether a list can be used, why, and two figures: what each is, and its value."""

    use: Use
    reason: str
    figures: tuple[tuple[str, str], tuple[str, str]]

    @property
    def headline(self) -> str:
        return HEADLINES[self.use]

    @property
    def sentence(self) -> str:
        figures = "; ".join(f"{name}: {value}" for name, value in self.figures)
        return f"{self.headline}. {self.reason} {figures}."


@dataclass(frozen=True)
class Report:
    """What was found: sentences, and what a page of them is made of.

    `template` has the pictures' words, the tables and how it was done; it places `facts`, and what
    `drawn` gives: pictures by name, in their order on the page.
    """

    template: str
    title: str
    subtitle: str
    findings: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)
    drawn: Callable[[], Iterable[tuple[str, str]]] = tuple


@dataclass(frozen=True, kw_only=True)
class JudgedReport(Report):
    """What an evaluation found of lists, with a verdict on them."""

    advice: Advice


def number(value: float | None, digits: int = 3) -> str:
    """A plain figure; “–” where it is not defined."""
    if value is None or value != value:
        return UNDEFINED
    return f"{value:.{digits}f}".replace("-", "−")


def percent(share: float | None) -> str:
    """A share in percent: a small one is "<0.1 %", never 0 %."""
    if share is None or share != share:
        return UNDEFINED
    if 0 < share < 0.0005:
        return "<0.1 %"
    if 0.9995 < share < 1:
        return ">99.9 %"
    return f"{100 * share:.1f} %"


def spread(mean: float, half: float, digits: int = 3) -> str:
    """Mean and half-width: 0.187 ± 0.002."""
    if mean != mean:
        return UNDEFINED
    if half != half:
        return number(mean, digits)
    return f"{number(mean, digits)} ± {number(half, digits)}"


def estimate(one: Estimate | None) -> str:
    """A figure with its interval: 0.93 (0.81 to 1.05)."""
    if one is None or one[0] != one[0]:
        return UNDEFINED
    value, lower, upper = one
    if lower != lower:
        return number(value)
    return f"{number(value)} ({number(lower)} to {number(upper)})"


def rate(one: Rate | None) -> str:
    """12.0 % (3 of 25; 2.5 to 31.2 %); over several rounds, "about 3 of 25"."""
    if one is None:
        return UNDEFINED
    lower, upper = one.interval
    about = "" if one.hits == round(one.hits) and one.cases == round(one.cases) else "about "
    return (
        f"{percent(one.value)} ({about}{count(one.hits)} of {count(one.cases)};"
        f" {100 * lower:.1f} to {100 * upper:.1f} %)"
    )


def ended(policy: StoppingPolicy) -> dict[Decision, str]:
    """What is said of those who end in each way; where the data chose the limits, their risk."""
    return GROUPED if policy.chosen_by == "data" else ACTED_ON


def limits_told(policy: StoppingPolicy) -> str:
    """The limits that there are: "▼ at most 5.0 %, ▲ at least 95.0 %"."""
    words = ("▼ at most", "▲ at least")
    sides = zip(words, policy.limits, policy.has_limit, strict=True)
    return ", ".join(f"{word} {percent(limit)}" for word, limit, there in sides if there) or "none"


def open_words(shares: Mapping[Decision, float], policy: StoppingPolicy) -> str:
    """Who is left: undecided, and apart from them those whose unknown answers leave it open."""
    undecided = f"{percent(shares['undecided'])} stay {ended(policy)['undecided']}"
    if not shares["unknown"]:
        return undecided
    return f"{undecided}, {percent(shares['unknown'])} cannot be decided (answers unknown)"


def count(value: float) -> str:
    """A whole number: there is no part of a patient."""
    return f"{value:.0f}"


def plural(amount: int, word: str) -> str:
    return f"{amount} {word}" if amount == 1 else f"{amount} {word}s"


def versions() -> Iterator[tuple[str, str]]:
    """The versions that a result depends on."""
    for package in ("psl-scorecard", "numpy", "scikit-learn"):
        yield package, version(package)
    yield "python", platform.python_version()


# Can I use it? ------------------------------------------------------------------------------------

ENOUGH = 100  # of each outcome; Collins, Ogundimu, Altman, Stat Med 2016;35:214-226


@dataclass(frozen=True)
class Judged:
    """How cases end, under which limits, and whose cases they are.

    `elsewhere` says whether this validates the list on cases from elsewhere, and why.
    """

    scoring_list: ScoringList
    policy: StoppingPolicy
    ends: Ends
    out: Estimate
    into: Estimate
    positives: int
    negatives: int
    elsewhere: tuple[str, str]
    enough: int = ENOUGH

    @property
    def sides(self) -> tuple[Decision, ...]:
        """On which sides anybody is meant to stop, or does."""
        both: tuple[Decision, ...] = ("rule out", "rule in")
        limits = zip(both, self.policy.has_limit, strict=True)
        return tuple(side for side, there in limits if there or self.ends.ending(side)[0])

    def verdicts(self) -> Iterator[tuple[Decision, Rate | None, Estimate, Kept]]:
        """Per side the rate seen, the limit, and whether it is shown to be kept."""
        for side in self.sides:
            is_out = side == "rule out"
            found = self.ends.missed if is_out else self.ends.right_to_treat
            limit = self.out if is_out else self.into
            yield side, found, limit, kept(found, limit[0], rules_out=is_out)

    @property
    def is_enough(self) -> bool:
        return min(self.positives, self.negatives) >= self.enough

    @property
    def wording(self) -> Wording:
        return Wording.of(replace(self.scoring_list, policy=self.policy))

    def of(self, ends: Ends) -> Judged:
        """The same of a part of the cases."""
        return replace(self, ends=ends)

    def hundred(self) -> tuple[int, int, int]:
        """Ruled out, ruled in and undecided of 100, rounded so that they add up."""
        sides = (("rule out",), ("rule in",), OPEN)
        exact = [100 * self.ends.ending(*side)[0] / self.ends.cases for side in sides]
        whole = [int(value) for value in exact]
        by_rest = sorted(range(3), key=lambda place: whole[place] - exact[place])
        for place in by_rest[: 100 - sum(whole)]:
            whole[place] += 1
        return whole[0], whole[1], whole[2]

    def left_after(self) -> Iterator[tuple[int, float]]:
        """After each question the share of cases that is not decided yet."""
        left = 1.0
        for stage in range(1, max((stage for stage, _ in self.ends.counts), default=0) + 1):
            left -= sum(self.ends.share(stage, side) for side in self.sides)
            yield stage, max(left, 0.0)

    def sentences(self) -> Iterator[str]:
        """The same in words."""
        for side, found, limit, verdict in self.verdicts():
            yield limit_sentence(ended(self.policy)[side], found, limit, verdict)


def limit_sentence(what: str, found: Rate | None, limit: Estimate, verdict: Kept) -> str:
    """One sentence about a side: the rate, the limit, and whether it is shown to be kept."""
    if found is None:
        return f"Nobody is {what} at the limit of {spans(limit)}."
    judged = {
        "kept": "is kept",
        "broken": "is broken",
        "not shown": "is not shown to be kept: the interval of the rate contains it",
    }[verdict]
    return f"Of those {what}, {rate(found)} have the outcome; the limit of {spans(limit)} {judged}."


def spans(limit: Estimate) -> str:
    """A limit, or from where to where it goes if every list has its own."""
    mean, low, high = limit
    if low == high:
        return percent(mean)
    return f"{percent(mean)} on average ({percent(low)} to {percent(high)}, each list its own)"

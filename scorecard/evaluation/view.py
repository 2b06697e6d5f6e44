"""What a report consists of, and how its figures are written."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

from scorecard.core.performance import Rate
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Decision
from scorecard.evaluation.measures import Estimate

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


@dataclass(frozen=True)
class Report:
    """What an evaluation found, in sentences, and what its page is made of.

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

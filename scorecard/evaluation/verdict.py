"""Can I use it? How cases end, against the limits that were meant to be kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorecard.core.model import ScoringList
from scorecard.core.performance import OPEN, Ends, Kept, Rate, kept
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Decision
from scorecard.evaluation.measures import Estimate
from scorecard.evaluation.view import ended, percent, rate
from scorecard.words.wording import Wording

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

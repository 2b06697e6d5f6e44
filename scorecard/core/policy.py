"""When may one stop asking? The limits, and what has to be shown before one may.

A list can carry the policy it was made for, and be put under any other. At each stage a policy
gives two cut-offs: a total at or below the first stops with "rule out", one at or above the second
with "rule in".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import nextafter
from sys import float_info
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from scorecard.core.binomial import at_least, at_most, cases_for_zero
from scorecard.errors import PolicyError

if TYPE_CHECKING:
    from scorecard.core.model import Risk
    from scorecard.core.staircase import Box

By = Literal["error-control", "group", "point", "bounds"]
ChosenBy = Literal["person", "data"]
Estimate = Literal["reached", "all"]
Curtail = Literal["decided", "all", "never"]

# What the decisions are called where the data chose the limits: nobody said what to do there.
GROUP_NAMES = {"rule out": "low risk", "rule in": "high risk", "undecided": "in between"}
# Nobody is undecided where there was nothing to decide.
PLAIN_NAMES = {"undecided": "final risk"}


@dataclass(frozen=True, slots=True)
class StoppingPolicy:
    """The limits of risk at which one stops, and what has to be shown before one may.

    Parameters
    ----------
    rule_out, rule_in : float
        Limits of risk, 0 ≤ rule_out < rule_in ≤ 1. With 0, or 1, nobody is meant to stop on that
        side.
    by : "error-control", "group", "point" or "bounds"
        Which figure has to keep the limit.
        "error-control": the total's own estimate, and with `confidence` the rate of all who stop on
        that side, at any stage, when each case is judged by a list that did not see it. It needs a
        cross-validated list; any other is judged by "group".
        "group": the total's own estimate, and with `confidence` the pooled rate of all who stop
        there. "point": the estimate alone, as in the paper. "bounds": the end of the total's range.
    estimate : "reached" or "all"
        "reached" takes the risk of those who get to a total under this policy (it needs the
        evidence), "all" that of every case with this total, as in the paper.
    confidence : float
        With which a side has to keep its limit, where `by` asks for it.
    min_cases : int
        A group that stops must have at least so many cases behind it.
    miss_cost : float, optional
        A missed positive costs this many times a false alarm. With by="bounds" it replaces both
        limits by 1/(miss_cost + 1); otherwise it only says what to do when undecided.
    curtail : "decided", "all" or "never"
        Stop also where no later answer can change the decision any more. "decided": where it is
        rule out or rule in and the box has no counts of its own, as in a published score. "all":
        everywhere, also where it stays undecided; the counts of later boxes then still include
        those who could stop. "never": not at all, as in the paper. Unless "never", questions after
        which nobody can be decided any more are not asked.
    chosen_by : "person" or "data"
        Whose limits they are. "data": the strictest that cross-validation could show for this list,
        which makes groups of low and high risk; "person": somebody's who acts on them.
    """

    rule_out: float = 0.05
    rule_in: float = 0.95
    by: By = "error-control"
    estimate: Estimate = "reached"
    confidence: float = 0.9
    min_cases: int = 10
    miss_cost: float | None = None
    curtail: Curtail = "decided"
    chosen_by: ChosenBy = "person"

    def __post_init__(self) -> None:
        for name in ("rule_out", "rule_in", "confidence", "miss_cost"):
            if getattr(self, name) is not None or name != "miss_cost":
                object.__setattr__(self, name, _number(name, getattr(self, name)))
        if not 0 <= self.rule_out < self.rule_in <= 1:
            swapped = " Are they swapped?" if 0 <= self.rule_in < self.rule_out <= 1 else ""
            raise PolicyError(
                f"The limits rule_out={self.rule_out!r} and rule_in={self.rule_in!r} do not fit:"
                f" expected 0 ≤ rule_out < rule_in ≤ 1.{swapped}"
            )
        kinds = ("by", By), ("estimate", Estimate), ("curtail", Curtail), ("chosen_by", ChosenBy)
        for name, kind in kinds:
            value, expected = getattr(self, name), get_args(kind)
            if value not in expected:
                raise PolicyError(f"{name}={value!r} is not one of {', '.join(expected)}.")
        if not 0.5 <= self.confidence < 1:
            raise PolicyError(f"confidence={self.confidence!r} must be at least 0.5 and below 1.")
        if isinstance(self.min_cases, bool) or not isinstance(self.min_cases, int):
            raise PolicyError(f"min_cases={self.min_cases!r} is not a whole number.")
        if self.min_cases < 0:
            raise PolicyError(f"min_cases={self.min_cases!r} is negative.")
        if self.miss_cost is not None and self.miss_cost <= 0:
            raise PolicyError(f"miss_cost={self.miss_cost!r} must be above 0.")

    @property
    def tells_groups(self) -> bool:
        """Whether its decisions are groups of low and high risk, not somebody's actions."""
        return self.chosen_by == "data" and any(self.has_limit)

    @property
    def tells_risks_only(self) -> bool:
        """Whether there is no limit on either side: everybody ends with a plain risk."""
        return not any(self.has_limit)

    @property
    def names(self) -> dict[str, str]:
        """What its decisions are called where they are no actions; the others keep their names."""
        if self.tells_groups:
            return GROUP_NAMES
        return PLAIN_NAMES if self.tells_risks_only else {}

    @property
    def cost_limit(self) -> float | None:
        """The risk at which a miss and a false alarm cost the same, 1/(miss_cost + 1)."""
        return None if self.miss_cost is None else 1 / (self.miss_cost + 1)

    @property
    def limits(self) -> tuple[float, float]:
        """The limits in force: a risk ≤ the first may stop out, one ≥ the second may stop in."""
        if self.by == "bounds" and self.cost_limit is not None:
            # "in" needs a bound strictly above the cost limit: equality is a tie, not a reason.
            return self.cost_limit, nextafter(self.cost_limit, 1.0)
        return self.rule_out, self.rule_in

    @property
    def has_limit(self) -> tuple[bool, bool]:
        """Whether anybody is meant to stop out, and in."""
        low, high = self.limits
        return low > 0, high < 1

    @property
    def needed_cases(self) -> tuple[int | None, int | None]:
        """The smallest group without an exception that could stop out, and in; `None` if none can.

        Meant for the rules that test a group, "error-control" and "group".
        """
        low, high = self.limits
        return (
            cases_for_zero(low, self.confidence) if low > 0 else None,
            cases_for_zero(1 - high, self.confidence) if high < 1 else None,
        )


def _number(name: str, value: object) -> float:
    """A finite number as plain `float`, so that equal policies are written alike."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise PolicyError(f"{name}={value!r} is not a number.")
    if not abs(value) <= float_info.max:
        raise PolicyError(f"{name}={value!r} is not a number.")
    return float(value) + 0.0  # never −0.0, which would be written differently


def cut_offs(
    boxes: Sequence[Box],
    policy: StoppingPolicy,
    limits: tuple[float, float] | None = None,
) -> tuple[int | None, int | None]:
    """The largest total that may stop out and the smallest that may stop in, `None` for never.

    `boxes` are the totals under consideration, ascending; their counts are pooled where a rule is
    about a group. Where they have no counts, "group" never lets anybody stop. `limits` are those of
    the policy, or the stricter ones that keep its promise.
    """
    low, high = limits or policy.limits
    return (
        _innermost(boxes, _Limit(low, rules_out=True), policy),
        _innermost(boxes[::-1], _Limit(high, rules_out=False), policy),
    )


def too_few(boxes: Sequence[Box], policy: StoppingPolicy, times: float) -> tuple[bool, bool]:
    """Whether so many times the cases, at the same rates, would let somebody stop out, and in.

    Only the rule "group" looks at the cases of one stage.
    """
    low, high = policy.limits
    return (
        _is_shown_by(boxes, _Limit(low, rules_out=True), policy, times),
        _is_shown_by(boxes[::-1], _Limit(high, rules_out=False), policy, times),
    )


class Rule(NamedTuple):
    """What a stop by a rule rests on beside the limit."""

    tests_groups: bool
    needs_ranges: bool


RULES: dict[By, Rule] = {
    # By the estimate, under limits as strict as the promise needs them to be.
    "error-control": Rule(tests_groups=True, needs_ranges=False),
    "group": Rule(tests_groups=True, needs_ranges=False),
    "point": Rule(tests_groups=False, needs_ranges=False),
    "bounds": Rule(tests_groups=False, needs_ranges=True),
}


@dataclass(frozen=True, slots=True)
class _Limit:
    """The limit of one of the two ends; boxes are looked at from the outermost total inwards."""

    limit: float
    rules_out: bool

    def is_kept(self, risk: Risk | None, policy: StoppingPolicy) -> bool:
        """Whether the figure that the rule looks at keeps it."""
        if risk is None:
            return False
        figure: float | None = risk.probability
        if RULES[policy.by].needs_ranges:
            figure = risk.upper if self.rules_out else risk.lower
        if figure is None:
            return False
        return figure <= self.limit if self.rules_out else figure >= self.limit

    def is_shown(self, positives: float, cases: float, confidence: float) -> bool:
        """Whether the one-sided Clopper–Pearson bound of this rate keeps it."""
        tail = at_most if self.rules_out else at_least
        return tail(positives, cases, self.limit) <= 1 - confidence


def _innermost(boxes: Sequence[Box], limit: _Limit, policy: StoppingPolicy) -> int | None:
    """The innermost total up to which the limit is kept, if the group up to it is large enough."""
    stop = None
    has_counts = all(box.risk is None or box.risk.cases is not None for box in boxes)
    for box, (cases, positives) in zip(boxes, _pooled(boxes), strict=True):
        if not limit.is_kept(box.risk, policy):
            break
        is_large = cases >= policy.min_cases
        if policy.by != "group":
            stop = box.total if is_large or not has_counts else None
        elif is_large and cases >= 1 and limit.is_shown(positives, cases, policy.confidence):
            stop = box.total
    return stop


def _is_shown_by(boxes: Sequence[Box], limit: _Limit, policy: StoppingPolicy, times: float) -> bool:
    for box, counts in zip(boxes, _pooled(boxes), strict=True):
        if policy.by != "group" or not limit.is_kept(box.risk, policy):
            return False
        cases, positives = (times * count for count in counts)
        is_large = cases > 0 and cases >= policy.min_cases
        if is_large and limit.is_shown(positives, cases, policy.confidence):
            return True
    return False


def _pooled(boxes: Sequence[Box]) -> list[tuple[float, float]]:
    """Cases and positives of each total together with all before it."""
    counts = [box.counts or (0, 0) for box in boxes]
    return list(accumulate(counts, lambda one, other: (one[0] + other[0], one[1] + other[1])))

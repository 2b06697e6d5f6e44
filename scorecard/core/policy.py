"""When may one stop asking? The limits, and what has to be shown before one may.

A list can carry the policy it was made for, and be put under any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nextafter
from sys import float_info
from typing import Literal, get_args

from scorecard.core.binomial import cases_for_zero
from scorecard.errors import PolicyError

By = Literal["promise", "group", "point", "bounds"]
ChosenBy = Literal["person", "data"]
Estimate = Literal["reached", "all"]
Curtail = Literal["decided", "all", "never"]


@dataclass(frozen=True, slots=True)
class StoppingPolicy:
    """The limits of risk at which one stops, and what has to be shown before one may.

    Parameters
    ----------
    rule_out, rule_in : limits of risk, 0 ≤ rule_out < rule_in ≤ 1. With 0, or 1, nobody is meant
        to stop on that side.
    by : which figure has to keep the limit.
        "promise": the total's own estimate, and with `confidence` the rate of all who stop on that
        side, at any stage, when each case is judged by a list that did not see it. It needs a
        cross-checked list; any other is judged by "group".
        "group": the total's own estimate, and with `confidence` the pooled rate of all who stop
        there. "point": the estimate alone, as in the paper. "bounds": the end of the total's range.
    estimate : "reached" takes the risk of those who get to a total under this policy (it needs
        the evidence), "all" that of every case with this total, as in the paper.
    min_cases : a group that stops must have at least so many cases behind it.
    miss_cost : a missed positive costs this many times a false alarm. With by="bounds" it replaces
        both limits by 1/(miss_cost + 1); otherwise it only says what to do when undecided.
    curtail : stop also where no later answer can change the decision any more. "decided": where it
        is rule out or rule in and the box has no counts of its own, as in a published score. "all":
        everywhere, also where it stays undecided; the counts of later boxes then still include
        those who could stop. "never": not at all, as in the paper. Unless "never", questions after
        which nobody can be decided any more are not asked.
    chosen_by : whose limits they are. "data": the strictest that cross-checking could show for
        this list, which makes groups of low and high risk; "person": somebody's who acts on them.
    """

    rule_out: float = 0.05
    rule_in: float = 0.95
    by: By = "promise"
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
            raise PolicyError(
                f"The limits rule_out={self.rule_out!r} and rule_in={self.rule_in!r} do not fit:"
                " expected 0 ≤ rule_out < rule_in ≤ 1."
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

        Meant for the rules that test a group, "promise" and "group".
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

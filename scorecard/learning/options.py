"""What a learner may be told, checked in one place and in one line per mistake."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import log2
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any

from scorecard.core.calibration import CALIBRATIONS
from scorecard.core.model import MAX_QUESTIONS
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import MAX_POINTS
from scorecard.errors import LearningError

PUBLISHED: Mapping[str, Any] = MappingProxyType(
    {
        "max_questions": None,
        "repeat_inputs": 1,
        "min_answers": 0,
        "cutoffs": "bisect",
        "evidence": "training",
        "published": {
            "min_gain": None,
            "calibration": "isotonic",
            "positive_points": False,
            "substitutes": False,
        },
    }
)
"""Parameters of the classifier with which it follows the paper."""

PUBLISHED_POLICY = MappingProxyType({"by": "point", "estimate": "all", "curtail": "never"})
"""Fields of the stopping policy with which a list is used as in the paper."""

LEVEL = 0.95  # confidence of the bands
MOST_CHOSEN = 6  # questions, where cross-validation says how many
HELD_OUT = 1 / 3  # of the cases, where figures come from held-out ones and no share is given

CHOICES: dict[str, tuple[str, ...]] = {
    "binarize": ("in-search", "beforehand"),
    "calibration": tuple(CALIBRATIONS),
    "loss": ("entropy", "ranking"),
    "evidence": ("cross-validated", "held-out", "training"),
    "missing": ("unknown", "mode", "question", "refuse"),
}


AUTO: Any = "auto"  # where a checked one is a number
UNSAID: Any = None  # where a checked one is a mapping or a list


@dataclass(frozen=True)
class Options:
    """The checked parameters of a `ScoringListClassifier`, with what they are by themselves."""

    points: tuple[int, ...] = (-3, -2, -1, 1, 2, 3)
    max_questions: int = AUTO
    repeat_inputs: int = 3
    min_answers: float | None = None
    cutoffs: str | int = "auto"
    evidence: str = "cross-validated"
    folds: int | None = None
    held_out: float = 0.0
    signs: Mapping[str, str] = UNSAID
    fixed: tuple[Any, ...] = UNSAID
    round_cutoffs: bool = True
    positive_label: Any = None
    missing: str = "unknown"
    policy: StoppingPolicy | None = None
    costs: Mapping[str, float] = UNSAID
    panels: Mapping[str, tuple[str, ...]] = UNSAID
    cost_weight: float | None = AUTO
    available: Mapping[str, float] = UNSAID
    published: Mapping[str, Any] = UNSAID
    random_state: Any = 0
    # what `published` may say
    min_gain: float | None = 0.0
    binarize: str = "in-search"
    calibration: str = "sigmoid"
    loss: str = "entropy"
    lookahead: int = 1
    positive_points: bool = True
    substitutes: bool = True
    # what others tell
    choose_size: bool = False
    any_order: bool = False

    @property
    def weighing(self) -> Weighing:
        """How costs are weighed unless cross-validation finds a better way."""
        return Weighing(self.cost_weight or 0.0)

    @property
    def panel_of(self) -> dict[str, str]:
        """By input the panel it belongs to."""
        return {name: panel for panel, members in self.panels.items() for name in members}

    @classmethod
    def checked(cls, parameters: Mapping[str, Any]) -> Options:
        given = {**DEFAULTS, **METHOD, **parameters, **_published(parameters.get("published"))}
        for name, choices in CHOICES.items():
            if not isinstance(given[name], str) or given[name] not in choices:
                raise _refused(name, given[name], f"one of {', '.join(map(repr, choices))}")
        given["points"] = _points(given["points"])
        given["choose_size"] = given["max_questions"] == "auto"
        given["any_order"] = isinstance(given["fixed"], (set, frozenset))
        given["fixed"] = _fixed(given["fixed"])
        given["max_questions"] = _most(given["max_questions"], len(given["fixed"]))
        for name in ("repeat_inputs", "lookahead"):
            given[name] = _whole(name, given[name], None)
        if given["folds"] is not None:
            given["folds"] = _whole("folds", given["folds"], None, "None or ", least=2)
        _check_numbers(given)
        _check_together(given)
        given["signs"] = _signs(given["signs"])
        if given["cutoffs"] not in ("auto", "exact", "bisect"):
            expected = "'auto', 'exact', 'bisect' or "
            given["cutoffs"] = _whole("cutoffs", given["cutoffs"], None, expected)
        given["costs"] = _numbers(given, "costs", math.inf, "a number from 0 on")
        given["available"] = _numbers(given, "available", 1.0, "a share from 0 to 1")
        given["panels"] = _panels(given["panels"], given["costs"])
        given["cost_weight"] = _cost_weight(given)
        return cls(**given)


_KNOWN = {one.name: one.default for one in fields(Options)}
_OF_THE_METHOD = (
    "min_gain", "binarize", "calibration", "loss", "lookahead", "positive_points", "substitutes"
)  # fmt: skip
METHOD: Mapping[str, Any] = MappingProxyType({name: _KNOWN[name] for name in _OF_THE_METHOD})
"""What `published` may say otherwise, as it is where it does not."""

_TOLD = ("choose_size", "any_order", *METHOD)
DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {name: value for name, value in _KNOWN.items() if name not in _TOLD}
)
"""What the learner does where nobody says otherwise: the signature of `ScoringListClassifier`."""


def _points(points: object) -> tuple[int, ...]:
    try:
        values = list(points)  # type: ignore[call-overload]
    except TypeError:
        raise _refused(
            "points", points, "whole numbers other than 0, for instance (1, 2, 3)"
        ) from None
    for value in values:
        if isinstance(value, bool) or not isinstance(value, Integral) or value == 0:
            raise LearningError(f"points: {value!r} is not a whole number other than 0.")
        if abs(int(value)) > MAX_POINTS:
            raise LearningError(f"points: {value!r} is beyond ±{MAX_POINTS}; use smaller points.")
    if not values:
        raise LearningError("points is empty; give at least one value, for instance (1, 2, 3).")
    return tuple(sorted({int(value) for value in values}))


def _whole(name: str, value: object, most: int | None, otherwise: str = "", least: int = 1) -> int:
    span = f"from {least} on" if most is None else f"from {least} to {most}"
    expected = f"{otherwise}a whole number {span}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise _refused(name, value, expected)
    if not least <= int(value) <= (int(value) if most is None else most):
        raise _refused(name, value, expected)
    return int(value)


def _check_numbers(given: dict[str, Any]) -> None:
    for name in ("min_gain", "min_answers"):
        value = given[name]
        if value is not None and not (_is_real(value) and 0 <= value < math.inf):
            raise _refused(name, value, "a number from 0 on, or None")
    if not (_is_real(given["held_out"]) and 0 <= given["held_out"] < 1):
        raise _refused("held_out", given["held_out"], "a share from 0 to below 1")
    for name in ("positive_points", "substitutes", "round_cutoffs"):
        if not isinstance(given[name], bool):
            raise _refused(name, given[name], "True or False")


def _published(given: object) -> Mapping[str, Any]:
    """Parts of the published method."""
    known = ", ".join(METHOD)
    found = _mapping("published", given, f"None, or a mapping of some of {known}")
    for name in found:
        if name not in METHOD:
            raise LearningError(f"published: {name!r} is no part of the method; expected {known}.")
    return found


def _mapping(name: str, value: object, expected: str) -> Mapping[str, Any]:
    """What is said by name; nothing where it is `None`."""
    if value is not None and not isinstance(value, Mapping):
        raise _refused(name, value, expected)
    return value or {}


def _check_together(given: dict[str, Any]) -> None:
    if given["evidence"] == "cross-validated" and given["calibration"] != "sigmoid":
        raise LearningError(
            f"calibration: {given['calibration']!r} came, but risks corrected by cross-validation"
            " are those of 'sigmoid'; expected that, or evidence='held-out' or evidence='training'."
        )
    if given["evidence"] == "training" and given["held_out"]:
        raise LearningError(
            f"held_out: {given['held_out']!r} came, but evidence='training' uses no other cases;"
            " expected 0, evidence='cross-validated' or evidence='held-out'."
        )
    if given["evidence"] == "held-out" and not given["held_out"]:
        given["held_out"] = HELD_OUT
    policy = given["policy"]
    if policy is not None and not isinstance(policy, StoppingPolicy):
        raise _refused("policy", policy, "a StoppingPolicy, or None for limits the data can show")


def _signs(signs: object) -> dict[str, str]:
    found = dict(_mapping("signs", signs, "a mapping of input names to '+' or '-'"))
    for name, sign in found.items():
        if sign not in ("+", "-"):
            raise LearningError(f"signs: {sign!r} for {name!r} is neither '+' nor '-'.")
    return found


def _numbers(given: Mapping[str, Any], option: str, most: float, expected: str) -> dict[str, float]:
    values = _mapping(option, given[option], f"a mapping of input names, each to {expected}")
    for name, value in values.items():
        if not (_is_real(value) and 0 <= value <= most and value < math.inf):
            raise LearningError(f"{option}: {value!r} came for {name!r}, expected {expected}.")
    return {name: float(value) for name, value in values.items()}


def _panels(panels: object, costs: Mapping[str, float]) -> dict[str, tuple[str, ...]]:
    said = _mapping("panels", panels, "a mapping of panel names, each to a list of inputs")
    found: dict[str, tuple[str, ...]] = {}
    for panel, members in said.items():
        inputs = (members,) if isinstance(members, str) else tuple(dict.fromkeys(members))
        if len(inputs) < 2:
            raise LearningError(
                f"panels: {panel!r} has {len(inputs)} input; at least two are bought together."
            )
        for other, before in found.items():
            if twice := sorted({*inputs} & {*before}):
                raise LearningError(f"panels: {twice[0]!r} is in both {other!r} and {panel!r}.")
        if len(prices := {costs[name] for name in inputs if name in costs}) > 1:
            shown = ", ".join(f"{price:g}" for price in sorted(prices))
            raise LearningError(
                f"costs: the panel {panel!r} has {shown}; expected one, because it is paid once."
            )
        found[panel] = inputs
    return found


def _cost_weight(given: Mapping[str, Any]) -> float | None:
    """The power of the cost; `None` for the one that cross-validation finds."""
    weight = given["cost_weight"]
    if weight == "auto":
        return None if given["evidence"] == "cross-validated" else 0.0
    if not (_is_real(weight) and 0 <= weight < math.inf):
        raise _refused("cost_weight", weight, "'auto' or a number from 0 on")
    if weight and given["lookahead"] > 1:
        raise LearningError(
            f"cost_weight: {weight!r} came, but costs are weighed question by question; expected 0"
            " beside lookahead."
        )
    return float(weight)


def _fixed(fixed: object) -> tuple[Any, ...]:
    if fixed is None:
        return ()
    if isinstance(fixed, str) or not isinstance(fixed, (Sequence, set, frozenset)):
        raise _refused("fixed", fixed, "a list of questions or input names")
    if len(fixed) > MAX_QUESTIONS:
        raise LearningError(f"fixed has {len(fixed)} questions; at most {MAX_QUESTIONS} are asked.")
    # A set comes in another order every time, and among equals the first wins.
    return tuple(fixed) if isinstance(fixed, Sequence) else tuple(sorted(fixed, key=repr))


def _most(wanted: object, given: int) -> int:
    """How many questions there may be in all, beside so many that are given."""
    if wanted == "auto":
        return max(MOST_CHOSEN, given)
    if wanted is None:
        return MAX_QUESTIONS
    least, most = 0 if given else 1, MAX_QUESTIONS - given
    return given + _whole("max_questions", wanted, most, "'auto' or ", least)


def _is_real(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and not math.isnan(value)


def _refused(name: str, value: object, expected: str) -> LearningError:
    return LearningError(f"{name}: {value!r} came, expected {expected}.")


# What a question is worth -------------------------------------------------------------------------
# A question is chosen by gain / (cost^c · (1 / share who can answer)^a). With both powers 0 that is
# the gain alone. An unknown answer leads two ways, and on a card one stops only where both agree:
# so questions that are often unknown may also be put behind all others, who can then stop before
# them, or be given a substitute. Cross-validation, which walks both ways, decides.
#
# Free questions come first where they help at all, which is by more than one more cut-off gains by
# chance: log(cases) / cases nats, as in Schwarz's criterion. Where nothing helps by so much the
# largest gain decides, whatever it costs.

COST_POWERS = (0.25, 0.5, 1.0, 2.0)
RARITY_POWERS = (1.0, 2.0, 3.0)
OFTEN_UNKNOWN = 0.05  # an input that more cases than that cannot answer makes a difference


@dataclass(frozen=True)
class Weighing:
    """The powers of the cost, and of how rarely an answer can be had.

    With `unknown_last` what is often unknown is asked behind everything else; with `substitutes` it
    says what to ask instead.
    """

    cost: float = 0.0
    rarity: float = 0.0
    unknown_last: bool = False
    substitutes: bool = False

    @property
    def is_plain(self) -> bool:
        return not self.cost and not self.rarity


PLAIN = Weighing()


@dataclass(frozen=True)
class Spending:
    """What inputs cost and how often they can be had, by name.

    `costs` is empty where there are none, else an input without one is free. `panels` says to which
    panel an input belongs. `available` has the share of patients in whom an input can be had, for
    inputs that are not always known.
    """

    costs: Mapping[str, float] = field(default_factory=dict)
    panels: Mapping[str, str] = field(default_factory=dict)
    available: Mapping[str, float] = field(default_factory=dict)

    def price(self, name: str) -> float:
        return self.costs.get(name, 0.0)

    def differ(self, inputs: Iterable[str]) -> bool:
        """Whether some of these inputs are cheaper to have than others."""
        found = {self.price(name) for name in inputs}
        return any(found) and (bool(self.panels) or len(found) > 1)


@dataclass(frozen=True)
class Weights:
    """What the gain of each column is divided by.

    `bought` says what has to be paid for to have a column: what is bought already is free. A free
    column has the weight of how rarely it can be had.
    """

    powers: Weighing
    prices: Mapping[int, float]
    bought: Mapping[int, str]
    shares: Mapping[int, float]

    def is_free(self, column: int, paid: set[str]) -> bool:
        if not self.powers.cost:
            return False
        return self.prices[column] == 0 or self.bought[column] in paid

    def weight(self, column: int, paid: set[str]) -> float:
        rarity = self.shares[column] ** -self.powers.rarity
        if not self.powers.cost or self.is_free(column, paid):
            return float(rarity)
        return float(self.prices[column] ** self.powers.cost * rarity)

    def paid(self, columns: Iterable[int]) -> set[str]:
        """What was bought to ask for these columns."""
        return {self.bought[column] for column in columns}


def chance_gain(cases: float) -> float:
    """Bits per case by which one more cut-off lowers the entropy without meaning anything."""
    return log2(cases) / cases if cases > 1 else 0.0

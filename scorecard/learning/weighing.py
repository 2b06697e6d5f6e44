"""What a question is worth: its gain counts for less where it costs more or is often unknown.

A question is chosen by gain / (cost^c · (1 / share who can answer)^a). With both powers 0 that is
the gain alone. An unknown answer leads two ways, and on a card one stops only where both agree: so
questions that are often unknown may also be put behind all others, who can then stop before them,
or be given a substitute. Cross-validation, which walks both ways, decides.

Free questions come first where they help at all, which is by more than one more cut-off gains by
chance: log(cases) / cases nats, as in Schwarz's criterion. Where nothing helps by so much the
largest gain decides, whatever it costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log2

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

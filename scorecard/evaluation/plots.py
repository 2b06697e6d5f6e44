"""`PSLDisplay`: pictures of a list in the way of scikit-learn's displays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from scorecard.core.build_staircase import build_staircase
from scorecard.core.fitted import Model, named_list
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Staircase
from scorecard.errors import ScorecardError
from scorecard.evaluation.external import evaluate_model
from scorecard.evaluation.measures import THRESHOLDS, Bin, Outcomes, benefit_estimates, calibration
from scorecard.evaluation.pictures import (
    OUT,
    STYLE,
    draw_calibration,
    draw_staircase,
    in_style,
    set_benefit_axis,
)
from scorecard.learning.counts import Floats
from scorecard.tables.prepared import is_positive

Kind = Literal["staircase", "calibration", "decision curve"]
KINDS: tuple[Kind, ...] = get_args(Kind)

MOST_RISKS = 12  # a point each; of more there are ten groups of the same size
TOGETHER = [["staircase", "staircase"], ["calibration", "decision curve"]]


class PSLDisplay:
    """Pictures of a list: its staircase, its calibration, and its decision curve.

    Make it with `from_estimator` or `from_predictions`; all parameters are kept as attributes.

    Parameters
    ----------
    staircase : Staircase, optional
        For the first picture.
    y_true : array of bool, optional
    y_prob : array of float, optional
        Who has the outcome, and the risks after the last question, for the other two.
    name : str, optional
        What the list is called in legends.

    Attributes
    ----------
    figure_ : matplotlib Figure
    axes_ : dict of matplotlib Axes by kind
    ax_ : matplotlib Axes
        The first of them.

    Examples
    --------
    >>> import numpy as np
    >>> from scorecard import PSLDisplay, ScoringListClassifier
    >>> ages = np.arange(20.0, 120.0)[:, None]
    >>> model = ScoringListClassifier().fit(ages, (ages[:, 0] > 60) & (ages[:, 0] % 5 > 0))
    >>> display = PSLDisplay.from_estimator(model, kind="staircase")
    >>> [label.get_text() for label in display.ax_.get_yticklabels()][0]
    'Before the first question'
    """

    def __init__(
        self,
        *,
        staircase: Staircase | None = None,
        y_true: Outcomes | None = None,
        y_prob: Floats | None = None,
        name: str | None = None,
    ) -> None:
        self.staircase = staircase
        self.y_true = y_true
        self.y_prob = y_prob
        self.name = name

    @classmethod
    def from_estimator(
        cls,
        estimator: Model,
        X: Any = None,
        y: Any = None,
        *,
        kind: Kind | None = None,
        policy: StoppingPolicy | None = None,
        name: str | None = None,
        ax: Any = None,
    ) -> PSLDisplay:
        """Draw the list of a model; with cases also how it does on them.

        Parameters
        ----------
        estimator : ScoringList, fitted ScoringListClassifier, or a pipeline that ends in one
        X, y : as for `evaluate`, optional
            Without them only the staircase can be drawn.
        kind : "staircase", "calibration" or "decision curve", optional
            By default all for which there is what they need.
        policy : StoppingPolicy, optional
            When one may stop; by default the list's own.
        name : str, optional
        ax : matplotlib Axes, or one for each kind, optional
        """
        # Neither limits nor units matter to who wants to see the other two alone.
        staircase = None if kind in KINDS[1:] else build_staircase(estimator, policy)
        own = name or named_list(estimator).about.title or "scoring list"
        if X is None:
            return cls(staircase=staircase, name=own).plot(kind, ax=ax)
        found = evaluate_model(estimator, X, y, policy=policy)
        risks, truth = found.risks_and_truth
        if found.same_table:
            own = f"{own}, on the cases it was learned from"
        return cls(staircase=staircase, y_true=truth, y_prob=risks, name=own).plot(kind, ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_prob: Any,
        *,
        kind: Kind | None = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
    ) -> PSLDisplay:
        """Draw calibration and decision curve of any risks.

        Parameters
        ----------
        y_true : array of shape (n_samples,)
        y_prob : array of shape (n_samples,)
            Risks of the positive class.
        kind : "calibration" or "decision curve", optional
            By default both.
        pos_label : object, optional
            The positive class; by default the second of two.
        name : str, optional
        ax : matplotlib Axes, or one for each kind, optional
        """
        truth = np.array(is_positive(y_true, pos_label), np.bool_)
        return cls(y_true=truth, y_prob=np.asarray(y_prob, np.float64), name=name).plot(kind, ax=ax)

    def plot(self, kind: Kind | None = None, *, ax: Any = None) -> PSLDisplay:
        """Draw what there is, or one kind.

        Parameters
        ----------
        kind : "staircase", "calibration" or "decision curve", optional
        ax : matplotlib Axes, or one for each kind, optional
            By default axes of a new figure.
        """
        kinds = [kind] if kind else self._kinds()
        if kind and kind not in self._kinds():
            needed = "a staircase" if kind == KINDS[0] else "cases: give `X` and `y`"
            known = ", ".join(map(repr, KINDS))
            raise ScorecardError(
                f"{kind!r} needs {needed}." if kind in KINDS else f"{kind!r} is none of {known}."
            )
        # By their names: what "sans-serif" means is asked again when a figure is saved.
        with in_style({"font.family": STYLE["font.sans-serif"]}):
            self.axes_ = self._axes(kinds, ax)
            for one, axis in self.axes_.items():
                self._draw(one, axis)
        self.ax_ = next(iter(self.axes_.values()))
        self.figure_ = self.ax_.figure
        return self

    def _kinds(self) -> list[Kind]:
        there = {KINDS[0]: self.staircase, **dict.fromkeys(KINDS[1:], self.y_prob)}
        return [kind for kind in KINDS if there[kind] is not None]

    def _axes(self, kinds: Sequence[Kind], given: Any) -> Mapping[Kind, Any]:
        if given is not None:
            axes = [given] if len(kinds) == 1 and not np.iterable(given) else list(given)
            return dict(zip(kinds, axes, strict=True))
        from matplotlib import pyplot

        rows: list[Any] = [[one for one in row if one in kinds] for row in TOGETHER]
        rows = [row for row in rows if row]
        heights = [self._height() if KINDS[0] in row else 3.6 for row in rows]
        figure = pyplot.figure(figsize=(self._width(kinds), sum(heights)), layout="constrained")
        return figure.subplot_mosaic(rows, height_ratios=heights)

    def _height(self) -> float:
        return 1.0 + 0.62 * len(self.staircase.steps) if self.staircase else 0.0

    def _width(self, kinds: Sequence[Kind]) -> float:
        """Room for the boxes, or for the other pictures."""
        if self.staircase is None or KINDS[0] not in kinds:
            return 4.2 * len(kinds)
        totals = [box.total for step in self.staircase.steps for box in step.boxes]
        return max(7.0, 3.0 + 0.7 * (max(totals) - min(totals) + 1))

    def _draw(self, kind: Kind, axis: Any) -> None:
        if kind == "staircase":
            assert self.staircase is not None
            draw_staircase(axis, self.staircase)
            return
        assert self.y_prob is not None
        assert self.y_true is not None
        if kind == "calibration":
            draw_calibration(axis, bins_of(self.y_prob, self.y_true), name=self.name or "list")
        else:
            value, lower, upper = np.array(
                benefit_estimates(self.y_prob, self.y_true, THRESHOLDS)
            ).T
            axis.plot(THRESHOLDS, value, color=OUT, lw=1.4, label=self.name or "list")
            axis.fill_between(THRESHOLDS, lower, upper, color=OUT, alpha=0.13, lw=0)
            set_benefit_axis(axis, float(self.y_true.mean()))
            axis.set_ylabel("net benefit")
        axis.set_title("Calibration" if kind == "calibration" else "Decision curve")
        axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2)


def bins_of(risks: Floats, outcome: Outcomes) -> list[Bin]:
    """A point for each risk that a list gives; of many, ten groups of the same size."""
    values: NDArray[Any] = np.unique(risks)
    if values.size > MOST_RISKS:
        middles = np.unique(np.quantile(risks, np.linspace(0.1, 0.9, 9)))
    else:
        middles = (values[1:] + values[:-1]) / 2
    return calibration(risks, outcome, [0.0, *middles.tolist(), 1.0])

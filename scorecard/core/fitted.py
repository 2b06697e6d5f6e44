"""The list of whatever has one: a list, a fitted classifier, or a pipeline that ends in one.

Both are known by scikit-learn's names for what they have, so that nothing of it is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorecard.core.evidence import Fold
from scorecard.core.model import Question, ScoringList
from scorecard.errors import ListError

Model = Any
"""A `ScoringList`, a fitted `ScoringListClassifier`, or a pipeline that ends in one."""

EXPECTED = "expected a ScoringList, a fitted ScoringListClassifier or a pipeline that ends in one."


@dataclass(frozen=True)
class Parts:
    """A classifier, and the steps of a pipeline that a table goes through first, if any."""

    before: Any
    classifier: Any

    @classmethod
    def of(cls, model: Any) -> Parts:
        """A search over parameters is its best estimator."""
        model = getattr(model, "best_estimator_", model)
        if not hasattr(model, "steps"):
            return cls(None, model)
        last = model.steps[-1][1]
        before = model[:-1] if any(map(_transforms, model.steps[:-1])) else None
        return cls(before, getattr(last, "best_estimator_", last))


def list_of(model: Any) -> ScoringList:
    """The list that is printed, exported and put under limits.

    Questions behind steps that give arrays are named by `get_feature_names_out` of these steps.
    Steps that change values under their old names (scaling) are refused: what the card would ask
    for is not what the table has.

    Examples
    --------
    >>> list_of("age")
    Traceback (most recent call last):
        ...
    scorecard.errors.ListError: str came, expected a ScoringList, a fitted ScoringListClassifier \
or a pipeline that ends in one.
    """
    found = named_list(model)
    if not isinstance(model, ScoringList) and (before := Parts.of(model).before) is not None:
        _refuse_other_units(before)
    return found


def named_list(model: Model) -> ScoringList:
    """The list with the names that the steps of a pipeline give, for what they make of a table."""
    if isinstance(model, ScoringList):
        return model
    parts = Parts.of(model)
    found = getattr(parts.classifier, "scoring_list_", None)
    if not isinstance(found, ScoringList):
        came = type(parts.classifier).__name__
        not_fitted = hasattr(type(parts.classifier), "scoring_list_")
        raise ListError(
            f"this {came} is not fitted yet; call its fit(X, y) first."
            if not_fitted
            else f"{came} came, {EXPECTED}"
        )
    return _renamed(found, dict(_names(parts)))


def _transforms(step: tuple[str, Any]) -> bool:
    return step[1] is not None and step[1] != "passthrough"


def _names(parts: Parts) -> Iterator[tuple[str, str]]:
    """What the classifier calls its inputs, and what the steps before it call them."""
    has_names = hasattr(parts.classifier, "feature_names_in_")
    if parts.before is None or has_names or not hasattr(parts.before, "get_feature_names_out"):
        return
    for place, name in enumerate(parts.before.get_feature_names_out()):
        yield f"x{place}", str(name)


def _renamed(found: ScoringList, names: Mapping[str, str]) -> ScoringList:
    """The same list with other names of its inputs."""
    if all(old == new for old, new in names.items()):
        return found

    def asked(questions: tuple[Question, ...]) -> tuple[Question, ...]:
        return tuple(_renamed_question(one, names) for one in questions)

    check = found.cross_validation
    return replace(
        found,
        questions=asked(found.questions),
        seen=tuple(replace(one, input=names[one.input]) for one in found.seen),
        cross_validation=check
        and replace(
            check,
            folds=tuple(
                Fold(asked(fold.questions), fold.inside, fold.left_out) for fold in check.folds
            ),
        ),
    )


def _renamed_question(question: Question, names: Mapping[str, str]) -> Any:
    def named(one: Any) -> Any:
        name = names[one.input]
        return replace(one, input=name, label=name if one.label == one.input else one.label)

    other = question.if_unknown
    return named(replace(question, if_unknown=None if other is None else named(other)))


def _refuse_other_units(step: Any) -> None:
    for one in _leaves(step):
        if _changes_values(one):
            raise ListError(
                f"{type(one).__name__} changes values under their old names, so a cut-off would be"
                " read in another unit than it is in. A list needs no scaling: leave this step out;"
                " or give the list itself, `pipeline[-1].scoring_list_`, if these are the values"
                " that will be asked for."
            )


def _changes_values(step: Any) -> bool:
    """Whether a column has the same name and other values behind this step, as far as one sees."""
    kinds = {kind.__name__ for kind in type(step).__mro__}
    if "FunctionTransformer" in kinds:
        is_ufunc = type(step.func).__name__ == "ufunc"  # np.log of a frame keeps its names
        return is_ufunc or (step.func is not None and step.feature_names_out == "one-to-one")
    is_binned = "KBinsDiscretizer" in kinds and step.encode == "ordinal"
    return is_binned or "OneToOneFeatureMixin" in kinds


def _leaves(step: Any) -> Iterator[Any]:
    """The transformers inside pipelines, column transformers and unions."""
    parts = [
        *getattr(step, "steps", ()),
        *getattr(step, "transformers_", ()),
        *getattr(step, "transformer_list", ()),
    ]
    if not parts:
        yield step
    for part in parts:
        if not isinstance(part[1], str) and part[1] is not None:
            yield from _leaves(part[1])

"""Labels, units and the words of the card from a small TOML file.

::

    title = "Liver patients"
    outcome = "liver disease"
    rule_out = "no liver disease"

    [inputs.age]
    label = "Age"
    unit = "years"

The keys at the top are those of `About`; an input may have `label`, `unit`, `note`, and `kind`
(category, number or yes-no) where its values do not tell what it is. What it takes to have its
value is its `cost`; inputs with the same `panel` are bought together for one cost. `available` is
the share of patients in whom it can be had; at 0 it is not asked for::

    cost_unit = "min"

    [inputs.crp]
    cost = 12
    panel = "blood"
    available = 0.6
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from math import inf
from pathlib import Path
from typing import Any, get_args

from scorecard.core.model import About, Question, ScoringList
from scorecard.core.question import with_substitutes
from scorecard.errors import TableError, did_you_mean, few
from scorecard.files import read_toml
from scorecard.tables.columns import Kind

MAX_BYTES = 1_000_000
ABOUT_KEYS = tuple(one.name for one in fields(About))
OF_A_QUESTION = ("label", "unit", "cost", "panel", "note")


@dataclass(frozen=True)
class Labels:
    """What a list and its inputs are called; `of_a_table` if all its columns may have words."""

    about: About = field(default_factory=About)
    inputs: dict[str, dict[str, Any]] = field(default_factory=dict)
    of_a_table: bool = False

    def put_on(self, scoring_list: ScoringList) -> ScoringList:
        """The same list with these labels."""
        check = scoring_list.cross_validation
        if check is not None and any(
            "cost" in one or "panel" in one for one in self.inputs.values()
        ):
            priced = (self._put_on(fold.questions, ("cost", "panel")) for fold in check.folds)
            folds = zip(check.folds, priced, strict=True)
            check = replace(
                check, folds=tuple(replace(one, questions=asked) for one, asked in folds)
            )
        questions = self._put_on(scoring_list.questions, OF_A_QUESTION)
        about = _over(scoring_list.about, self.about)
        return replace(scoring_list, questions=questions, about=about, cross_validation=check)

    def doubts_about(self, scoring_list: ScoringList) -> Iterator[str]:
        """Words for columns that no question asks for, and units that are not the list's own."""
        asked = {one.input: one for one in with_substitutes(scoring_list.questions)}
        strangers = [] if self.of_a_table else [name for name in self.inputs if name not in asked]
        # An input with words of its own is not what another name was meant to be.
        nameless = [name for name in asked if name not in self.inputs]
        near = {name: get_close_matches(name, nameless, n=1) for name in strangers}
        for name, same in near.items():
            if same:
                yield f"no question of this list asks for {name!r}; did you mean {same[0]!r}?"
        others = [repr(name) for name in strangers if not near[name]]
        if others:
            told = few(others, 6)
            yield f"no question of this list asks for {told}; it asks for {few(asked, 15)}."
        for name, words in self.inputs.items():
            if name in asked and words.get("unit", "") != (
                asked[name].unit or words.get("unit", "")
            ):
                yield (
                    f"{name!r} was in {asked[name].unit!r} and is said to be in {words['unit']!r};"
                    " its cut-offs stay as they are."
                )

    def over(self, about: About) -> Labels:
        """The same above other words, which stand where these say nothing."""
        return replace(self, about=_over(about, self.about))

    @property
    def kinds(self) -> dict[str, Kind]:
        """What the inputs are, where it is said."""
        return {name: one["kind"] for name, one in self.inputs.items() if "kind" in one}

    def with_units(self, units: Mapping[str, str]) -> Labels:
        """The same with the units that the table writes; another one of the same input is refused.

        The list is applied to tables like this one, and the unit tells what may stand there.
        """
        inputs = dict(self.inputs)
        for name, unit in units.items():
            own = inputs.get(name, {}).get("unit", unit)
            if own != unit:
                raise TableError(
                    f"inputs.{name}.unit is {own!r} in the labels, but the table writes {unit!r};"
                    " write the same in both."
                )
            inputs[name] = {**inputs.get(name, {}), "unit": unit}
        return replace(self, inputs=inputs)

    def with_costs(self, costs: Mapping[str, float] | None) -> Labels:
        """The same with these costs in place of its own."""
        inputs = dict(self.inputs)
        for name, cost in (costs or {}).items():
            inputs[name] = {**inputs.get(name, {}), "cost": cost}
        return replace(self, inputs=inputs)

    def learning_settings(
        self, settings: Mapping[str, Any], inputs: Sequence[str]
    ) -> dict[str, Any]:
        """Parameters of the learner with what is said here about costs and answers to be had.

        What the settings say themselves wins. An input that is not used, because somebody has left
        it out, costs nothing.
        """
        used = {name: self.inputs[name] for name in inputs if name in self.inputs}
        costs = {name: one["cost"] for name, one in used.items() if "cost" in one}
        available = {name: one["available"] for name, one in used.items() if "available" in one}
        panels: dict[str, list[str]] = {}
        for name, one in used.items():
            if one.get("panel"):
                panels.setdefault(one["panel"], []).append(name)
        panels = {panel: members for panel, members in panels.items() if len(members) > 1}
        found = {"costs": costs, "available": available, "panels": panels}
        merged = {name: {**one, **(settings.get(name) or {})} for name, one in found.items()}
        return {**settings, **{name: one or None for name, one in merged.items()}}

    def _put_on(self, questions: Sequence[Question], keys: Sequence[str]) -> tuple[Question, ...]:
        """The questions with what is said under these keys about their inputs and substitutes."""
        found = []
        for question in questions:
            other = question.if_unknown
            if other is not None:
                words = self._of(other.input, [key for key in keys if key != "note"])
                other = replace(other, **words)
            words = self._of(question.input, keys)
            found.append(replace(question, **words, if_unknown=other))
        return tuple(found)

    def _of(self, name: str, keys: Sequence[str]) -> dict[str, Any]:
        return {key: value for key, value in self.inputs.get(name, {}).items() if key in keys}


def _over(below: About, above: About) -> About:
    said = {one.name: getattr(above, one.name) for one in fields(About)}
    return replace(below, **{name: text for name, text in said.items() if text})


def read_labels(
    path: str | os.PathLike[str],
    inputs: Sequence[str] | None = None,
    language: str | None = None,
) -> Labels:
    """Read a label file; a key or an input that is not known is refused, it may be misspelt.

    Without `inputs` every input may have words; see `Labels.doubts_about`. Of a card.toml the words
    are read, and those of a `language` above them.
    """
    name = Path(path).name
    text, content = read_toml(path, MAX_BYTES)
    if text.lstrip().startswith("{"):
        raise TableError(f"{name}: this is not TOML but JSON; write labels as in a card.toml.")
    of_a_table = "table" in content
    if language and not (of_a_table and language in content.get("words", {})):
        raise TableError(f"{name}: there are no words for {language!r}; add [words.{language}].")
    if of_a_table:
        content = words_of(content.get("words", {}), language)
    return replace(checked_labels(content, f"{name}: ", inputs), of_a_table=of_a_table)


def words_of(words: dict[str, Any], language: str | None) -> dict[str, Any]:
    """The words of a card.toml: those for all languages, and above them those of one."""
    common = {
        key: value
        for key, value in words.items()
        if key in (*ABOUT_KEYS, "inputs") or not isinstance(value, dict)
    }
    own = dict(words.get(language or "", {}))
    inputs = {**common.get("inputs", {})}
    for name, said in own.pop("inputs", {}).items():
        inputs[name] = {**inputs.get(name, {}), **said}
    return {**common, **own, "inputs": inputs}


def checked_labels(
    content: Mapping[str, Any], name: str, inputs: Sequence[str] | None = None
) -> Labels:
    """The labels in the tables of a TOML file; `name` begins each refusal."""
    about = {key: value for key, value in content.items() if key != "inputs"}
    tables = content.get("inputs", {})
    if not isinstance(tables, dict) or not all(isinstance(one, dict) for one in tables.values()):
        raise TableError(f"{name}inputs must be tables, for instance [inputs.age].")
    _check_values(name, about, dict.fromkeys(ABOUT_KEYS, TEXT))
    for input_name, labels in tables.items():
        if inputs is not None:
            _check_keys(f"{name}inputs.", [input_name], inputs)
        _check_values(f"{name}inputs.{input_name}.", labels, RULES)
    _check_panels(name, tables)
    return Labels(About(**about), tables)


def _check_panels(name: str, tables: Mapping[str, Mapping[str, Any]]) -> None:
    for panel in {one["panel"]: None for one in tables.values() if one.get("panel")}:
        members = [member for member, one in tables.items() if one.get("panel") == panel]
        if len(members) < 2:
            raise TableError(
                f"{name}inputs.{members[0]}.panel is {panel!r}, and no other input has it; a"
                " panel is bought together: name it at another input too, or leave it out."
            )
        costs = {tables[member]["cost"] for member in members if "cost" in tables[member]}
        if len(costs) > 1:
            raise TableError(
                f"{name}panel {panel!r} has the costs {', '.join(map(str, sorted(costs)))};"
                " expected one, because it is paid once."
            )


def _check_keys(place: str, given: Iterable[str], known: Iterable[str]) -> None:
    for key in given:
        if key not in known:
            hint = did_you_mean(key, known, f"expected {few(known, 15)}.")
            raise TableError(f"{place}{key} is not known; {hint}")


def _is_number(value: object, most: float) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and 0 <= value <= most and value < inf  # type: ignore[operator]


Rule = tuple[Callable[[Any], bool], str]
"""What a value has to be: as a check, and in words."""

TEXT: Rule = ((lambda value: isinstance(value, str)), "text in quotes")
RULES: Mapping[str, Rule] = {
    **dict.fromkeys(("label", "unit", "panel", "note"), TEXT),
    "cost": (lambda value: _is_number(value, inf), "a number from 0 on"),
    "available": (lambda value: _is_number(value, 1), "a share from 0 to 1"),
    "kind": (lambda value: value in get_args(Kind), f"one of {', '.join(get_args(Kind))}"),
}


def _check_values(place: str, given: Mapping[str, Any], rules: Mapping[str, Rule]) -> None:
    _check_keys(place, given, rules)
    for key, value in given.items():
        is_right, expected = rules[key]
        if not is_right(value):
            raise TableError(f"{place}{key} is {value!r}, expected {expected}.")

"""Labels, units and the words of the card from a small TOML file.

::

    title = "Liver patients"
    outcome = "liver disease"
    rule_out = "no liver disease"

    [inputs.age]
    label = "Age"
    unit = "years"

The keys at the top are those of `About`; an input may have `label`, `unit`, `cost`, `note`, and
`kind` (category, number or yes-no) where its values do not tell what it is.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

from scorecard.core.model import About, ScoringList
from scorecard.errors import TableError
from scorecard.files import read_bytes
from scorecard.tables.columns import Kind

MAX_BYTES = 1_000_000
ABOUT_KEYS = tuple(one.name for one in fields(About))
INPUT_KEYS = ("label", "unit", "cost", "note", "kind")


@dataclass(frozen=True)
class Labels:
    """What a list and its inputs are called."""

    about: About = field(default_factory=About)
    inputs: dict[str, dict[str, Any]] = field(default_factory=dict)

    def put_on(self, scoring_list: ScoringList) -> ScoringList:
        """The same list with these labels."""
        questions = tuple(
            replace(question, **self._words_for(question.input))
            for question in scoring_list.questions
        )
        return replace(
            scoring_list, questions=questions, about=_over(scoring_list.about, self.about)
        )

    def doubts_about(self, scoring_list: ScoringList) -> Iterator[str]:
        """Words for columns that no question asks for, and units that are not the list's own."""
        asked = {one.input: one for one in scoring_list.questions}
        strangers = [name for name in self.inputs if name not in asked]
        near = {name: get_close_matches(name, asked, n=1) for name in strangers}
        for name, same in near.items():
            if same:
                yield f"no question of this list asks for {name!r}; did you mean {same[0]!r}?"
        others = ", ".join(repr(name) for name in strangers if not near[name])
        if others:
            yield f"no question of this list asks for {others}; it asks for {_few(list(asked))}."
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

    def _words_for(self, name: str) -> dict[str, Any]:
        return {key: value for key, value in self.inputs.get(name, {}).items() if key != "kind"}


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
    try:
        content = tomllib.loads(read_bytes(path, MAX_BYTES).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise TableError(f"{name}: the text is not UTF-8; save it as UTF-8.") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise TableError(f"{name}: this is not TOML: {error}.") from error
    if "make" in content or "words" in content:
        content = _words_of(content.get("words", {}), language)
    return checked_labels(content, f"{name}: ", inputs)


def _words_of(words: dict[str, Any], language: str | None) -> dict[str, Any]:
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
    _check_keys(name, about, ABOUT_KEYS)
    for input_name, labels in tables.items():
        if inputs is not None:
            _check_keys(f"{name}inputs.", {input_name: labels}, inputs)
        _check_keys(f"{name}inputs.{input_name}.", labels, INPUT_KEYS)
        _check_kinds(f"{name}inputs.{input_name}.", labels, of_input=True)
    _check_kinds(name, about)
    return Labels(About(**about), tables)


def _check_keys(place: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in given:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"expected {_few(known)}."
            raise TableError(f"{place}{key} is not known; {hint}")


def _few(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 15 else f"{', '.join(names[:15])}, …"


def _check_kinds(place: str, given: Mapping[str, Any], of_input: bool = False) -> None:
    for key, value in given.items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if key == "cost" and not (is_number and 0 <= value < float("inf")):
            raise TableError(f"{place}cost is {value!r}, expected a number from 0 on.")
        if key != "cost" and not isinstance(value, str):
            raise TableError(f"{place}{key} is {value!r}, expected text in quotes.")
        if of_input and key == "kind" and value not in get_args(Kind):
            kinds = ", ".join(get_args(Kind))
            raise TableError(f"{place}kind is {value!r}, expected one of {kinds}.")

"""A card.toml for a table: what has to be asked is asked, and everything else is a comment."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorecard.cli.card_file import SECTIONS, USUAL_FORMS, forms
from scorecard.cli.new import Asker
from scorecard.cli.options import SHARE
from scorecard.documents.start_list import toml
from scorecard.errors import ListError, ScorecardError, TableError, did_you_mean
from scorecard.tables.cases import Cases, read_cases
from scorecard.tables.read_table import open_table
from scorecard.tables.suspicions import Doubt, doubts
from scorecard.words.language import languages

if TYPE_CHECKING:
    from scorecard.tables.suspicions import Remedy

WIDTH = 98
SIZED = re.compile(r"card-.*\.pdf").fullmatch
MOST_INPUTS = 60  # columns whose words are prepared


@dataclass(frozen=True)
class Answered:
    """What a person said about a table."""

    outcome: str
    positive: str | None
    columns: dict[str, list[str]]
    limits: dict[str, str]
    inputs: tuple[str, ...]
    reading: Mapping[str, Any]
    doubts: tuple[Doubt, ...] = field(default=())


def answered(
    ask: Asker, table: str, outcome: str | None, positive: str | None, reading: Mapping[str, Any]
) -> Answered:
    """Ask for the outcome, its positive value, what strange columns are, and the limits."""
    names = open_table(table, reading["encoding"], sheet=reading["sheet"]).names
    if outcome is None:
        ask.say(f"\nColumns of {Path(table).name}: {', '.join(names)}")
        outcome = ask("Outcome: the column to predict", partial(_column, names=names))
    else:
        _column(outcome, names)
    unaskable: dict[str, Doubt] = {}
    read = partial(_readable, table, outcome, reading, unaskable)
    cases, positive = _cases(ask, read, positive)
    found = tuple(doubts(cases))
    columns: dict[str, list[str]] = {"drop": list(unaskable)} if unaskable else {}
    for doubt in unaskable.values():
        ask.say("\n" + textwrap.fill(doubt.message, WIDTH))
    for doubt in found:
        for name in doubt.columns:
            said = _remedy_for(ask, doubt, name)
            if said:
                columns.setdefault(said, []).append(name)
    inputs, limits = tuple(cases.inputs.columns), _limits(ask)
    found = (*unaskable.values(), *found)
    return Answered(outcome, positive, columns, limits, inputs, reading, found)


def _column(line: str, names: Sequence[str]) -> str:
    if line in names:
        return line
    raise TableError(f"{line!r} is no column; {did_you_mean(line, names)}")


def _readable(
    table: str,
    outcome: str,
    reading: Mapping[str, Any],
    unaskable: dict[str, Doubt],
    positive: str | None,
) -> Cases:
    """The cases without columns that nobody can ask for, such as dates; these are noted."""
    while True:
        try:
            return read_cases(table, outcome, positive=positive, drop=list(unaskable), **reading)
        except TableError as error:
            if error.unaskable is None:
                raise
            name = error.unaskable
            unaskable[name] = Doubt(f"{name!r} is left out", f"{error} It is left out.", (name,))


def _cases(
    ask: Asker, read: Callable[[str | None], Cases], positive: str | None
) -> tuple[Cases, str | None]:
    """The cases, and the value of the outcome that is meant, if it has to be said."""
    try:
        return read(positive), positive
    except TableError as error:
        if positive is not None or ask.silent or "`positive=" not in str(error):
            raise
        ask.say(f"\n{str(error).partition('; ')[0]}.")

    def understood(line: str) -> tuple[Cases, str]:
        if not line:
            raise ListError("Nothing was said; this is needed.")
        try:
            return read(line), line
        except TableError as error:
            if "the positive value" in str(error):
                raise
            raise ScorecardError(str(error)) from None  # no other answer would help

    return ask("Positive: its value whose risk is learned, against all others", understood)


def _remedy_for(ask: Asker, doubt: Doubt, name: str) -> Remedy | None:
    """What a person says of a strange column; nothing is what is wiser, mostly to keep it."""
    ways = {"drop": "leave it out", "group": "it tells patients apart"}
    ways |= {"category": "it has codes", "number": "it has numbers"}
    ask.say("\n" + textwrap.fill(doubt.message, WIDTH))
    told = ", ".join(f"{one} ({ways[one]})" for one in doubt.remedies)
    nothing = "keep it as it is" if doubt.usual is None else doubt.usual

    def understood(line: str) -> Remedy | None:
        if not line:
            return doubt.usual
        if "keep".startswith(line.lower()):
            return "keep" if doubt.leaves_out else None
        for one in doubt.remedies:
            if one.startswith(line.lower()):
                return one
        raise ListError(f"{line!r} came, expected {told} or keep; nothing is to {nothing}.")

    return ask(f"{name!r}: {told} or keep (nothing: {nothing})", understood)


def _limits(ask: Asker) -> dict[str, str]:
    ask.say(
        "\nAt which risk may one stop? Nothing takes the strictest limits that the data can show."
    )
    low = ask("Rule out at a risk of at most, for instance 2%", _share)
    above = partial(_share, above=low)
    said = {
        "rule_out": low,
        "rule_in": ask("Rule in at a risk of at least, for instance 90%", above),
    }
    return {name: share for name, share in said.items() if share}


def _share(line: str, above: str = "") -> str:
    if line:
        try:
            share = SHARE.convert(line, None, None)
        except click.BadParameter as error:
            raise ListError(error.message) from None
        if above and share <= SHARE.convert(above, None, None):
            raise ListError(f"{line!r} came, expected more than {above}, at which one rules out.")
    return line


# What is written ----------------------------------------------------------------------------------


def card_text(told: Answered, table: str, target: str) -> str:
    """The text of a card.toml that says what was answered, and all else in comments."""
    place = os.path.relpath(table, Path(target).parent or ".")
    lines = [
        "# What “scorecard build” makes of a table. Lines that begin with # are the usual way;"
    ]
    lines += ["# remove the # to say something else.", ""]
    lines += [f"table = {toml(Path(place).as_posix())}", f"outcome = {toml(told.outcome)}"]
    given: dict[str, Any] = {} if told.positive is None else {"positive": told.positive}
    usual = {name: option.default for name, option in SECTIONS[""].items()}
    given |= {key: one for key, one in told.reading.items() if one and one != usual[key]}
    lines += [*_entries("", given), ""]
    for doubt in told.doubts:
        lines += _comment(doubt.message)
    columns = {key: names[0] if key == "group" else names for key, names in told.columns.items()}
    lines += [*_section("columns", columns), "", *_section("learning", {}), ""]
    lines += [*_section("limits", told.limits), "", *_words(told), "", *_make(), ""]
    return "\n".join([*lines, *_section("look", {}), "", *_section("report", {})]) + "\n"


def _section(name: str, given: dict[str, Any]) -> Iterator[str]:
    yield f"[{name}]"
    yield from _entries(name, given)


def _entries(section: str, given: dict[str, Any]) -> Iterator[str]:
    """What was said, then every other key with its usual value and what it means."""
    for key, value in given.items():
        yield f"{key} = {toml(value)}"
    for key, option in SECTIONS[section].items():
        if key in given or key == "outcome":
            continue
        yield f"# {key} = {_usual(option)}".ljust(34) + f"# {_meaning(option)}"


def _usual(option: click.Option) -> str:
    """The usual value of an option, or what one may write there."""
    default = option.default
    if option.is_flag and isinstance(option.flag_value, str):
        return toml("landscape")
    if option.is_flag:
        return toml(default is True)
    if option.multiple:
        return "[]"
    if isinstance(default, (str, int, float)) and not callable(default) and default != "":
        return toml(default)
    if isinstance(default, tuple):
        return toml(",".join(map(str, default)))
    return '""'


def _meaning(option: click.Option) -> str:
    """The first sentence of an option's help, in the words of this file."""
    if option.is_flag and isinstance(option.flag_value, str):
        return "Or portrait."
    about = re.sub(
        r" *\((?:repeatable|repeatable, in order)\)|\[default: [^]]*\]", "", option.help or ""
    )
    return textwrap.shorten(re.sub(r"--(\w)", r"\1", about), WIDTH, placeholder=" …")


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")


def _words(told: Answered) -> Iterator[str]:
    yield "[words]"
    yield '# title = ""'
    yield f"# outcome = {toml(told.outcome)}".ljust(34) + "# what the risk is the risk of"
    for name in ("population", "rule_out", "rule_in", "undecided", "source", "note"):
        yield f'# {name} = ""'
    for name in ("rule_out", "rule_in", "undecided"):
        yield f'# next_steps_{name} = ""'
    for name in told.inputs[:MOST_INPUTS]:
        yield f"# [words.inputs.{toml(name) if not _is_bare(name) else name}]"
        yield f"# label = {toml(name)}"
        yield '# unit = ""'
        yield '# note = ""'
    yield "# [words.de]".ljust(34) + "# words of one language, in the same way: title, inputs …"


def _is_bare(name: str) -> bool:
    return name.isascii() and name.replace("_", "").replace("-", "").isalnum()


def _make() -> Iterator[str]:
    yield "[make]"
    yield '# folder = "output"'
    yield f"languages = {toml(['en'])}".ljust(34) + f"# of {', '.join(languages())}"
    yield f"forms = {toml(list(USUAL_FORMS))}"
    sizes = [name.removeprefix("card-").removesuffix(".pdf") for name in forms() if SIZED(name)]
    yield from _comment(
        f"Forms are card-SIZE.pdf with SIZE {', '.join(sizes)}; sheet-a4.pdf, sheet-letter.pdf; all"
        " of these also as .html and .png; and"
        f" {', '.join(name for name in forms() if not name.startswith(('card-', 'sheet-')))}."
    )
    yield "# check_table = false".ljust(34) + "# true tries every row of the table in every form"

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Any

import click

from scorecard.cli import messages
from scorecard.cli.options import outcome_option, positive_option, reading_options
from scorecard.cli.output import claim, output_option, typed, wrote
from scorecard.errors import ScorecardError

WIDTH = 98
MOST_INPUTS = 60  # columns whose words are prepared


@click.command()
@click.argument("table", required=False, type=click.Path())
@output_option("What is written: .toml", "card.toml, without a TABLE list.toml", stream=False)
@outcome_option
@positive_option
@reading_options
def new(
    table: str | None,
    output: str | None,
    force: bool,
    outcome: str | None,
    positive: str | None,
    **reading: Any,
) -> None:
    """Write a card.toml for a table, or a list to fill in, as a file with comments.

    With a TABLE of cases: what one may say of its columns, its limits, words and forms stands there
    in comments, with what looks strange in the table. “scorecard build” makes of it what it asks
    for.

    Without a TABLE, for a score one has on paper: a short list to overwrite with its questions,
    their points, and the risk at each final total.

    \b
    Examples:
      scorecard new cases.csv --outcome disease
      scorecard new -o sore-throat.toml
    """
    from scorecard.files import templates_folder, write_text

    target = output or ("list.toml" if table is None else "card.toml")
    if Path(target).suffix.lower() != ".toml":
        raise ScorecardError(f"{target!r}: this is written as TOML; end the name in .toml.")
    claim([target], sources=[table], force=force)
    folder = templates_folder() / "new"
    if table is None:
        if outcome or positive:
            raise click.UsageError("--outcome and --positive are about a TABLE; name it first.")
        write_text(target, (folder / "list.toml").read_text(encoding="utf-8"))
        wrote(target, f"; change it, then see it with: {typed('scorecard', 'show', target)}")
        return
    told = _told(table, target, outcome, positive, reading)
    text = Template((folder / "card.toml").read_text(encoding="utf-8")).substitute(told)
    write_text(target, re.sub(r"\n{3,}", "\n\n", text))
    wrote(target, f"; look at it, then: {typed('scorecard', 'build', target)}")


def _told(
    table: str, target: str, outcome: str | None, positive: str | None, reading: Mapping[str, Any]
) -> dict[str, str]:
    """What a card.toml says of this table, by the place in the template."""
    from scorecard.documents.edit_text import toml
    from scorecard.project.card import file_kinds
    from scorecard.project.recipe import Reading, Recipe, opened
    from scorecard.tables.suspicions import doubts
    from scorecard.words.language import languages

    usual = Reading().reading
    said = {name: value for name, value in reading.items() if value not in (None, usual[name])}
    recipe = opened(Recipe(tables=(table,), outcome=outcome, positive=positive, **said))
    cases = recipe.cases()
    found = list(doubts(cases))
    dropped = [name for doubt in found if doubt.leaves_out for name in doubt.columns]
    if found:
        messages.say(f"To look at: {'; '.join(doubt.short for doubt in found)}.")
    if dropped:
        messages.say(f"Left out, until you say otherwise: {', '.join(map(repr, dropped))}.")
    place = Path(os.path.relpath(table, Path(target).parent or ".")).as_posix()
    given = {"table": place, "outcome": outcome, "positive": positive, **said}
    known = file_kinds()
    others = [name for name in known if not name.startswith("card-") or name.endswith("a6.pdf")]
    sizes = [name[5:-4] for name in known if re.fullmatch(r"card-.*\.pdf", name)]
    about_forms = (
        f"Forms are card-SIZE.pdf with SIZE {', '.join(sizes)}, also as .html and .png; and"
        f" {', '.join(others)}."
    )
    inputs = [name for name in cases.inputs.columns if name not in dropped]
    unused = (f"Column {name!r} is not used: {reason}." for name, reason in cases.dropped)
    return {
        "table": "\n".join(f"{key} = {toml(one)}" for key, one in given.items() if one is not None),
        "doubts": "\n".join(map(_comment, [*(doubt.message for doubt in found), *unused])),
        "columns": f"drop = {toml(dropped)}" if dropped else "",
        "outcome": f"# outcome = {toml(outcome)}".ljust(32) + "# what the risk is the risk of",
        "inputs": "\n".join(line for one in inputs[:MOST_INPUTS] for line in _words(one)),
        "languages": ", ".join(languages()),
        "forms": _comment(about_forms),
    }


def _comment(text: str) -> str:
    lines = textwrap.wrap(
        text, WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False
    )
    return "\n".join(lines)


def _words(name: str) -> Iterator[str]:
    from scorecard.documents.edit_text import toml, toml_key

    yield f"# [words.inputs.{toml_key(name)}]"
    yield f"# label = {toml(name)}"
    yield '# unit = ""'
    yield '# note = ""'

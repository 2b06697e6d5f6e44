from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorecard.cli import messages
from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    all_of,
    labels_option,
    language_option,
    look_options,
    policy_options,
    template_option,
)
from scorecard.cli.output import claim, format_option, named, output_option, wrote
from scorecard.errors import ScorecardError

if TYPE_CHECKING:
    from scorecard.forms.card.make import PrintedFile
    from scorecard.words.wording import Wording

FORMATS = ("pdf", "html", "png", "svg")

_PAPER = [
    click.option(
        "--size",
        help="One of credit-card, badge, a7, index, a6, a5, a4, letter; a row per case: tally,"
        " tally-letter.  [default: a6]",
    ),
    click.option(
        "--layout",
        metavar="path",
        help="Arrows to follow in place of points to add (a6, a5, a4, letter).",
    ),
    click.option("--sheet", metavar="a4|letter", help="A sheet of credit cards to cut."),
    click.option("--landscape", "orientation", flag_value="landscape", help="Lying (default)."),
    click.option("--portrait", "orientation", flag_value="portrait", help="Upright."),
    click.option("--greyscale", is_flag=True, help="As a photocopier sees it."),
]


OFTEN = {"size", "layout", "sheet", "language", "output", "kind"}
OFTEN |= {"title", "labels", "rule_out", "rule_in", "template_dir", "qr"}


@click.command(cls=GroupedCommand, often=OFTEN)
@click.argument("models", nargs=-1, required=True, type=click.Path(), metavar="MODEL…")
@output_option("The card: .pdf, .html, .png or .svg", "card-SIZE.pdf")
@click.option(
    "--out-dir",
    type=click.Path(),
    metavar="FOLDER",
    help="Write one card per list, named like the list, into this folder; it is created.",
)
@format_option(*FORMATS)
@all_of(_PAPER)
@template_option
@look_options
@click.option("--qr", metavar="URL", help="A QR code with this address.")
@click.option("--ticks", is_flag=True, help="Boxes to tick, and one for the running total.")
@policy_options
@labels_option
@language_option
def card(
    models: tuple[str, ...],
    output: str | None,
    out_dir: str | None,
    kind: str,
    force: bool,
    policy: GivenPolicy,
    **given: Any,
) -> None:
    """Print a list as a pocket card: PDF, HTML, PNG or SVG.

    Sizes: credit-card, badge, a7, index, a6, a5, a4, letter; tally and tally-letter for a sheet
    with a row per case. What does not fit is refused, with the size that would do.

    \b
    Examples:
      scorecard card model.json
      scorecard card model.json --layout path -o path.pdf
      scorecard card model.json -o sheet.pdf --size credit-card --sheet a4
      scorecard card lists/*.json --out-dir cards --language de
    """
    from scorecard.files import create_folder

    if out_dir is None:
        targets = _one_target(models, output, kind, _stem(given["sheet"], given["size"] or "a6"))
    else:
        targets = _targets_in(Path(out_dir), models, output, kind)
        create_folder(out_dir)
    claim(
        (one.name for one in targets.values()),
        sources=[*models, given["labels"], given["logo"]],
        force=force,
    )
    refusals = []
    with messages.progress_bar("Cards") as report:
        for number, (model, target) in enumerate(targets.items(), 1):
            try:
                _write_card(model, target, policy, given)
            except ScorecardError as error:
                if len(targets) == 1:
                    raise
                refusals.append(f"{model}: {error}")
            report(number, len(targets))
    if refusals:
        for refusal in refusals:
            click.echo(messages.in_option_names(refusal, card), err=True)
        raise ScorecardError(f"{len(refusals)} of {len(targets)} cards could not be made.")


def _stem(sheet: str | None, size: str) -> str:
    return f"sheet-{sheet}" if sheet else f"card-{size.removesuffix('-card')}"


@dataclass(frozen=True)
class Target:
    """The file of one card, and its kind."""

    name: str
    kind: str


def _one_target(
    models: tuple[str, ...], output: str | None, kind: str, stem: str
) -> dict[str, Target]:
    if len(models) > 1:
        raise click.UsageError(f"{len(models)} lists need --out-dir FOLDER.")
    return {models[0]: Target(*named(output, stem, kind, FORMATS))}


def _targets_in(
    folder: Path, models: tuple[str, ...], output: str | None, kind: str
) -> dict[str, Target]:
    if output is not None:
        raise click.UsageError("Say where to write: -o FILE for one card, or --out-dir FOLDER.")
    targets = {model: Target(str(folder / f"{Path(model).stem}.{kind}"), kind) for model in models}
    if len(set(targets.values())) < len(models):
        raise ScorecardError("Two of the lists have the same name; their cards would, too.")
    return targets


def _write_card(model: str, target: Target, policy: GivenPolicy, look: dict[str, Any]) -> None:
    from scorecard.api import printed_card
    from scorecard.cli.label import read_labelled, say_for_whom, say_own_words
    from scorecard.files import write_bytes
    from scorecard.words.language import language_named
    from scorecard.words.wording import Wording

    labels = look["labels"]
    scoring_list = read_labelled(model, labels)
    look = {name: value for name, value in look.items() if name != "labels"}
    printed = printed_card(scoring_list, target.kind, policy=policy.of(scoring_list), **look)
    write_bytes(target.name, printed.content)
    folder = None if look["template_dir"] is None else Path(look["template_dir"])
    language = language_named(look["language"], folder)
    _tell(target.name, printed, Wording.of(printed.staircase, language))
    say_own_words(scoring_list, labels, language)
    say_for_whom(scoring_list, look["audience"])


def _tell(target: str, printed: PrintedFile, wording: Wording) -> None:
    sides = "" if printed.page.sides == 1 else f", {printed.page.sides} sides"
    wrote(target, f": {printed.page.name}{sides}.")
    for note in filter(None, [printed.left_out, *wording.notes(printed.staircase)]):
        messages.warn(f"  {note}")

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorecard.cli.options import language_option, policy_options, turning_option
from scorecard.errors import ScorecardError
from scorecard.policy import StoppingPolicy

if TYPE_CHECKING:
    from scorecard.rendering.card import CardOptions
    from scorecard.rendering.printing import Paper, PrintedFile

FORMATS = ("pdf", "html", "png", "svg")

_LOOKS = [
    click.option("--title", default="", help="In place of the list's own title."),
    click.option("--subtitle", default="", help="A line below the title."),
    click.option("--audience", default="", help="Whom the card is for."),
    click.option("--warning", "warnings", multiple=True, help="A framed line; may be repeated."),
    click.option("--logo", type=click.Path(), help="A PNG or SVG file of plain shapes."),
    click.option("--qr", metavar="URL", help="A QR code with this address."),
    click.option("--ticks", is_flag=True, help="Boxes to tick, and one for the running total."),
    language_option,
    turning_option,
]
_PAPER = [
    click.option("--size", default="a6", show_default=True, help="For instance credit-card, a4."),
    click.option("--sheet", metavar="a4|letter", help="A sheet of credit cards to cut."),
    click.option("--landscape", "orientation", flag_value="landscape", help="Lying (default)."),
    click.option("--portrait", "orientation", flag_value="portrait", help="Upright."),
    click.option("--greyscale", is_flag=True, help="As a photocopier sees it."),
    click.option("--template-dir", type=click.Path(), help="Your own templates, tried first."),
]


def _with(options: Iterable[Callable[..., Any]]) -> Callable[[Any], Any]:
    def decorate(command: Any) -> Any:
        for option in reversed(list(options)):
            command = option(command)
        return command

    return decorate


@click.command()
@click.argument("models", nargs=-1, required=True, type=click.Path(), metavar="MODEL…")
@click.option("-o", "--output", type=click.Path(), help="The card: .pdf, .html, .png or .svg.")
@click.option("--out-dir", type=click.Path(), help="One card per list, named like the list.")
@click.option("--format", "kind", type=click.Choice(FORMATS), default="pdf", help="For --out-dir.")
@_with(_PAPER)
@_with(_LOOKS)
@policy_options
def card(
    models: tuple[str, ...],
    output: str | None,
    out_dir: str | None,
    kind: str,
    policy: StoppingPolicy,
    **given: Any,
) -> None:
    """Print a list as a pocket card: PDF, HTML, PNG or SVG.

    Sizes: credit-card, badge, a7, index, a6, a5, a4, letter; tally and tally-letter for a sheet
    with a row per case. What does not fit is refused, with the size that would do.

    \b
    Examples:
      scorecard card model.json -o card.pdf
      scorecard card model.json -o sheet.pdf --size credit-card --sheet a4
      scorecard card lists/*.json --out-dir cards --language de
    """
    from scorecard.files import create_folder

    targets = _targets(models, output, out_dir, kind)
    if out_dir is not None:
        create_folder(out_dir)
    paper, options = _paper(given), _options(given)
    refusals = []
    with _progress(list(targets.items())) as pairs:
        for model, target in pairs:
            try:
                _write_card(model, target, policy, options, paper)
            except ScorecardError as error:
                if len(targets) == 1:
                    raise
                refusals.append(f"{model}: {error}")
    if refusals:
        for refusal in refusals:
            click.echo(refusal, err=True)
        raise ScorecardError(f"{len(refusals)} of {len(targets)} cards could not be made.")


def _targets(
    models: tuple[str, ...], output: str | None, out_dir: str | None, kind: str
) -> dict[str, Path]:
    if (output is None) == (out_dir is None):
        raise click.UsageError("Say where to write: -o FILE for one card, or --out-dir FOLDER.")
    if output is not None:
        if len(models) > 1:
            raise click.UsageError(f"{len(models)} lists need --out-dir, not -o.")
        return {models[0]: Path(output)}
    targets = {model: Path(str(out_dir)) / f"{Path(model).stem}.{kind}" for model in models}
    if len(set(targets.values())) < len(models):
        raise ScorecardError("Two of the lists have the same name; their cards would, too.")
    return targets


def _paper(given: dict[str, Any]) -> Paper:
    from scorecard.rendering.printing import Paper

    folder, sheet = given["template_dir"], given["sheet"]
    return Paper(
        size=given["size"] if sheet is None or given["size"] != "a6" else "credit-card",
        orientation=given["orientation"],
        sheet=sheet,
        greyscale=given["greyscale"],
        template_dir=None if folder is None else Path(folder),
    )


def _options(given: dict[str, Any]) -> CardOptions:
    from scorecard.rendering.card import CardOptions
    from scorecard.rendering.pictures import logo_from, qr_code

    language = given["language"]
    return CardOptions(
        title=given["title"],
        subtitle=given["subtitle"],
        audience=given["audience"],
        warnings=given["warnings"],
        language=language,
        logo=None if given["logo"] is None else logo_from(given["logo"]),
        qr=None if given["qr"] is None else qr_code(given["qr"], language),
        ticks=given["ticks"],
        as_learned=not given["positive_points"],
    )


def _write_card(
    model: str, target: Path, policy: StoppingPolicy, options: CardOptions, paper: Paper
) -> None:
    from dataclasses import replace

    from scorecard.exporting.json_document import read_list, short_hash
    from scorecard.files import write_bytes
    from scorecard.rendering.formats import format_of

    make = format_of(target.name)
    scoring_list = read_list(model)
    printed = make(scoring_list, policy, replace(options, identity=short_hash(scoring_list)), paper)
    write_bytes(target, printed.content)
    _tell(target, printed)


def _tell(target: Path, printed: PrintedFile) -> None:
    from scorecard.rendering.wording import Wording

    staircase = printed.staircase
    wording = Wording.of(staircase.scoring_list, printed.view.language)
    sides = "" if printed.page.sides == 1 else f", {printed.page.sides} sides"
    click.echo(f"{target}: {printed.page.name}{sides}")
    for note in wording.notes(staircase):
        click.echo(f"  {note}", err=True)


@contextmanager
def _progress(pairs: list[tuple[str, Path]]) -> Iterator[Iterable[tuple[str, Path]]]:
    """A bar where there is more than one card and somebody to look at it."""
    if len(pairs) == 1:
        yield pairs
    else:
        with click.progressbar(pairs, label="Cards", file=sys.stderr) as bar:
            yield bar

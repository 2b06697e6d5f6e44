"""Contact sheets to look at: every list on every paper that takes it, in colour and as a copy.

python -m tests.forms.card.contact_sheets FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.forms.card.contents import CardOptions
from scorecard.forms.card.make import Paper, card_pdf
from scorecard.forms.card.sizes import PATH_SIZES, SIZES
from scorecard.printing.finished import png_of_pdf
from scorecard.printing.refusals import NoRoomError
from tests.forms.card.printed_cards import POINT, relabelled, ward_list
from tests.forms.card.sweep import examples
from tests.lists import counted

PAPERS = [Paper(size) for size in SIZES] + [Paper(size, layout="path") for size in PATH_SIZES]

ROOM = (1500, 1500)  # pixels of a sheet
SMALL = ("credit-card", "badge", "a7", "index", "a6")
LONG = "Systolischer Blutdruck im Liegen nach fünf Minuten Ruhe"


def lists() -> dict[str, tuple[ScoringList, StoppingPolicy | None, str]]:
    """What is worth a look, each with its limits and its language."""
    rare = counted((2, 1), {"00": (6000, 6), "01": (2000, 20), "10": (1500, 45), "11": (500, 60)})
    return {
        **{name: (one, None, "en") for name, one in examples(Path(__file__).parents[3]).items()},
        "ten-questions": (ward_list(10), POINT, "en"),
        "german": (relabelled(ward_list(4), label=LONG), POINT, "de"),
        "french": (ward_list(3), POINT, "fr"),
        "spanish": (ward_list(3), POINT, "es"),
        "rare": (
            replace(rare, about=ward_list(1).about),
            replace(POINT, rule_out=0.002, rule_in=0.1),
            "en",
        ),
        "nobody": (ward_list(4), replace(POINT, rule_out=0.001, rule_in=0.999, by="group"), "en"),
    }


def pictures(asked: tuple[ScoringList, StoppingPolicy | None, str]) -> dict[str, Image.Image]:
    """The card on each paper; what is refused is a line of text."""
    scoring_list, policy, language = asked
    found = {}
    for paper in PAPERS:
        name = f"{paper.size} {paper.layout}"
        dots = 110 if paper.size in SMALL else 70 if paper.size == "a5" else 50
        try:
            file = card_pdf(scoring_list, policy, CardOptions(language=language), paper)
        except NoRoomError as error:
            found[f"{name}: {error}"] = Image.new("RGB", (600, 1), "white")
            continue
        picture = Image.open(BytesIO(png_of_pdf(file.content, dots)))
        found[f"{name}, {file.page.density}"] = picture.convert("RGB")
    return found


def sheets(found: dict[str, Image.Image]) -> Iterator[Image.Image]:
    """The pictures in rows, each with its name above it, on as many sheets as they need."""
    paper, left, top, tallest = _empty(), 10, 10, 0
    for name, picture in found.items():
        if left > 10 and left + picture.width > ROOM[0] - 10:
            left, top, tallest = 10, top + tallest + 30, 0
        if top > 10 and top + picture.height > ROOM[1] - 20:
            yield paper
            paper, left, top, tallest = _empty(), 10, 10, 0
        ImageDraw.Draw(paper).text((left, top), name, fill="black")
        paper.paste(picture, (left, top + 16))
        left, tallest = left + picture.width + 12, max(tallest, picture.height)
    yield paper


def _empty() -> Image.Image:
    return Image.new("RGB", ROOM, (0xD8, 0xD8, 0xD8))


def _copied(picture: Image.Image) -> Image.Image:
    return picture.convert("L").point(lambda level: 255 * (level > 127))


def main(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, asked in lists().items():
        if not names or name in names:
            found = pictures(asked)
            for number, paper in enumerate(sheets(found), 1):
                paper.save(folder / f"{name}-{number}-colour.png")
                _copied(paper).save(folder / f"{name}-{number}-copy.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

"""Files that nobody changed, of every form, in every size and language, with all options.

`python -m tests.benchmarks.untouched 200 7` makes and checks 200 of them, dealt by the seed 7, and
prints which were accused: none may be. Every fifth is checked by a process of its own, as a user
would: what is drawn otherwise next time, because a set came in another order, is found there.
"""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from scorecard import ScoringListClassifier, check, export, make_card, make_handout
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import dumps, read_list
from scorecard.errors import ScorecardError
from scorecard.forms import FORMS
from scorecard.forms.card.sizes import PATH_SIZES, SHEETS, SIZES
from scorecard.words.language import languages
from tests.benchmarks import falsifications
from tests.forms.compared import EXPORTS
from tests.lists import MARBURG, SHARPENED, TABLE_1, counted
from tests.test_reader import random_list

ROOT = Path(__file__).parents[2]
ALONE = 5  # one file in so many is checked by a process of its own
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6"><path d="M0 0h9v6z"/></svg>'
WORDS = """[words]
"of" = "{number} / {per}"
"""
LINE = """{% extends "default:card/staircase.html.j2" %}
{% block header %}{{ super() }}<p class="small">Room 3</p>{% endblock %}"""

T = TypeVar("T")
Options = dict[str, Any]


@dataclass(frozen=True)
class Made:
    """A file, the list it was made from, and how."""

    scoring_list: ScoringList
    name: str
    content: bytes
    how: Options


# Lists --------------------------------------------------------------------------------------------


def learned(cases: int, rarity: float, missing: float, seed: int) -> ScoringList:
    """From a laboratory value that some do not have, and a quick test that nearly tells it."""
    chance = random.Random(seed)
    rows, ill = [], []
    for _ in range(cases):
        severity = chance.gauss(0, 1)
        value = round(100 + 30 * (severity + chance.gauss(0, 0.1)))
        rows.append(
            {
                "laboratory": None if chance.random() < missing else value,
                "quick_test": round(50 + 10 * (severity + chance.gauss(0, 0.4)), 1),
                "age": chance.randint(18, 90),
            }
        )
        ill.append(chance.random() < 1 / (1 + math.exp(rarity - 3 * severity)))
    found = ScoringListClassifier().fit(pl.DataFrame(rows), ill).scoring_list_
    return replace(found, about=replace(found.about, title="Ill?", outcome="illness"))


def under(scoring_list: ScoringList, rule_out: float, rule_in: float) -> ScoringList:
    """The list with limits of its own, kept by the risks as they are."""
    return replace(scoring_list, policy=StoppingPolicy(rule_out, rule_in, by="point", min_cases=0))


def lists(seed: int) -> dict[str, ScoringList]:
    """By what is special about them; those of chance may have anything."""
    published = {path.stem: read_list(path) for path in ROOT.glob("examples/published/*.toml")}
    flat = counted((1, 1), {"00": (40, 15), "01": (40, 17), "10": (40, 18), "11": (40, 20)})
    found = {
        "all texts": replace(falsifications.LIST, policy=falsifications.POLICY),
        "negative points": under(TABLE_1, 0.1, 0.9),
        "last stage only": under(MARBURG, 0.05, 0.2),
        "repeated inputs": under(SHARPENED, 0.1, 0.7),
        "no stop": under(flat, 0.01, 0.99),
        "demo": read_list(ROOT / "output" / "model.json"),
        "substitutes": learned(800, 0, 0.08, 1),
        "rare": learned(4000, 7, 0, 2),
    }
    by_chance = {f"chance {n}": under(random_list(random.Random(n)), 0.2, 0.6) for n in range(40)}
    usable = {name: one for name, one in (published | found | by_chance).items() if _stands(one)}
    chosen = [name for name in usable if name.startswith("chance")]
    left_out = set(chosen) - set(random.Random(seed).sample(chosen, 6))
    return {name: one for name, one in usable.items() if name not in left_out}


def _stands(scoring_list: ScoringList) -> bool:
    try:
        return bool(build_staircase(scoring_list).questions)
    except ScorecardError:
        return False


# Files --------------------------------------------------------------------------------------------


def dealt(values: Sequence[T], chance: random.Random) -> Iterator[T]:
    """Without end; each comes once, in some order, before one comes again."""
    while True:
        yield from chance.sample(values, len(values))


class Maker:
    """Deals forms, papers, options, languages and lists independently of each other."""

    def __init__(self, seed: int, folder: Path) -> None:
        chance = random.Random(seed)
        own, logo = folder / "ward", folder / "logo.svg"
        (own / "card").mkdir(parents=True)
        (own / "card" / "staircase.html.j2").write_text(LINE)
        (own / "words").mkdir()
        for language in languages():
            (own / "words" / f"{language}.toml").write_text(WORDS)
        logo.write_text(LOGO)
        papers: list[Options] = [{"size": size} for size in SIZES]
        papers += [{"size": size, "layout": "path"} for size in PATH_SIZES]
        papers += [{"sheet": sheet} for sheet in SHEETS]
        papers += [
            {"size": size.name, "orientation": "portrait"} for size in SIZES.values() if size.turns
        ]
        looks: list[Options] = [
            {},
            {"title": "Another “title” & more", "subtitle": "S <b>", "audience": "all"},
            {"warnings": ["One", "Two"]},
            {"greyscale": True},
            {"ticks": True},
            {"qr": "https://example.org/x?y=1&z=2"},
            {"logo": logo},
            {"template_dir": own},
        ]
        in_handouts: list[Options] = [
            {},
            {"title": "T", "subtitle": "S", "audience": "all"},
            {"warnings": ("One", "Two"), "not_for": "pets"},
            {"logo": logo, "not_for": "under 18"},
            {"template_dir": own},
        ]
        cards = [f"card.{kind}" for kind in ("pdf", "pdf", "html")]
        forms = [
            *cards,
            *cards,
            "card.png",
            "handout.html",
            "handout.pdf",
            "model.json",
            *EXPORTS,
        ]
        self.forms, self.papers = dealt(forms, chance), dealt(papers, chance)
        self.looks, self.in_handouts = dealt(looks, chance), dealt(in_handouts, chance)
        self.language, self.sheets = dealt(languages(), chance), dealt(("a4", "letter"), chance)
        self.lists = dealt(list(lists(seed).items()), chance)

    def files(self) -> Iterator[Made]:
        """Without end; what finds no room on its paper is left out."""
        while True:
            name, scoring_list = next(self.lists)
            try:
                made = self._file(scoring_list, next(self.forms))
            except ScorecardError:
                continue
            yield replace(made, how={"list": name, **made.how})

    def _file(self, scoring_list: ScoringList, form: str) -> Made:
        language: Options = {"language": next(self.language)}
        if form == "model.json":
            return Made(scoring_list, form, dumps(scoring_list), {})
        if form in EXPORTS:
            return Made(
                scoring_list, FORMS[form].usual, export(scoring_list, form, **language), language
            )
        kind = form.partition(".")[2]
        if form.startswith("handout"):
            how = {**language, "paper": next(self.sheets), **next(self.in_handouts)}
            return Made(scoring_list, form, make_handout(scoring_list, kind, **how), how)
        how = {**language, **next(self.papers), **next(self.looks)}
        return Made(scoring_list, form, make_card(scoring_list, kind, **how), how)


# Checked ------------------------------------------------------------------------------------------


def accused(made: Made, folder: Path, alone: bool = False) -> str:
    """Why an untouched file is accused; empty if it is not."""
    path, model = folder / made.name, folder / "list.json"
    path.write_bytes(made.content)
    own = made.how.get("template_dir")
    if alone:
        model.write_bytes(dumps(made.scoring_list))
        return _told_alone(model, path, own)
    for one in check(made.scoring_list, [path], template_dir=own):
        if not one.agrees and path.suffix != ".png":
            return f"{one.form}: {one.first or one.in_part or one.not_read}"
    return ""


def _told_alone(model: Path, path: Path, own: Path | None) -> str:
    command = [sys.executable, "-m", "scorecard", "check", str(model), str(path), "--json"]
    command += ["--template-dir", str(own)] if own else []
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    try:
        files = json.loads(done.stdout)["files"]
    except ValueError:
        return done.stderr
    wrong = [one for one in files if not one["agrees"]]
    return "" if not wrong or path.suffix == ".png" else str(wrong[0])


def main() -> int:
    wanted, seed = (int(one) for one in (*sys.argv[1:], *("200", "0")[len(sys.argv) - 1 :]))
    tried: Counter[str] = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        maker = Maker(seed, Path(place))
        for number, made in zip(range(1, wanted + 1), maker.files(), strict=False):
            tried.update(
                [
                    made.name,
                    *(f"{key} {value}" for key, value in made.how.items() if "/" not in str(value)),
                ]
            )
            if why := accused(made, Path(place), alone=number % ALONE == 0):
                wrong += 1
                print(f"{number}: {made.name}, {made.how}: {why}", flush=True)
            if number % 20 == 0 or number == wanted:
                print(f"{number} untouched files, {wrong} accused", flush=True)
    print(", ".join(f"{what} {count}" for what, count in sorted(tried.items())))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())

"""Many lists on every size and sheet: each card is refused with a reason, or read back as the list.

`make sweep` prints how many of them were printed and why the others were not. The number of random
lists comes from the environment variable SWEEP_LISTS, which lists from SWEEP_SEED.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from hypothesis import strategies as st

from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import read_list
from scorecard.errors import PolicyError
from scorecard.forms.card.contents import CardOptions, card_staircase
from scorecard.forms.card.make import Paper, card_pdf
from scorecard.forms.card.read_back import cards_in_pdf
from scorecard.forms.card.read_path import path_in_pages
from scorecard.forms.card.sizes import PATH_SIZES, SHEETS, SIZES
from scorecard.printing.finished import printed_pages
from scorecard.printing.refusals import CardError, NoRoomError
from tests.forms.card.printed_cards import assert_decides_like
from tests.strategies import HOSTILE_TEXTS, plain_texts, scoring_lists

LISTS = int(os.environ.get("SWEEP_LISTS", "4"))
SEED = int(os.environ.get("SWEEP_SEED", "0"))
WRONG = "WRONG"
PAPERS = [Paper(size) for size in SIZES] + [Paper(size, layout="path") for size in PATH_SIZES]
# A sheet repeats one finished card and takes as long as ten: every tenth list is enough for it.
ON_SHEETS = [Paper("credit-card", sheet=sheet) for sheet in SHEETS]
LISTS_PER_SHEET = 10
GLYPHLESS = "🫀"
ODD_TEXTS = [
    "Schilddrüsenfunktionsuntersuchungsergebnis und Herzkranzgefäßverengungen links",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "שלום עולם",
    "+3",
    "≥ 3 – ▼",
    "1",
    "0: 5",
    "◆ 2–4: 56",
]
HOSTILE = st.sampled_from([text for text in HOSTILE_TEXTS if GLYPHLESS not in text] + ODD_TEXTS)
CLINICAL = st.sampled_from(
    ("Age", "Systolic pressure", "Known heart disease", "Pain on exertion", "mmol/l", "years")
)

ASKED = st.tuples(
    # What is learned from a table, what a person writes, and what somebody tries.
    scoring_lists(2, 6, with_evidence=True, estimated=True, weighted=False, text=CLINICAL)
    | scoring_lists(1, 6, text=plain_texts())
    | scoring_lists(1, 6, text=HOSTILE),
    st.builds(
        StoppingPolicy,
        st.just(0.2),
        st.just(0.7),
        by=st.sampled_from(["point", "group", "bounds"]),
        curtail=st.sampled_from(["decided", "all", "never"]),
        min_cases=st.just(0),
    ),
    st.builds(
        CardOptions,
        language=st.sampled_from(["en", "de", "fr", "es"]),
        ticks=st.booleans(),
    ),
)


def outcome(
    scoring_list: ScoringList, policy: StoppingPolicy, options: CardOptions, paper: Paper
) -> str:
    """ "printed" for a card that was read back and decides like the list, or why it was refused."""
    try:
        file = card_pdf(scoring_list, policy, options, paper)
    except (PolicyError, NoRoomError) as error:
        return _kind(error)
    pages = printed_pages(file.content)
    path = path_in_pages(pages)
    if path is not None:
        assert_decides_like(path, file)
        return "printed"
    cards = set(cards_in_pdf(pages))
    assert len(cards) == 1
    assert_decides_like(cards.pop(), file)
    return "printed"


def _kind(error: Exception) -> str:
    """The refusal without its names and numbers, to be counted."""
    text = str(error)
    assert "\n" not in text
    assert "\\x" not in text, text
    reason = re.search(r"\(((?:its|it|').*)\): use (.+)\.$", text)
    told = f"{reason[1]}: use {reason[2]}" if reason else text
    return re.sub(r"-?[0-9][0-9.e-]*", "N", re.sub(r"'[^']*'", "'…'", told))


def examples(root: Path) -> dict[str, ScoringList]:
    """The lists that come with the program."""
    paths = sorted((root / "examples" / "published").glob("*.toml"))
    return {path.stem: read_list(path) for path in (*paths, root / "output" / "model.json")}


def main() -> int:
    """Print the counts; the exit code is 1 where a card says something else than its list."""
    counts: dict[str, Counter[str]] = {}
    number = count()

    @settings(
        max_examples=LISTS,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @seed(SEED)
    @given(ASKED)
    def sweep(asked: tuple[ScoringList, StoppingPolicy, CardOptions]) -> None:
        try:
            card_staircase(*asked[:2])
        except PolicyError:
            reject()  # no card at all for this list and these limits
        papers = PAPERS + ON_SHEETS if next(number) % LISTS_PER_SHEET == 0 else PAPERS
        for name, told in _outcomes(papers, *asked):
            counts.setdefault(name, Counter())[told] += 1

    sweep()
    for name, found in counts.items():
        printed = found.pop("printed", 0)
        lines = [f"{name}: {printed} printed, {sum(found.values())} refused"]
        lines += [f"  {times:4} {reason}" for reason, times in found.most_common()]
        sys.stdout.write("\n".join(lines) + "\n")
    return int(any(reason.startswith(WRONG) for found in counts.values() for reason in found))


def _outcomes(
    papers: Sequence[Paper], scoring_list: ScoringList, policy: StoppingPolicy, options: CardOptions
) -> Iterator[tuple[str, str]]:
    alone = ""
    for paper in papers:
        name = f"{paper.size} on {paper.sheet}" if paper.sheet else paper.size
        name += " path" if paper.layout == "path" else ""
        if paper.sheet and alone != "printed":
            yield name, alone  # a card that is refused alone is refused on a sheet
            continue
        try:
            told = outcome(scoring_list, policy, options, paper)
        except (AssertionError, CardError) as error:
            told = f"{WRONG}: {error!r} {scoring_list!r} {policy!r} {options!r}"
        if paper.size == "credit-card" and not paper.sheet:
            alone = told
        yield name, told


if __name__ == "__main__":
    sys.exit(main())

import re
from dataclasses import replace
from pathlib import Path

import pytest

from scorecard import make_card
from scorecard.documents.json_document import write_list
from scorecard.forms.card.sizes import SIZES
from scorecard.printing.finished import printed_pages
from tests.cli.conftest import Run
from tests.forms.card.printed_cards import ward_list
from tests.lists import by_point

LIMITS = ("--rule-out", "10%", "--rule-in", "80%")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "pain.json"
    write_list(by_point(ward_list(3)), path)
    return path


def test_words_of_ones_own_reach_the_card(run: Run, model: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    (own / "words").mkdir(parents=True)
    (own / "words" / "fr.toml").write_text('[words]\n"card for" = "Pour : {population}"\n')
    target = tmp_path / "card.html"
    done = run("card", model, "-o", target, *LIMITS, "--template-dir", own, "--language", "fr")
    assert done.code == 0
    page = target.read_text("utf-8")
    assert 'lang="fr"' in page
    assert "Pour : " in page


@pytest.mark.parametrize("command", ["card", "handout"])
def test_words_of_the_list_in_another_language_are_named(
    run: Run, model: Path, tmp_path: Path, command: str
) -> None:
    target = tmp_path / "page.html"
    in_german = (command, model, "-o", target, "--force", *LIMITS, "--language", "de")
    told = [line for line in run(*in_german).out.splitlines() if "own words" in line]
    assert len(told) == 1
    assert "Deutsch, with the list's own words for title" in told[0]
    assert told[0].endswith("“scorecard label” puts others into the list.")
    assert "own words" not in run(*in_german[:-2]).out


@pytest.mark.parametrize("command", ["card", "handout"])
def test_a_page_for_nobody_in_particular_is_told(run: Run, tmp_path: Path, command: str) -> None:
    nobody = ward_list(3)
    model, target = tmp_path / "pain.json", tmp_path / "page.html"
    write_list(by_point(replace(nobody, about=replace(nobody.about, population=""))), model)
    asked = (command, model, "-o", target, "--force", *LIMITS)
    assert "It does not say whom it is for; --audience TEXT does.\n" in run(*asked).out
    assert "whom it is for" not in run(*asked, "--audience", "adults").out


@pytest.mark.parametrize(
    ("ending", "start"),
    [("pdf", b"%PDF"), ("html", b"<!doctype"), ("png", b"\x89PNG")],
)
def test_each_kind_of_file(run: Run, model: Path, ending: str, start: bytes) -> None:
    target = model.with_suffix(f".{ending}")
    done = run("card", model, "-o", target, *LIMITS)
    assert (done.code, done.out) == (0, f"Wrote {target}: a6, 2 sides.\n")
    assert target.read_bytes().startswith(start)


def test_options_reach_the_card(run: Run, model: Path, tmp_path: Path) -> None:
    target = tmp_path / "card.pdf"
    done = run(
        "card", model, "-o", target, *LIMITS, "--size", "a5", "--orientation", "portrait",
        "--language", "de",
        "--title", "Brust", "--audience", "alle", "--warning", "Achtung",
        "--warning", "Nicht für Kinder", "--qr", "https://example.org", "--ticks", "--greyscale",
    )  # fmt: skip
    assert done.code == 0
    text = printed_pages(target.read_bytes())[0].text
    for word in ("Brust", "alle", "Achtung", "Nicht für Kinder", "Punkte"):
        assert word in text


def test_a_sheet_is_of_credit_cards(
    run: Run, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("card", model, *LIMITS, "--sheet", "a4")
    assert done.out == "Wrote sheet-a4.pdf: credit-card, 2 sides.\n"


def test_a_refusal_writes_nothing(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    write_list(by_point(ward_list(8)), path)
    done = run("card", path, "-o", tmp_path / "x.pdf", *LIMITS, "--size", "credit-card")
    assert done.code == 1
    assert done.err.startswith("Error: 7 questions do not fit on credit-card at 7 pt")
    assert not (tmp_path / "x.pdf").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("-o", "a.docx"), "end the name in .pdf, .html, .png"),
        (("-o", "a.svg"), "end the name in .pdf, .html, .png"),
    ],
)
def test_wrong_usage(run: Run, model: Path, arguments: tuple[str, ...], complaint: str) -> None:
    done = run("card", model, *arguments)
    assert done.code == 2
    assert complaint in done.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("-o", "a.pdf", "--size", "stamp"), "not a card size"),
        (("-o", "a.pdf", "--sheet", "a3"), "not a sheet"),
        (("-o", "a.pdf", "--logo", "missing.png"), "cannot be read"),
        (("-o", "a.pdf", "--qr", "nowhere"), "http or https"),
        (("-o", "a.pdf", "--template-dir", "missing"), "not a folder"),
        (("-o", "a.pdf", "--size", "badge", "--orientation", "portrait"), "landscape only"),
    ],
)
def test_refusals(run: Run, model: Path, arguments: tuple[str, ...], complaint: str) -> None:
    done = run("card", model, *arguments, *LIMITS)
    assert done.code == 1
    assert complaint in done.err
    assert done.err.count("\n") == 1


def test_the_help_names_every_size(run: Run) -> None:
    told = "".join(run("card", "--help").out.split())  # lines are broken at hyphens too
    option = told.partition("--size")[2].partition("--layout")[0]
    for place, text in {
        "--size in cli/card.py": option,
        "make_card in api.py": make_card.__doc__ or "",
    }.items():
        missing = [size for size in SIZES if not re.search(rf"\b{size}\b", text)]
        assert not missing, f"{place} does not name {', '.join(missing)}"

"""Whoever forges a file in a way that no reader looks for is found out nevertheless."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from scorecard import check
from scorecard.api import export, make_card, make_handout
from scorecard.cli import run
from scorecard.documents.json_document import dumps
from scorecard.forms.check import Verdict
from tests.benchmarks.falsifications import LIST, LOOK, POLICY
from tests.forms import forging

FORMS: dict[str, Any] = {
    "card.pdf": lambda: make_card(LIST, "pdf", **LOOK),
    "card.html": lambda: make_card(LIST, "html", **LOOK),
    "handout.html": lambda: make_handout(LIST, "html", **LOOK),
    "evaluator.xlsx": lambda: export(LIST, "excel", policy=POLICY),
    "table.json": lambda: export(LIST, "json", policy=POLICY),
    "model.json": lambda: dumps(LIST),
    "evaluator.py": lambda: export(LIST, "python", policy=POLICY),
    "evaluator.mjs": lambda: export(LIST, "javascript", policy=POLICY),
    "evaluator.sql": lambda: export(LIST, "sql", policy=POLICY),
}
PLACE = re.compile(
    r"\b(line|byte|page) [0-9]+|[0-9] mm |![$A-Z]+[0-9]+|the (part|protection|number) |from byte"
    r"|its (title|author|subject) |sheet |occurs twice|is packed otherwise|\.[a-z]+\b|\[[0-9]+\]"
    r"|does not say how it was made|it was changed by hand|no number in JSON|byte order mark"
)


@cache
def fresh(name: str) -> bytes:
    content: bytes = FORMS[name]()
    return content


def forged(name: str) -> Iterator[tuple[str, bytes]]:
    content = fresh(name)
    if name.endswith(".pdf"):
        yield from forging.forged_pdfs(content)
    elif name.endswith(".xlsx"):
        yield from forging.forged_workbooks(content)
    elif name.endswith(".json"):
        yield from forging.forged_json(content.decode(), "questions")
    elif name.endswith(".html"):
        yield from forging.forged_markup(content.decode())
    else:
        yield "something behind its end", content + b" "
        middle = content.index(b"\n", len(content) // 2)
        yield "a space", content[:middle] + b" " + content[middle:]
        yield "a line end", content.replace(b"\n", b"\r\n", 1)


def told_of(
    name: str, files: Iterator[tuple[str, bytes]], folder: Path
) -> dict[str, list[Verdict]]:
    """What is said of each of these files, all of them checked together."""
    paths = {}
    for number, (change, content) in enumerate(files):
        assert change not in paths, change
        paths[change] = folder / f"{number}{Path(name).suffix}"
        paths[change].write_bytes(content)
    verdicts = check(LIST, paths.values(), policy=POLICY)
    return {change: [one for one in verdicts if one.path == path] for change, path in paths.items()}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", FORMS)
def test_whatever_is_forged_is_refused_with_its_place(name: str, tmp_path: Path) -> None:
    tried = 0
    for change, verdicts in told_of(name, forged(name), tmp_path).items():
        wrong = [one for one in verdicts if one.disagrees]
        assert wrong, (change, verdicts)
        assert not any(one.whole for one in verdicts)
        assert PLACE.search(wrong[0].first), (change, wrong[0].first)
        tried += 1
    assert tried >= (3 if name.startswith("evaluator") else 5)


def test_there_are_enough_forgeries() -> None:
    count = Counter(name for name in FORMS for _ in forged(name))
    assert sum(count.values()) >= 100


def test_forged_pdfs_still_open() -> None:
    """Else they would be refused as broken, and show nothing."""
    for change, content in forged("card.pdf"):
        with pypdfium2.PdfDocument(content) as document:
            assert len(document) >= 1, change


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", FORMS)
def test_a_broken_file_is_told_in_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "list.json"
    model.write_bytes(dumps(LIST))
    paths = []
    for number, (_, content) in enumerate(forging.broken(Path(name).suffix, fresh(name))):
        paths.append(tmp_path / f"{number}{Path(name).suffix}")
        paths[-1].write_bytes(content)
    limits = ["--rule-out", "8%", "--rule-in", "85%"]
    assert run(["check", str(model), *map(str, paths), *limits]) == 1
    said = capsys.readouterr()
    assert "fault of scorecard" not in said.err
    told = re.findall(r"(?m)^(\d+\.[a-z]+)[,:] ", said.out + said.err)
    assert sorted(set(told)) == sorted(path.name for path in paths)

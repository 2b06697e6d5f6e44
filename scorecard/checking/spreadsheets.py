"""Recalculate the workbook with each case put into it, with the `formulas` package."""

from __future__ import annotations

import contextlib
import io
import math
import re
import warnings
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from scorecard.checking.forms import Found, NotRunError, UnusableError, Work, names_in
from scorecard.core.model import Question
from scorecard.core.question import with_substitutes
from scorecard.core.seen import Seen, range_of
from scorecard.core.staircase import RESULT, Staircase
from scorecard.exporting.decision_table import decision_table
from scorecard.exporting.source_text import card_words
from scorecard.exporting.test_cases import Result, answers_of, is_unknown, typed
from scorecard.exporting.workbook import (
    CARD,
    FIRST_QUESTION,
    FIRST_RESULT,
    INPUT_COLUMN,
    REMARK,
    RESULT_COLUMN,
    remark_rows,
    substitute_rows,
    workbook,
)
from scorecard.words.language import languages

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
REFUSED = "look at the answers"
NEAR = 1e-14  # closer numbers are the same one to a spreadsheet
DECIMALS = 15  # that the package keeps of a number in a cell


def excel_form(path: Path, work: Work) -> Found:
    """The workbook, recalculated for every case whose numbers a spreadsheet tells apart.

    One recalculation takes long, so of the rows of a table one is tried for each pattern of
    answers; the shared cases are all tried.
    """
    questions = work.staircase.questions
    changes, names = changed_cells(path.read_bytes(), work.staircase), _names(path)
    if changes and not work.run_changed:
        return Found(faults=changes, names=names)
    rows = substitute_rows(decision_table(work.staircase))
    others = [(row, questions[place].instead) for place, row in rows.items()]
    asked = [*enumerate(questions, FIRST_QUESTION), *others]
    inputs = {one.input: row for row, one in reversed(asked) if one}
    remarks = remark_rows(decision_table(work.staircase))
    calculate = _calculator(path, list(inputs.values()), list(remarks.values()))
    found = {}
    seen = set()
    for place, vector in enumerate(work.cases):
        pattern = vector.result and tuple(answers_of(work.staircase, vector.case))
        if not vector.plain or _too_close(questions, work.staircase.scoring_list.seen, vector.case):
            continue
        if place < work.shared or pattern not in seen:
            numbers = typed(questions, vector.case)
            found[place] = _result(
                calculate([_cell(numbers[name], vector.case.get(name)) for name in inputs]),
                list(remarks),
            )
        seen.add(pattern)
    return Found(found, {}, changes, names, "15 digits")


def changed_cells(book: bytes, staircase: Staircase) -> list[str]:
    """Cells, rules for cells and sheets that are not those of the workbook of this list."""
    faults: list[str] = []
    found = contents(book)
    for language in ("", *languages()):
        words = card_words(staircase, language) if language else None
        right = contents(workbook(staircase, words))
        differing = [place for place in {**right, **found} if found.get(place) != right.get(place)]
        wrong = [
            f"{place} is {found.get(place, 'missing')} instead of {right.get(place, 'empty')}"
            for place in differing
        ]
        if not faults or len(wrong) < len(faults):
            faults = wrong
        if not wrong:
            return []
    return [f"it was changed by hand, or made for another list or limits: {faults[0]}", *faults[1:]]


def contents(book: bytes) -> dict[str, str]:
    """What the cells of a workbook hold, its sheets and the rules for what may be typed.

    Of a formula only the formula counts: its value is whatever was calculated last.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(book)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        texts = [
            "".join(one.itertext()) for one in ElementTree.fromstring(parts["xl/sharedStrings.xml"])
        ]
        found = {
            f"sheet {one.get('name')}": str(one.get("state", "shown"))
            for one in _all(parts["xl/workbook.xml"], "sheet")
        }
        names = [one.removeprefix("sheet ") for one in found]
        for number, name in enumerate(names, 1):
            found |= _sheet(parts[f"xl/worksheets/sheet{number}.xml"], name, texts)
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, IndexError, ValueError) as error:
        raise UnusableError(f"it is not a workbook: {error}") from None
    extra = [part for part in parts if re.search(r"vba|macro|externalLink|embeddings", part)]
    return found | dict.fromkeys(extra, "a part that was added")


def _sheet(content: bytes, name: str, texts: Sequence[str]) -> dict[str, str]:
    found = {}
    for cell in _all(content, "c"):
        formula, value = cell.find(f"{MAIN}f"), cell.find(f"{MAIN}v")
        if formula is not None:
            found[f"{name}!{cell.get('r')}"] = f"={formula.text}"
        elif value is not None and value.text is not None:
            text = texts[int(value.text)] if cell.get("t") == "s" else float(value.text)
            found[f"{name}!{cell.get('r')}"] = repr(text)
    for rule in _all(content, "dataValidation"):
        told = [*sorted(rule.attrib.items()), *(part.text for part in rule)]
        found[f"the rule for {name}!{rule.get('sqref')}"] = str(told)
    protected = [dict(sorted(one.attrib.items())) for one in _all(content, "sheetProtection")]
    return found | {f"the protection of {name}": str(protected)}


def _all(content: bytes, tag: str) -> Iterable[ElementTree.Element]:
    return ElementTree.fromstring(content).iter(f"{MAIN}{tag}")


def _names(path: Path) -> frozenset[str]:
    try:
        with zipfile.ZipFile(path) as book:
            return names_in(book.read("xl/sharedStrings.xml").decode())
    except (zipfile.BadZipFile, KeyError) as error:
        raise UnusableError(f"it is not a workbook: {error}") from None


def _calculator(
    path: Path, rows: Sequence[int], remarks: Sequence[int]
) -> Callable[[Sequence[object]], Sequence[object]]:
    try:
        import formulas
    except ImportError:
        raise NotRunError("the formulas package is not installed (pip install formulas)") from None
    from xlsxwriter.utility import xl_rowcol_to_cell

    def cells(column: int, rows: Iterable[int]) -> list[str]:
        sheet = f"'[{path.name}]{CARD.upper()}'"
        return [f"{sheet}!{xl_rowcol_to_cell(row, column)}" for row in rows]

    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")  # it tells of every function it does not need
        model = formulas.ExcelModel().loads(str(path)).finish(circular=False)
        run = model.compile(
            cells(INPUT_COLUMN, rows),
            cells(RESULT_COLUMN, range(FIRST_RESULT, FIRST_RESULT + len(RESULT)))
            + cells(REMARK, remarks),
        )

    def calculate(values: Sequence[object]) -> Sequence[object]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [cell.value[0, 0] for cell in run(*values)]

    return calculate


def _cell(value: float | str | None, said: str | None) -> object:
    """What is typed into a cell: a number where one is compared, else the word itself."""
    if isinstance(value, float):
        return value
    return "unknown" if said is None else said


def _too_close(
    questions: Sequence[Question], seen: Sequence[Seen], case: Mapping[str, str]
) -> bool:
    """Whether a value is so near a cut-off, or an end of a range, that 15 digits are too few."""
    for question in with_substitutes(questions):
        cutoff, value = question.condition.cutoff, case.get(question.input, "")
        if cutoff is not None and not is_unknown(question, value):
            number, range_ = float(value), range_of(seen, question)
            for edge in (cutoff, *(range_.within if range_ else ())):
                kept = round(edge, DECIMALS) == edge and number == edge
                if not kept and math.isclose(number, edge, rel_tol=NEAR, abs_tol=NEAR):
                    return True
    return False


def _result(cells: Sequence[Any], names: Sequence[str]) -> Result | None:
    """The result, and which of the inputs with these names have a remark."""
    decision, stage, total, *figures = cells[: len(RESULT)]
    said = zip(names, cells[len(RESULT) :], strict=True)
    outside = tuple(sorted(name for name, remark in said if remark != ""))
    if decision == REFUSED:
        return None
    try:
        told: list[Any] = [decision, int(stage), None if total == "" else int(total)]
        told += [None if figure == "" else float(figure) for figure in figures]
        return Result(*told, outside=outside)
    except ValueError:  # #N/A and its like
        raise UnusableError(f"its results are {list(map(str, cells))}") from None

"""A workbook that applies the list while one types: live formulas, nothing to install.

Texts of the list are written as texts only, never as formulas, and formulas refer to cells instead
of quoting them. Excel compares about 15 digits, so its answers are exact for values of up to 15.
"""

from __future__ import annotations

import zlib
from datetime import datetime
from io import BytesIO
from typing import Any

import xlsxwriter
from xlsxwriter import Workbook
from xlsxwriter.utility import xl_col_to_name, xl_range_abs, xl_rowcol_to_cell

from scorecard import __version__
from scorecard.core.staircase import FIGURES, RESULT, Staircase
from scorecard.forms.decision_table import (
    DecisionTable,
    QuestionEntry,
    SubstituteEntry,
    Words,
    decision_table,
)
from scorecard.forms.source_text import unbroken

CARD, STAIRS, WORDS = "Card", "Staircase", "Words"
SHARES = ("probability", "lower", "upper")  # shown as percentages
FIRST_RESULT = 3  # row, counted from 0
RESULT_COLUMN = INPUT_COLUMN = 2
FIRST_QUESTION = FIRST_RESULT + len(RESULT) + 5
REMARKS = FIRST_RESULT + len(RESULT)  # below the results: the row of all remarks
START = FIRST_QUESTION - 1  # the row before the first question: nothing answered yet
STAGE = 10_000  # stage × this + total names a box; totals are far smaller

# Columns behind the answer, for whoever wants to follow the sums.
CUTOFF, CODE, LOW, LOW_DOES, HIGH, HIGH_DOES = range(5, 11)
OWN_CODE = 11  # of a question with a substitute: what its own value says
# Where a number is far from all that the list has seen: the remark, from where to where it is not.
REMARK, LEAST, MOST, WHAT_TO_SAY = range(12, 16)


def _outer(end: str, one: str, other: str) -> str:
    """The end of a range over both ways of an unknown answer; empty where one has no range."""
    return f'IF(OR({one}="",{other}=""),"",{end}({one},{other}))'


def make(staircase: Staircase, words: Words | None = None) -> bytes:
    """The workbook: a card to fill in, the staircase behind it, and the words it understands."""
    table = decision_table(staircase, words)
    content = BytesIO()
    book = Workbook(content, {"in_memory": True, "strings_to_formulas": False})
    title = unbroken(table["about"].get("title", ""))[:255]
    said = (
        f"Written by scorecard {__version__} with {made_with()}, language"
        f" {table['language'] or '-'}, list {table['model'].removeprefix('sha256:')}"
    )
    # Without a date of its own the library writes the present time: other bytes at each export.
    facts = {"title": title, "comments": said, "created": datetime(1980, 1, 1)}
    book.set_properties(facts)
    _Sheets(book, table).write()
    book.close()
    return content.getvalue()


def made_with() -> str:
    """The libraries that decide the bytes of a workbook."""
    return f"XlsxWriter {xlsxwriter.__version__}, zlib {zlib.ZLIB_RUNTIME_VERSION}"


class _Sheets:
    def __init__(self, book: Any, table: DecisionTable) -> None:
        self.table = table
        self.card, self.stairs, self.words = (
            book.add_worksheet(name) for name in (CARD, STAIRS, WORDS)
        )
        self.bold = book.add_format({"bold": True})
        self.title = book.add_format({"bold": True, "font_size": 16})
        self.input = book.add_format({"locked": False, "bg_color": "#FFF2CC", "border": 1})
        self.result = book.add_format({"bold": True, "bg_color": "#DDEBF7"})
        self.percent = book.add_format({"bold": True, "bg_color": "#DDEBF7", "num_format": "0.0%"})
        self.risk = book.add_format({"num_format": "0.0%"})
        self.ranges: dict[str, str] = {}

    def write(self) -> None:
        self._write_words()
        self._write_stairs()
        self._write_card()
        for sheet in (self.card, self.stairs, self.words):
            sheet.protect()  # without a password: against slips, not against people

    def _write_words(self) -> None:
        """Every text a formula looks for, a column each."""
        answers = self.table["answers"]
        columns: dict[str, list[str]] = {
            "yes": answers["yes"],
            "no": answers["no"],
            "short yes": answers["yes_no_inputs_yes"],
            "short no": answers["yes_no_inputs_no"],
            "unknown": answers["unknown"],
        }
        for row, asked in self._asked().items():
            condition, place = asked["condition"], row - FIRST_QUESTION
            columns[f"categories {place}"] = condition["categories"]
            others = [one for one in condition["choices"] if one not in condition["categories"]]
            columns[f"others {place}"] = others
            columns[f"offered {place}"] = [*condition["categories"], *others, "unknown"]
        for column, (name, texts) in enumerate(columns.items()):
            self.words.write_string(0, column, name, self.bold)
            for row, text in enumerate(texts, 1):
                self.words.write_string(row, column, text)
            if texts:
                cells = xl_range_abs(1, column, len(texts), column)
                self.ranges[name] = f"{WORDS}!{cells}"

    def _write_stairs(self) -> None:
        for column, head in enumerate(("box", "answers", "total", "decision", *FIGURES)):
            self.stairs.write_string(0, column, head, self.bold)
        row = 0
        for step in self.table["steps"]:
            for box in step["boxes"]:
                row += 1
                self.stairs.write_number(row, 0, STAGE * step["stage"] + box["total"])
                self.stairs.write_number(row, 1, step["stage"])
                self.stairs.write_number(row, 2, box["total"])
                self.stairs.write_string(row, 3, box["decision"])
                for column, name in enumerate(FIGURES, 4):
                    look = self.risk if name in SHARES else None
                    self._write_figure(row, column, box[name], look)
        self.stairs.set_column(3, 3, 12)
        self.boxes = row

    def _write_figure(self, row: int, column: int, figure: float | None, look: Any) -> None:
        if figure is None:
            self.stairs.write_string(row, column, "")  # an empty cell would be read as 0
        else:
            self.stairs.write_number(row, column, figure, look)

    def _write_card(self) -> None:
        about, card = self.table["about"], self.card
        card.set_column(1, 1, 50)
        card.set_column(2, 3, 16)
        card.write_string(0, 0, unbroken(about.get("title", "")) or "Scoring list", self.title)
        card.write_string(1, 0, unbroken(about.get("outcome", "")))
        self._write_results()
        for column, head in enumerate(
            ("", "question", "value", "answer", "points", "cut-off", "code")
        ):
            card.write_string(START - 1, column, head, self.bold)
        for column, head in zip((LOW, LOW_DOES, HIGH, HIGH_DOES), _HEADS, strict=True):
            card.write_string(START - 1, column, head, self.bold)
        card.write_string(START, 1, "before the first question")
        for total, does in ((LOW, LOW_DOES), (HIGH, HIGH_DOES)):
            card.write_number(START, total, 0)
            card.write_string(START, does, self.table["steps"][0]["boxes"][0]["decision"])
        for place, question in enumerate(self.table["questions"]):
            self._write_question(place, question)
        substitutes = substitute_rows(self.table)
        for place, row in substitutes.items():
            self._write_substitute(place, row)
        lines = [*self.table["words"], *(note["text"] for note in self.table["notes"])]
        lines.append(f"List {self.table['model']}, {self.table['generator']}")
        for offset, line in enumerate(lines):
            row = max([self._last, *substitutes.values()]) + 2 + offset
            card.write_string(row, 1, unbroken(line))

    def _asked(self) -> dict[int, QuestionEntry | SubstituteEntry]:
        """By row what is asked there."""
        questions = self.table["questions"]
        found: dict[int, QuestionEntry | SubstituteEntry] = {
            FIRST_QUESTION + place: question for place, question in enumerate(questions)
        }
        others = substitute_rows(self.table).items()
        return found | {row: questions[place]["if_unknown"] for place, row in others}

    @property
    def _last(self) -> int:
        return START + len(self.table["questions"])

    def _write_results(self) -> None:
        low, high = (
            f"{STAGE}*{self._stage(does)}+{xl_rowcol_to_cell(self._last, total)}"
            for total, does in ((LOW, LOW_DOES), (HIGH, HIGH_DOES))
        )
        does = [xl_rowcol_to_cell(self._last, column) for column in (LOW_DOES, HIGH_DOES)]
        totals = [xl_rowcol_to_cell(self._last, column) for column in (LOW, HIGH)]
        both = {
            name: [self._looked_up(key, column) for key in (low, high)]
            for column, name in enumerate(FIGURES, 4)
        }
        same_counts = "*".join(f"({a}={b})" for a, b in (both["cases"], both["positives"]))
        formulas = {
            "decision": f'IF({does[0]}={does[1]},{does[0]},"unknown")',
            "stage": f"MAX({self._stage(LOW_DOES)},{self._stage(HIGH_DOES)})",
            "total": f'IF({totals[0]}={totals[1]},{totals[0]},"")',
            "probability": f'IF({"=".join(both["probability"])},{both["probability"][0]},"")',
            "lower": _outer("MIN", *both["lower"]),
            "upper": _outer("MAX", *both["upper"]),
            **{name: f'IF({same_counts},{both[name][0]},"")' for name in ("cases", "positives")},
        }
        problem = (
            f'SUMPRODUCT(({self._column(CODE)}="!")*1)>0' if self.table["questions"] else "FALSE"
        )
        for offset, name in enumerate(RESULT):
            row = FIRST_RESULT + offset
            shown = '"look at the answers"' if name == "decision" else '""'
            look = self.percent if name in SHARES else self.result
            self.card.write_string(row, 1, name, self.bold)
            self.card.write_formula(
                row, RESULT_COLUMN, f"=IF({problem},{shown},{formulas[name]})", look, ""
            )

        remarks = [xl_rowcol_to_cell(row, REMARK) for row in remark_rows(self.table).values()]
        if remarks:
            shown = '&" "&'.join(remarks)
            self.card.write_string(REMARKS, 1, "outside", self.bold)
            self.card.write_formula(REMARKS, RESULT_COLUMN, f"=TRIM({shown})", self.result, "")

    def _column(self, column: int, first: int = FIRST_QUESTION) -> str:
        return str(xl_range_abs(first, column, max(self._last, first), column))

    def _stage(self, does: int) -> str:
        """How many answers were needed: before each of them it said to go on."""
        until = max(self._last - 1, START)
        return f'COUNTIF({xl_range_abs(START, does, until, does)},"go on")'

    def _looked_up(self, key: str, column: int) -> str:
        letter = xl_col_to_name(column)
        keys = f"{STAIRS}!$A$2:$A${self.boxes + 1}"
        return f"INDEX({STAIRS}!${letter}$2:${letter}${self.boxes + 1},MATCH({key},{keys},0))"

    def _write_question(self, place: int, question: QuestionEntry) -> None:
        row, card = FIRST_QUESTION + place, self.card
        code = xl_rowcol_to_cell(row, CODE)
        card.write_number(row, 0, place + 1)
        card.write_string(row, 1, unbroken(question["text"]))
        card.write_number(row, 4, question["points"])
        said = self._write_input(row, question)
        other = substitute_rows(self.table).get(place)
        if other is not None:
            own = xl_rowcol_to_cell(row, OWN_CODE)
            card.write_formula(row, OWN_CODE, f"={said}", None, "")
            said = f'IF({own}="?",{xl_rowcol_to_cell(other, CODE)},{own})'
        card.write_formula(row, CODE, f"={said}", None, "")
        self._write_walk(row, code, LOW, LOW_DOES, "MIN")
        self._write_walk(row, code, HIGH, HIGH_DOES, "MAX")

    def _write_substitute(self, place: int, row: int) -> None:
        """Below the questions: what is asked where a question's own input is unknown."""
        question = self.table["questions"][place]
        text = f"{place + 1}, if unknown: {unbroken(question['if_unknown']['text'])}"
        self.card.write_string(row, 1, text)
        said = self._write_input(row, question["if_unknown"])
        self.card.write_formula(row, CODE, f"={said}", None, "")

    def _write_input(self, row: int, question: QuestionEntry | SubstituteEntry) -> str:
        """The cell to fill in, and what is read there; the formula of its code."""
        card, condition = self.card, question["condition"]
        code = xl_rowcol_to_cell(row, CODE)
        rows = [at for at, one in self._asked().items() if one["input"] == question["input"]]
        value = xl_rowcol_to_cell(rows[0], INPUT_COLUMN)
        if row == rows[0]:
            card.write_blank(row, INPUT_COLUMN, None, self.input)
            self._validate(rows)
        else:  # the same input again: its value is typed once
            card.write_formula(row, INPUT_COLUMN, f'=IF(ISBLANK({value}),"",{value})', None, "")
        shown = f'IF({code}=1,"yes",IF({code}=0,"no",IF({code}="?","unknown","not understood")))'
        card.write_formula(row, 3, f"={shown}", None, "")
        if condition["cutoff"] is not None:
            card.write_number(row, CUTOFF, condition["cutoff"])
        if remark_rows(self.table).get(question["input"]) == row:
            self._write_remark(row, question, value)
        return self._code(row, question, value)

    def _write_remark(
        self, row: int, question: QuestionEntry | SubstituteEntry, value: str
    ) -> None:
        """Beside an input what is said of a number far from all that the list has seen."""
        seen = question["seen"]
        least, most, said = (xl_rowcol_to_cell(row, at) for at in (LEAST, MOST, WHAT_TO_SAY))
        for column, edge in zip((LEAST, MOST), seen["within"], strict=True):
            self.card.write_number(row, column, edge)
        label = unbroken(question["label"])
        self.card.write_string(row, WHAT_TO_SAY, f"{label}: {unbroken(seen['remark'])}")
        beyond = f'IF(OR({value}<{least},{value}>{most}),{said},"")'
        formula = f'=IF(ISNUMBER({value}),{beyond},"")'
        self.card.write_formula(row, REMARK, formula, None, "")

    def _write_walk(self, row: int, code: str, total: int, does: int, end: str) -> None:
        before, said = (xl_rowcol_to_cell(row - 1, column) for column in (total, does))
        points = xl_rowcol_to_cell(row, 4)
        gained = f'IF({code}="?",{end}(0,{points}),IF({code}=1,{points},0))'
        self.card.write_formula(
            row, total, f'=IF({said}="go on",{before}+{gained},{before})', None, ""
        )
        key = f"{STAGE * (row - START)}+{xl_rowcol_to_cell(row, total)}"
        box = self._looked_up(key, 3)
        self.card.write_formula(row, does, f'=IF({said}="go on",{box},{said})', None, "")

    def _code(self, row: int, question: QuestionEntry | SubstituteEntry, value: str) -> str:
        """1 for yes, 0 for no, "?" for unknown, "!" for what is no answer."""
        place = row - FIRST_QUESTION
        kind = question["condition"]["kind"]
        yes, no = (0, 1) if kind in ("<", "not in", "no") else (1, 0)
        word = f'LOWER(TRIM({value}&""))'
        unknown = self._among(word, "unknown")
        if kind in ("missing", "present"):
            missing = int(kind == "missing")
            return f"IF({unknown},{missing},{1 - missing})"
        if kind in ("yes", "no"):
            # 1 or 0 with a point and any number of zeros behind it.
            zeros = f'LEN(SUBSTITUTE(MID({word},3,LEN({word})),"0",""))=0'
            short_yes, short_no = (
                f'OR({self._among(word, f"short {name}")},AND(LEFT({word},2)="{start}",{zeros}))'
                for name, start in (("yes", "1."), ("no", "0."))
            )
            return f'IF({unknown},"?",IF({short_yes},{yes},IF({short_no},{no},"!")))'
        said = f'IF({self._among(word, "yes")},1,IF({self._among(word, "no")},0,"!"))'
        if question["value_only"]:
            said = '"!"'
        if kind in (">=", "<"):
            cutoff = xl_rowcol_to_cell(row, CUTOFF)
            number = f"IF({value}>={cutoff},{yes},{no})"
            return f'IF(ISNUMBER({value}),{number},IF({unknown},"?",{said}))'
        if not question["condition"]["choices"]:
            said = f'IF(OR({self._among(word, "yes")},{self._among(word, "no")}),"!",{no})'
        found = f'IF({unknown},"?",{said})'
        # As it stands comes first, then without spaces around it.
        for text in (f"TRIM({value})", f'{value}&""'):
            for name, meaning in ((f"others {place}", no), (f"categories {place}", yes)):
                if name in self.ranges:
                    found = f"IF({self._among(text, name)},{meaning},{found})"
        # A cell left empty is unknown, even where the empty text is a category.
        return f'IF(ISBLANK({value}),"?",{found})'

    def _among(self, text: str, name: str) -> str:
        # EXACT, because MATCH and COUNTIF take * and ? for wildcards.
        return f"SUMPRODUCT(EXACT({text},{self.ranges[name]})*1)>0"

    def _validate(self, rows: list[int]) -> None:
        """Refuse in the cell of an input what none of its questions, in these rows, understands."""
        own = {FIRST_QUESTION + place for place in substitute_rows(self.table)}
        columns = [OWN_CODE if row in own else CODE for row in rows]
        cells = map(xl_rowcol_to_cell, rows, columns)
        codes = [f'{cell}<>"!"' for cell in cells]
        rule: dict[str, Any] = {"validate": "custom", "value": f"=AND({','.join(codes)})"}
        for row in rows:
            condition = self._asked()[row]["condition"]
            if condition["kind"] in ("yes", "no"):
                rule = {"validate": "list", "source": ["yes", "no", "unknown"]}
            elif condition["choices"]:
                offered = self.ranges[f"offered {row - FIRST_QUESTION}"]
                rule = {"validate": "list", "source": f"={offered}"}
        rule["error_title"] = "Not understood"
        rule["error_message"] = "Give a value, yes, no or unknown."
        rule["ignore_blank"] = True
        self.card.data_validation(rows[0], INPUT_COLUMN, rows[0], INPUT_COLUMN, rule)


def substitute_rows(table: DecisionTable) -> dict[int, int]:
    """By the place of a question the row of its substitute, below all questions."""
    questions = table["questions"]
    places = [place for place, question in enumerate(questions) if "if_unknown" in question]
    first = FIRST_QUESTION + len(questions) + 1
    return {place: first + offset for offset, place in enumerate(places)}


def remark_rows(table: DecisionTable) -> dict[str, int]:
    """By input whose numbers the list knows, the first row that asks for one."""
    asked: list[tuple[int, QuestionEntry | SubstituteEntry]] = [
        *enumerate(table["questions"], FIRST_QUESTION)
    ]
    for place, row in substitute_rows(table).items():
        asked.append((row, table["questions"][place]["if_unknown"]))
    return {one["input"]: row for row, one in reversed(asked) if "seen" in one}


_HEADS = ("lowest total", "says", "highest total", "says")

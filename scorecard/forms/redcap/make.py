"""A data dictionary for REDCap: branching asks until the list stops, calculated fields tell where.

Not run in REDCap: the tests read it by the published rules of its columns and expressions. A blank
is not a no: each answer is a field of its own first, 1, 0, 2 for unknown, or blank.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

from scorecard import __version__
from scorecard.core.model import Question
from scorecard.core.question import number_in_digits
from scorecard.core.staircase import Box, Decision, Staircase, Step
from scorecard.documents.json_document import content_hash
from scorecard.forms.decision_table import Words
from scorecard.forms.items import UNKNOWN, FormItem, items_of, own_prefix
from scorecard.words.wording import Wording

COLUMNS = (
    "Variable / Field Name",
    "Form Name",
    "Section Header",
    "Field Type",
    "Field Label",
    "Choices, Calculations, OR Slider Labels",
    "Field Note",
    "Text Validation Type OR Show Slider Number",
    "Text Validation Min",
    "Text Validation Max",
    "Identifier?",
    "Branching Logic (Show field only if...)",
    "Required Field?",
    "Custom Alignment",
    "Question Number (surveys only)",
    "Matrix Group Name",
    "Matrix Ranking?",
    "Field Annotation",
)
NAME, FORM, TYPE, LABEL, CHOICES, NOTE, VALIDATION = (COLUMNS[at] for at in (0, 1, 3, 4, 5, 6, 7))
BRANCHING, ANNOTATION = COLUMNS[11], COLUMNS[17]
NOT_RUN = "Not run in REDCap: try every branch before it is used."
CODES: dict[Decision, int] = {
    "rule out": 1,
    "rule in": 2,
    "undecided": 3,
    "go on": 4,
    "unknown": 5,
}
FIELD_NAME = re.compile(r"[a-z](?:_?[a-z0-9])*")
LONGEST_NAME = 26
STAGE, MIDDLE = 10_000, 5_000  # a box is a number: so much per stage, and the total from the middle
NOTHING = "0" * 64


def make(staircase: Staircase, words: Words | None = None) -> bytes:
    """The dictionary as CSV."""
    language = words.language if words else ""
    dictionary = _Dictionary(staircase, Wording.of(staircase, language or "en"))
    made = (
        f"Written by scorecard {__version__}, language {language or '-'},"
        f" list sha256:{content_hash(staircase.scoring_list)}, rest sha256:{NOTHING}"
    )
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for row in dictionary.rows(made):
        writer.writerow({**row, FORM: "scorecard"})
    content = stream.getvalue().encode()
    seal = sha256(content).hexdigest()
    return content.replace(f"rest sha256:{NOTHING}".encode(), f"rest sha256:{seal}".encode())


class _Dictionary:
    """A row for each field."""

    def __init__(self, staircase: Staircase, wording: Wording) -> None:
        self.staircase = staircase
        self.wording = wording
        self.items = items_of(staircase, wording)
        self.names = dict(_names(self.items.values()))
        self.prefix = own_prefix(self.items.values())
        # By input the fields that ask for it, and for which unknown input each of them does.
        self.fields: dict[str, list[str]] = {}
        self.reasons: dict[str, set[str]] = {}

    def rows(self, made: str) -> Iterator[dict[str, str]]:
        yield {NAME: "record_id", TYPE: "text", LABEL: "Record ID"}
        yield self._shown("note", NOT_RUN, "", made)
        for side in ("low", "high"):
            yield self._calculated(f"{side}0", "0")
        for number, question in enumerate(self.staircase.questions, 1):
            is_open = self._is_open(number - 1)
            yield from self._asked(question, is_open, "")
            if question.instead:
                unknown = f"{is_open} and {self._answer(question)} = 2"
                yield from self._asked(question.instead, unknown, question.input)
            yield self._calculated(f"answer{number}", self._answer_of(question))
            yield from self._totals(number, question)
        yield from self._result()

    def _own(self, name: str) -> str:
        return f"[{self.prefix}{name}]"

    def _calculated(self, name: str, calculation: str) -> dict[str, str]:
        hidden = {ANNOTATION: "@HIDDEN"}
        told = {NAME: f"{self.prefix}{name}", TYPE: "calc", LABEL: name, CHOICES: calculation}
        return told | hidden

    def _shown(self, name: str, label: str, branching: str, note: str = "") -> dict[str, str]:
        told = {NAME: f"{self.prefix}{name}", TYPE: "descriptive", LABEL: label}
        return told | {BRANCHING: branching, ANNOTATION: note}

    def _asked(self, question: Question, when: str, instead_of: str) -> Iterator[dict[str, str]]:
        """The fields of an input, unless whoever gets here has been asked for it."""
        item = self.items[question.input]
        fields = self.fields.setdefault(item.input, [])
        reasons = self.reasons.setdefault(item.input, set())
        if "" in reasons or instead_of in reasons:
            return
        name = f"{self.names[item.input]}_again{len(fields)}" if fields else self.names[item.input]
        when += "".join(f' and [{one}] = ""' for one in fields)
        fields.append(name)
        reasons.add(instead_of)
        row = {NAME: name, LABEL: _label(item.label), BRANCHING: when}
        if not item.is_number:
            choices = " | ".join(f"{code}, {label}" for code, label in _choices(item))
            yield {**row, TYPE: "radio", CHOICES: choices}
            return
        yield {**row, TYPE: "text", VALIDATION: "number", NOTE: _label(item.unit)}
        tick = {NAME: f"{name}_nk", TYPE: "checkbox", LABEL: _label(item.label)}
        choices = f"1, {self.wording.word('not known')}"
        yield {**tick, CHOICES: choices, BRANCHING: f'{when} and [{name}] = ""'}

    def _is_open(self, number: int) -> str:
        """Whether one of both ways goes on after so many answers."""
        step = self.staircase.steps[number]
        return f"({' or '.join(self._goes_on(step, side) for side in ('low', 'high'))})"

    def _goes_on(self, step: Step, side: str) -> str:
        total = self._own(f"{side}{step.number}")
        going = [box.total for box in step.boxes if not box.stops]
        ways = " or ".join(f"{total} = {one}" for one in going)
        return f'({total} <> "" and ({ways or "1 = 0"}))'

    def _answer_of(self, question: Question) -> str:
        """1, 0, 2, or blank; where it is unknown what the substitute says."""
        own, other = self._answer(question), question.instead
        return f"if({own} = 2, {self._answer(other)}, {own})" if other else own

    def _answer(self, question: Question) -> str:
        fields = self.fields[question.input]
        told = '""'
        for field in reversed(fields):
            told = self._read(question, field, told)
        return told

    def _read(self, question: Question, field: str, otherwise: str) -> str:
        """What one field says; what another one says where it is blank."""
        item, kind = self.items[question.input], question.condition.kind
        if item.is_number:
            ticked = f'[{field}_nk(1)] = "1"'
            if question.condition.is_presence:
                known, missing = ("0", "1") if kind == "missing" else ("1", "0")
                return f'if([{field}] <> "", {known}, if({ticked}, {missing}, {otherwise}))'
            yes, no = ("1", "0") if kind == ">=" else ("0", "1")
            reached = f"[{field}] >= {number_in_digits(question.condition.cutoff or 0)}"
            compared = f"if({reached}, {yes}, {no})"
            return f'if([{field}] <> "", {compared}, if({ticked}, 2, {otherwise}))'
        pairs = zip(item.choices, _choices(item), strict=True)
        codes = {choice.value: code for choice, (code, _) in pairs}
        yes = _is(field, (codes[one] for one in item.says_yes(question)))
        no = _is(field, (codes[one] for one in item.says_no(question)))
        unknown = f'if([{field}] = "{UNKNOWN}", 2, {otherwise})'
        return f"if({yes}, 1, if({no}, 0, {unknown}))"

    def _totals(self, number: int, question: Question) -> Iterator[dict[str, str]]:
        """The total after a question on both ways; blank where one does not get there."""
        step, points = self.staircase.steps[number - 1], question.points
        answer = self._own(f"answer{number}")
        for side in ("low", "high"):
            counts = (1, 2) if (points > 0) == (side == "high") else (1,)
            yes = " or ".join(f"{answer} = {one}" for one in counts)
            total = f"{self._own(f'{side}{number - 1}')} + if({yes}, {points}, 0)"
            there = f'{self._goes_on(step, side)} and {answer} <> ""'
            yield self._calculated(f"{side}{number}", f'if({there}, {total}, "")')

    def _result(self) -> Iterator[dict[str, str]]:
        boxes = [(step, box) for step in self.staircase.steps for box in step.boxes]
        for side in ("low", "high"):
            yield from self._end(side, boxes)
        low, high = self._own("lowdecision"), self._own("highdecision")
        apart = f"if({low} = 4 or {high} = 4, 4, 5)"
        yield self._calculated("decision", f"if({low} = {high}, {low}, {apart})")
        for name in ("stage", "total"):
            low, high = self._own(f"low{name}"), self._own(f"high{name}")
            otherwise = f"if({low} > {high}, {low}, {high})" if name == "stage" else '""'
            yield self._calculated(name, f"if({low} = {high}, {low}, {otherwise})")
        low, high = self._own("lowrisk"), self._own("highrisk")
        yield self._calculated("probability", f'if({low} = {high}, {low}, "")')
        yield from self._told()

    def _end(self, side: str, boxes: list[tuple[Step, Box]]) -> Iterator[dict[str, str]]:
        """Where one way ends: after how many answers, at which total, in which box."""
        stage, total = "0", "0"
        for number in range(1, len(self.staircase.steps)):
            there = f'{self._own(f"{side}{number}")} <> ""'
            stage = f"if({there}, {number}, {stage})"
            total = f"if({there}, {self._own(f'{side}{number}')}, {total})"
        yield self._calculated(f"{side}stage", stage)
        yield self._calculated(f"{side}total", total)
        place = f"{self._own(f'{side}stage')} * {STAGE} + {self._own(f'{side}total')} + {MIDDLE}"
        yield self._calculated(f"{side}box", place)
        box = self._own(f"{side}box")
        places = [(step.number * STAGE + one.total + MIDDLE, one) for step, one in boxes]
        decisions = (f"if({box} = {at}, {CODES[one.decision]}, 0)" for at, one in places)
        yield self._calculated(f"{side}decision", " + ".join(decisions))
        risks = [(at, one.risk.probability) for at, one in places if one.risk]
        known = " or ".join(f"{box} = {at}" for at, _ in risks) or "1 = 0"
        sums = " + ".join(f"if({box} = {at}, {number_in_digits(one)}, 0)" for at, one in risks)
        yield self._calculated(f"{side}risk", f'if({known}, {sums or "0"}, "")')

    def _told(self) -> Iterator[dict[str, str]]:
        """The decision as a word for whoever exports, and as the list calls it on the screen."""
        decision = self._own("decision")
        word = '""'
        for name, code in CODES.items():
            word = f'if({decision} = {code}, "{name}", {word})'
        row = {NAME: f"{self.prefix}word", TYPE: "text", LABEL: "Decision"}
        yield {**row, ANNOTATION: f"@CALCTEXT({word}) @HIDDEN"}
        for name, code in CODES.items():
            if name != "go on":
                told = _label(self.wording.told(name, self.staircase.scoring_list.about))
                yield self._shown(f"told{code}", told, f"{decision} = {code}")


def _names(items: Iterable[FormItem]) -> Iterator[tuple[str, str]]:
    """By input the name of its field: small letters, digits, single low lines, not too long."""
    for number, item in enumerate(items, 1):
        fits = FIELD_NAME.fullmatch(item.name) and len(item.name) <= LONGEST_NAME - 8
        yield item.input, item.name if fits else f"input{number}"


def _choices(item: FormItem) -> Iterator[tuple[str, str]]:
    """A code and a label for each choice; a code has letters, digits and low lines only."""
    for number, choice in enumerate(item.choices, 1):
        fits = re.fullmatch(r"[A-Za-z0-9_]+", choice.value)
        yield choice.value if fits else f"choice_{number}", _label(choice.label)


def _label(text: str) -> str:
    """A text that REDCap shows as it is: no element, no field, no formula of a spreadsheet."""
    shown = re.sub(r"[&<>\[\]|]", lambda found: f"&#{ord(found[0])};", text)
    return re.sub(r"^[=+@-]", lambda found: f"&#{ord(found[0])};", shown)


def _is(field: str, codes: Iterable[str]) -> str:
    told = " or ".join(f'[{field}] = "{one}"' for one in codes)
    return f"({told or '1 = 0'})"

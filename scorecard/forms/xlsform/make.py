"""A form for ODK and KoboToolbox: it asks until the list stops, and tells total, decision and risk.

A blank is not a no: to an XPath expression it is neither, and would count as 0. So each answer is
calculated first, as 1, 0, `u` for unknown, or nothing while the question is not answered.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

import xlsxwriter

from scorecard import __version__
from scorecard.core.model import Question
from scorecard.core.question import number_in_digits
from scorecard.core.staircase import Box, Decision, Staircase, Step
from scorecard.documents.json_document import content_hash
from scorecard.forms.decision_table import Words
from scorecard.forms.items import NO, UNKNOWN, YES, FormItem, items_of, own_prefix, stops_at
from scorecard.words.wording import Wording, printable

Row = Mapping[str, str]
SHEETS = {
    "survey": ("type", "name", "label", "hint", "relevant", "calculation"),
    "choices": ("list_name", "name", "label"),
    "settings": ("form_title", "form_id", "version"),
}
TICK = "_unknown"


def make(staircase: Staircase, words: Words | None = None) -> bytes:
    """The workbook that ODK, Kobo and pyxform read."""
    language = words.language if words else ""
    form = _Survey(staircase, Wording.of(staircase, language or "en"))
    name = content_hash(staircase.scoring_list)
    title = printable(staircase.scoring_list.about.title) or form.wording.word("list")
    sheets: dict[str, list[Row]] = {
        "survey": list(form.survey()),
        "choices": list(form.choices()),
        "settings": [
            {
                "form_title": _shown(title)[:255],
                "form_id": f"scorecard_{name[:8]}",
                "version": f"{name[:8]} {__version__}",
            }
        ],
    }
    made = (
        f"Written by scorecard {__version__} as XLSForm with {made_with()}, language"
        f" {language or '-'}, list {name}"
    )
    return _workbook(sheets, made)


def made_with() -> str:
    """The libraries that decide the bytes of a workbook."""
    return f"XlsxWriter {xlsxwriter.__version__}, zlib {zlib.ZLIB_RUNTIME_VERSION}"


def _workbook(sheets: Mapping[str, Iterable[Row]], made: str) -> bytes:
    content = io.BytesIO()
    as_text = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(content, {"in_memory": True, **as_text}) as book:
        # Without a date of its own the library writes the present time: other bytes each time.
        book.set_properties({"comments": made, "created": datetime(1980, 1, 1)})
        for name, columns in SHEETS.items():
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, columns)
            for number, row in enumerate(sheets[name], 1):
                for place, column in enumerate(columns):
                    sheet.write_string(number, place, row.get(column, ""))
    return content.getvalue()


def _shown(text: str) -> str:
    """A label that refers to no field: `${…}` is a reference wherever it stands."""
    return text.replace("${", "$ {")


class _Survey:
    """The rows of the form."""

    def __init__(self, staircase: Staircase, wording: Wording) -> None:
        self.staircase = staircase
        self.wording = wording
        self.items = items_of(staircase, wording)
        self.prefix = own_prefix(self.items.values())
        # By input the fields that ask for it; one asked for an unknown answer may be asked again.
        self.fields: dict[str, list[str]] = {}
        self.reasons: dict[str, set[str]] = {}

    def survey(self) -> Iterator[Row]:
        for side in ("low", "high"):
            yield self._calculated(f"{side}0", "0")
        for number, question in enumerate(self.staircase.questions, 1):
            yield from self._asked(question, self._is_open(number - 1), "")
            if question.instead:
                unknown = f"{self._is_open(number - 1)} and {self._answer(question)} = 'u'"
                yield from self._asked(question.instead, unknown, question.input)
            yield self._calculated(f"answer{number}", self._answer_of(question))
            yield from self._totals(number, question)
        yield from self._result()

    def choices(self) -> Iterator[Row]:
        yield {
            "list_name": f"{self.prefix}tick",
            "name": UNKNOWN,
            "label": self.wording.word("not known"),
        }
        said = {YES: self.wording.word("calc yes"), NO: self.wording.word("calc no")}
        for value, label in said.items():
            yield {"list_name": f"{self.prefix}yes_no", "name": value, "label": label}
        for item in self.items.values():
            for one in item.choices:
                label = _shown(one.label)
                yield {"list_name": f"{self.prefix}{item.name}", "name": one.value, "label": label}

    def _asked(self, question: Question, relevant: str, instead_of: str) -> Iterator[Row]:
        """The item of a question, unless whoever gets here has been asked for it."""
        item = self.items[question.input]
        fields = self.fields.setdefault(item.input, [])
        reasons = self.reasons.setdefault(item.input, set())
        if "" in reasons or instead_of in reasons:
            return
        name = f"{item.name}_again{len(fields)}" if fields else item.name
        relevant += "".join(f" and not({self._is_answered(item, one)})" for one in fields)
        fields.append(name)
        reasons.add(instead_of)
        yield from self._item(item, name, relevant)

    def _is_answered(self, item: FormItem, field: str) -> str:
        answered = f"${{{field}}} != ''"
        return f"{answered} or ${{{field}{TICK}}} != ''" if item.is_number else answered

    def _item(self, item: FormItem, name: str, relevant: str) -> Iterator[Row]:
        row = {"name": name, "relevant": relevant}
        label = _shown(item.label)
        if item.is_number:
            yield {**row, "type": "decimal", "label": label, "hint": _shown(item.unit)}
            yield {
                "type": f"select_multiple {self.prefix}tick",
                "name": name + TICK,
                "label": _shown(f"{self.wording.word('term', term=item.label)} ?"),
                "relevant": f"{relevant} and ${{{name}}} = ''",
            }
        else:
            yield {**row, "type": f"select_one {self.prefix}{item.name}", "label": label}

    def _is_open(self, number: int) -> str:
        """Whether one of both ways goes on after so many answers."""
        step = self.staircase.steps[number]
        ways = (self._goes_on(step, side) for side in ("low", "high"))
        return f"({' or '.join(ways)})"

    def _goes_on(self, step: Step, side: str) -> str:
        total = self._own(f"{side}{step.number}")
        stops = list(stops_at(step, total))
        return f"({total} != ''{''.join(f' and not({one})' for one in stops)})"

    def _answer_of(self, question: Question) -> str:
        """1, 0, u, or nothing; where it is unknown what the substitute says."""
        own, other = self._answer(question), question.instead
        return f"if({own} = 'u', {self._answer(other)}, {own})" if other else own

    def _answer(self, question: Question) -> str:
        item, kind = self.items[question.input], question.condition.kind
        fields = self.fields[question.input]
        value = f"${{{fields[0]}}}"
        for field in fields[1:]:
            value = f"coalesce({value}, ${{{field}}})"
        if not item.is_number:
            yes, no = item.says_yes(question), item.says_no(question)
            unknown = (
                "''" if question.condition.is_presence else f"if({value} = '{UNKNOWN}', 'u', '')"
            )
            return f"if({_is(value, yes)}, '1', if({_is(value, no)}, '0', {unknown}))"
        ticks = (f"selected(${{{field}{TICK}}}, '{UNKNOWN}')" for field in fields)
        ticked = f"({' or '.join(ticks)})"
        if question.condition.is_presence:
            known, missing = ("'0'", "'1'") if kind == "missing" else ("'1'", "'0'")
            return f"if({value} != '', {known}, if({ticked}, {missing}, ''))"
        yes_no = ("'1'", "'0'") if kind == ">=" else ("'0'", "'1'")
        reached = f"number({value}) >= {number_in_digits(question.condition.cutoff or 0)}"
        compared = f"if({reached}, {yes_no[0]}, {yes_no[1]})"
        return f"if({value} != '', {compared}, if({ticked}, 'u', ''))"

    def _totals(self, number: int, question: Question) -> Iterator[Row]:
        """The total after a question on both ways; nothing where one does not get there."""
        step, points = self.staircase.steps[number - 1], question.points
        answer = self._own(f"answer{number}")
        for side in ("low", "high"):
            counts = ["'1'", "'u'"] if (points > 0) == (side == "high") else ["'1'"]
            yes = " or ".join(f"{answer} = {one}" for one in counts)
            before = self._own(f"{side}{number - 1}")
            # An empty text is no number; where it might be added nothing is.
            total = f"number({before}) + if({yes}, {points}, 0)"
            gets_there = f"{self._goes_on(step, side)} and {answer} != ''"
            yield self._calculated(f"{side}{number}", f"if({gets_there}, {total}, '')")

    def _result(self) -> Iterator[Row]:
        boxes = [(step, box) for step in self.staircase.steps for box in step.boxes]
        for side in ("low", "high"):
            yield from self._end(side, boxes)
        same = f"{self._own('low_decision')} = {self._own('high_decision')}"
        is_open = " or ".join(
            f"{self._own(f'{one}_decision')} = 'go on'" for one in ("low", "high")
        )
        apart = f"if({is_open}, 'go on', 'unknown')"
        yield self._calculated("decision", f"if({same}, {self._own('low_decision')}, {apart})")
        for name in ("stage", "total", "probability"):
            low, high = self._own(f"low_{name}"), self._own(f"high_{name}")
            otherwise = f"if({low} > {high}, {low}, {high})" if name == "stage" else "''"
            yield self._calculated(name, f"if({low} = {high}, {low}, {otherwise})")
        yield from self._told()

    def _end(self, side: str, boxes: list[tuple[Step, Box]]) -> Iterator[Row]:
        """Where one way ends: after how many answers, at which total, in which box."""
        numbers = [step.number for step in reversed(self.staircase.steps)]
        stage, total = "0", "0"
        for number in reversed(numbers[:-1]):
            there = f"{self._own(f'{side}{number}')} != ''"
            stage = f"if({there}, {number}, {stage})"
            total = f"if({there}, {self._own(f'{side}{number}')}, {total})"
        yield self._calculated(f"{side}_stage", stage)
        yield self._calculated(f"{side}_total", total)
        place = f"concat({self._own(f'{side}_stage')}, ' ', {self._own(f'{side}_total')})"
        yield self._calculated(f"{side}_box", place)
        box = self._own(f"{side}_box")
        told: dict[str, list[str]] = {
            "decision": [one.decision for _, one in boxes],
            "probability": [
                number_in_digits(one.risk.probability) if one.risk else "" for _, one in boxes
            ],
        }
        for name, values in told.items():
            places = [f"{step.number} {one.total}" for step, one in boxes]
            yield self._calculated(f"{side}_{name}", _looked_up(box, places, values))

    def _told(self) -> Iterator[Row]:
        """What is shown: the total so far, and at the end the decision and the risk."""
        word, about = self.wording.word, self.staircase.scoring_list.about
        total, decision = self._own("total"), self._own("decision")
        label = f"{word('total')}: {total}"
        shown = f"{decision} = 'go on' and {total} != '' and {self._own('stage')} > 0"
        yield {"type": "note", "name": f"{self.prefix}so_far", "label": label, "relevant": shown}
        ends: tuple[Decision, ...] = ("rule out", "rule in", "undecided", "unknown")
        for name in ends:
            told = _shown(self.wording.told(name, about))
            yield {
                "type": "note",
                "name": f"{self.prefix}told_{name.replace(' ', '_')}",
                "label": f"**{told}**",
                "relevant": f"{decision} = '{name}'",
            }
        boxes = [box for step in self.staircase.steps for box in step.boxes if box.risk]
        risks = {number_in_digits(one.risk.probability): one.risk for one in boxes if one.risk}
        values = [self.wording.risk_of(one.probability) for one in risks.values()]
        probability = self._own("probability")
        yield self._calculated("risk", _looked_up(probability, list(risks), values))
        risk = self._own("risk")
        yield {
            "type": "note",
            "name": f"{self.prefix}told_risk",
            "label": f"{word('risk')}: {risk}",
            "relevant": f"{decision} != 'go on' and {risk} != ''",
        }
        # Filled in once it is known: then the submissions are a table that "evaluate" judges by.
        yield {
            "type": f"select_one {self.prefix}yes_no",
            "name": f"{self.prefix}outcome",
            "label": _shown(printable(about.outcome) or word("outcome")),
            "relevant": f"{decision} != 'go on'",
        }

    def _own(self, name: str) -> str:
        return f"${{{self.prefix}{name}}}"

    def _calculated(self, name: str, calculation: str) -> Row:
        return {"type": "calculate", "name": f"{self.prefix}{name}", "calculation": calculation}


def _looked_up(value: str, keys: list[str], values: list[str]) -> str:
    """The text beside a key; one condition after the other, as deep nesting is refused."""
    pairs = zip(keys, values, strict=True)
    found = [f"if({value} = '{key}', '{one}', '')" for key, one in pairs if one]
    return f"concat({', '.join([*found, repr('')])})"


def _is(value: str, wanted: Iterable[str]) -> str:
    told = [f"{value} = '{one}'" for one in wanted]
    return f"({' or '.join(told)})" if told else "false()"

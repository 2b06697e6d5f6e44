"""A FHIR R4 Questionnaire that asks until the list stops, by the SDC guide's expressions.

A blank is not a no: an expression over nothing is nothing, and would end in the other branch of a
condition. So each answer is a variable first: '1', '0', 'u' for unknown, or '' while not answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from scorecard import __version__
from scorecard.core.model import Question
from scorecard.core.question import number_in_digits
from scorecard.core.staircase import Box, Decision, Staircase, Step
from scorecard.documents.json_document import content_hash
from scorecard.forms.decision_table import Words
from scorecard.forms.items import UNKNOWN, FormItem, items_of, own_prefix, stops_at
from scorecard.forms.source_text import sealed_resource
from scorecard.words.wording import Wording, printable

HL7 = "http://hl7.org/fhir/StructureDefinition"
SDC = "http://hl7.org/fhir/uv/sdc/StructureDefinition"
TICK = "-unknown"
RESULTS = {
    "decision": "string",
    "stage": "integer",
    "total": "integer",
    "probability": "decimal",
    "risk": "string",
}
# What is usually written, in the Unified Code for Units of Measure; others are shown only.
UCUM = {
    **{one: one for one in ("%", "kg", "g", "mg", "cm", "mm", "h", "min", "s", "m", "mm/h", "U/L")},
    "years": "a",
    "Jahre": "a",
    "ans": "a",
    "años": "a",
    "months": "mo",
    "weeks": "wk",
    "days": "d",
    "hours": "h",
    "minutes": "min",
    "/min": "/min",
    "1/min": "/min",
    "mg/l": "mg/L",
    "mg/L": "mg/L",
    "mg/dl": "mg/dL",
    "mg/dL": "mg/dL",
    "g/dl": "g/dL",
    "g/dL": "g/dL",
    "g/l": "g/L",
    "g/L": "g/L",
    "mmol/l": "mmol/L",
    "mmol/L": "mmol/L",
    "µmol/l": "umol/L",
    "µmol/L": "umol/L",
    "µm": "um",
    "µg/l": "ug/L",
    "ng/ml": "ng/mL",
    "°C": "Cel",
    "mmHg": "mm[Hg]",
    "mm Hg": "mm[Hg]",
    "kg/m²": "kg/m2",
    "kg/m2": "kg/m2",
    "U/l": "U/L",
    "IU/l": "[IU]/L",
    "IU/L": "[IU]/L",
    "kPa": "kPa",
    "cmH2O": "cm[H2O]",
}


Field = dict[str, Any]


def make(staircase: Staircase, words: Words | None = None) -> bytes:
    """The Questionnaire as JSON."""
    language = words.language if words else ""
    wording = Wording.of(staircase, language or "en")
    name = content_hash(staircase.scoring_list)
    form = _Questionnaire(staircase, wording, f"urn:scorecard:{name[:8]}")
    items = list(form.asked())
    resource = {
        "resourceType": "Questionnaire",
        "language": language or "en",
        "extension": [_expression(f"{HL7}/variable", *one) for one in form.variables],
        "url": f"urn:scorecard:{name}",
        "identifier": [{"system": "urn:scorecard:list", "value": f"sha256:{name}"}],
        "version": __version__,
        "name": f"ScoringList_{name[:8]}",
        "title": printable(staircase.scoring_list.about.title) or wording.word("list"),
        "status": "draft",
        "subjectType": ["Patient"],
        "publisher": f"Written by scorecard {__version__}, language {language or '-'}",
        "item": [*items, *form.results(), *form.told()],
    }
    return sealed_resource(resource)


def _expression(url: str, expression: str, name: str = "") -> dict[str, Any]:
    named = {"name": name} if name else {}
    value = {**named, "language": "text/fhirpath", "expression": expression}
    return {"url": url, "valueExpression": value}


class _Questionnaire:
    """Items, and the variables of their expressions, in the order in which they are needed."""

    def __init__(self, staircase: Staircase, wording: Wording, system: str) -> None:
        self.staircase = staircase
        self.wording = wording
        self.system = system
        self.items = items_of(staircase, wording)
        self.prefix = own_prefix(self.items.values())
        self.variables: list[tuple[str, str]] = []
        # By input why it may be asked, as conditions: several questions may need it.
        self.reasons: dict[str, list[str]] = {}

    def asked(self) -> list[dict[str, Any]]:
        self._set("low0", "0")
        self._set("high0", "0")
        found: list[dict[str, Any]] = []
        for number, question in enumerate(self.staircase.questions, 1):
            self._set(f"open{number}", f"iif({self._is_open(number - 1)}, true, false)")
            found += self._item(question, f"open{number}", "")
            self._set(f"own{number}", self._answer(question))
            if question.instead:
                unknown = f"iif(%open{number} and %own{number} = 'u', true, false)"
                self._set(f"instead{number}", unknown)
                found += self._item(question.instead, f"instead{number}", question.input)
                other = self._answer(question.instead)
                self._set(f"answer{number}", f"iif(%own{number} = 'u', {other}, %own{number})")
            else:
                self._set(f"answer{number}", f"%own{number}")
            self._add_totals(number, question)
        self._add_result()
        return found

    def results(self) -> Iterator[dict[str, Any]]:
        """What is calculated: the first four for programs, the decision and the risk for people."""
        texts = {name: self.wording.word(name) for name in ("risk", "total")}
        for name, kind in RESULTS.items():
            hidden = [] if name in texts else [_hidden()]
            yield {
                "extension": [*hidden, _expression(f"{SDC}/{CALCULATED}", f"%{name}")],
                "linkId": f"{self.prefix}{name}",
                "text": texts.get(name, name),
                "type": kind,
                "readOnly": True,
            }

    def told(self) -> Iterator[Field]:
        """The words of the decision: one of them is shown."""
        ends: tuple[Decision, ...] = ("rule out", "rule in", "undecided", "unknown")
        for name in ends:
            question = f"{self.prefix}decision"
            yield {
                "linkId": f"{self.prefix}told-{name.replace(' ', '-')}",
                "text": self.wording.told(name, self.staircase.scoring_list.about),
                "type": "display",
                "enableWhen": [{"question": question, "operator": "=", "answerString": name}],
            }

    def _set(self, name: str, expression: str) -> None:
        self.variables.append((expression, name))

    def _item(
        self, question: Question, condition: str, instead_of: str
    ) -> Iterator[dict[str, Any]]:
        """The item of a question, behind a hidden one that says whether it is asked."""
        item = self.items[question.input]
        reasons = self.reasons.setdefault(item.input, [])
        if "" in reasons or instead_of in reasons:
            return
        again = f"-again{len(reasons)}" if reasons else ""
        link = f"{item.name}{again}"
        earlier = "".join(f" and {self._value(item, one)}.empty()" for one in self._links(item))
        reasons.append(instead_of)
        asks = f"{self.prefix}asks-{link}"
        is_asked = f"iif(%{condition}{earlier}, true, false)"
        yield {
            "extension": [
                _hidden(),
                _expression(f"{SDC}/{CALCULATED}", is_asked),
            ],
            "linkId": asks,
            "text": asks,
            "type": "boolean",
            "readOnly": True,
        }
        when = [{"question": asks, "operator": "=", "answerBoolean": True}]
        yield from self._fields(item, link, when)

    def _links(self, item: FormItem) -> list[str]:
        count = len(self.reasons.get(item.input, []))
        return [f"{item.name}-again{n}" if n else item.name for n in range(count)]

    def _fields(
        self, item: FormItem, link: str, when: list[dict[str, Any]]
    ) -> Iterator[dict[str, Any]]:
        field = {"linkId": link, "text": item.label, "enableWhen": when}
        if not item.is_number:
            options = [
                {"valueCoding": {"system": self.system, "code": one.value, "display": one.label}}
                for one in item.choices
            ]
            yield {**field, "type": "choice", "answerOption": options}
            return
        yield {**_unit(item.unit), **field, "type": "decimal"}
        blank = {"question": link, "operator": "exists", "answerBoolean": False}
        tick = self.wording.word("not known")
        text = f"{self.wording.word('term', term=item.label)} {tick}"
        both = {"enableWhen": [*when, blank], "enableBehavior": "all"}
        yield {"linkId": f"{link}{TICK}", "text": text, "type": "boolean", **both}

    def _value(self, item: FormItem, link: str) -> str:
        where = f"%resource.item.where(linkId = '{link}').answer.value"
        return where if item.is_number else f"{where}.code"

    def _is_open(self, number: int) -> str:
        """Whether one of both ways goes on after so many answers."""
        step = self.staircase.steps[number]
        return " or ".join(f"({self._goes_on(step, side)})" for side in ("low", "high"))

    def _goes_on(self, step: Step, side: str) -> str:
        total = f"%{side}{step.number}"
        stops = "".join(f" and ({one}).not()" for one in stops_at(step, total))
        return f"{total}.exists(){stops}"

    def _answer(self, question: Question) -> str:
        item, kind = self.items[question.input], question.condition.kind
        links = self._links(item)
        values = " | ".join(self._value(item, one) for one in links)
        value = f"({values}).first()"
        if not item.is_number:
            yes, no = item.says_yes(question), item.says_no(question)
            unknown = (
                "''" if question.condition.is_presence else f"iif({value} = '{UNKNOWN}', 'u', '')"
            )
            return f"iif({_is(value, yes)}, '1', iif({_is(value, no)}, '0', {unknown}))"
        ticks = " or ".join(
            f"%resource.item.where(linkId = '{one}{TICK}').answer.value = true" for one in links
        )
        if question.condition.is_presence:
            known, missing = ("'0'", "'1'") if kind == "missing" else ("'1'", "'0'")
            return f"iif({value}.exists(), {known}, iif({ticks}, {missing}, ''))"
        yes_no = ("'1'", "'0'") if kind == ">=" else ("'0'", "'1'")
        reached = f"{value} >= {number_in_digits(question.condition.cutoff or 0)}"
        compared = f"iif({reached}, {yes_no[0]}, {yes_no[1]})"
        return f"iif({value}.exists(), {compared}, iif({ticks}, 'u', ''))"

    def _add_totals(self, number: int, question: Question) -> None:
        """The total after a question on both ways; nothing where one does not get there."""
        step, points = self.staircase.steps[number - 1], question.points
        for side in ("low", "high"):
            counts = ["1", "u"] if (points > 0) == (side == "high") else ["1"]
            gained = f"iif({_is(f'%answer{number}', counts)}, {points}, 0)"
            there = f"{self._goes_on(step, side)} and %answer{number} != ''"
            self._set(f"{side}{number}", f"iif({there}, %{side}{number - 1} + {gained}, {{}})")

    def _add_result(self) -> None:
        boxes = [(step, box) for step in self.staircase.steps for box in step.boxes]
        for side in ("low", "high"):
            self._add_end(side, boxes)
        is_open = "%lowdecision = 'go on' or %highdecision = 'go on'"
        same = "%lowdecision = %highdecision"
        apart = f"iif({is_open}, 'go on', 'unknown')"
        self._set("decision", f"iif({same}, %lowdecision, {apart})")
        self._set("stage", "iif(%lowstage > %highstage, %lowstage, %highstage)")
        self._set("total", "iif(%lowtotal = %hightotal, %lowtotal, {})")
        # Compared as texts: to an engine numbers may be equal that differ by less than 1e-8.
        self._set("same", "iif(%lowrisk = %highrisk, %lowrisk, {})")
        self._set("probability", "%same.toDecimal()")
        known = [box.risk.probability for _, box in boxes if box.risk]
        risks = {number_in_digits(one): _text(self.wording.risk_of(one)) for one in known}
        shown = _looked_up("%same", risks.items())
        self._set("risk", f"iif(%decision = 'go on', {{}}, {shown})")

    def _add_end(self, side: str, boxes: list[tuple[Step, Box]]) -> None:
        """Where one way ends: after how many answers, at which total, in which box."""
        stage, total = "0", "0"
        for number in range(1, len(self.staircase.steps)):
            there = f"%{side}{number}.exists()"
            stage = f"iif({there}, {number}, {stage})"
            total = f"iif({there}, %{side}{number}, {total})"
        self._set(f"{side}stage", stage)
        self._set(f"{side}total", total)
        self._set(f"{side}box", f"%{side}stage.toString() & ' ' & %{side}total.toString()")
        places = [(f"{step.number} {box.total}", box) for step, box in boxes]
        decisions = ((place, _text(box.decision)) for place, box in places)
        risks = (
            (place, _text(number_in_digits(box.risk.probability)))
            for place, box in places
            if box.risk
        )
        self._set(f"{side}decision", _looked_up(f"%{side}box", decisions))
        self._set(f"{side}risk", _looked_up(f"%{side}box", risks))


CALCULATED = "sdc-questionnaire-calculatedExpression"


def _hidden() -> dict[str, Any]:
    return {"url": f"{HL7}/questionnaire-hidden", "valueBoolean": True}


def _unit(unit: str) -> dict[str, Any]:
    if not unit:
        return {}
    coded = {"system": "http://unitsofmeasure.org", "code": UCUM[unit]} if unit in UCUM else {}
    coding = {**coded, "display": unit}
    return {"extension": [{"url": f"{HL7}/questionnaire-unit", "valueCoding": coding}]}


def _text(value: str) -> str:
    """A literal of FHIRPath, of words of this program only: engines differ in what they escape."""
    return "'" + value.replace("'", "’") + "'"


def _is(value: str, wanted: Iterable[str]) -> str:
    return " or ".join(f"{value} = '{one}'" for one in wanted) or "false"


def _looked_up(value: str, pairs: Iterable[tuple[str, str]]) -> str:
    """What stands beside a key; one condition after the other, none inside another."""
    return _united(f"iif({value} = '{key}', {one}, {{}})" for key, one in pairs)


def _united(expressions: Iterable[str]) -> str:
    return f"({' | '.join(expressions) or '{}'})"

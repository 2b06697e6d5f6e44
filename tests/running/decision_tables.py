"""Apply a decision table as any program would, to show that the table says what the list says.

A reader of its own, written from the documentation of the table and sharing nothing with the code
that makes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from operator import itemgetter
from typing import Any

import msgspec

from scorecard.forms.decision_table import DecisionTable
from scorecard.forms.found import Found, UnusableError, Work, said


def applied(content: bytes, work: Work) -> Found:
    """What a decision table says."""
    table = msgspec.json.decode(content, type=DecisionTable)
    cases = {place: _applied(table, one.case) for place, one in enumerate(work.cases)}
    walks = {place: _decided(table, one) for place, one in enumerate(work.walks)}
    further = {place: _decided(table, one, True) for place, one in enumerate(work.sharpened)}
    return Found(
        {place: said(result) for place, result in cases.items()},
        {place: said(result) for place, result in walks.items()},
        sharpened={place: said(result) for place, result in further.items()},
    )


def _applied(table: DecisionTable, case: Mapping[str, str]) -> dict[str, Any] | None:
    try:
        answers = [_answer(table, one, case) for one in table["questions"]]
    except ValueError:
        return None
    given = {name for one in table["questions"] for name in _outside(table, one, case)}
    return {**_decided(table, answers), "outside": given}


def _outside(table: DecisionTable, question: Any, case: Mapping[str, str]) -> Iterator[str]:
    for one in filter(None, (question, question.get("if_unknown"))):
        text = _without_unit(table, one["unit"], case.get(one["input"], "").strip())
        if "seen" in one and re.fullmatch(table["answers"]["number"], text):
            low, high = one["seen"]["within"]
            if isfinite(float(text)) and (float(text) < low or high < float(text)):
                yield one["input"]


def _answer(table: DecisionTable, question: Any, case: Mapping[str, str]) -> bool | None:
    answer = _read_value(table, question, case.get(question["input"]))
    other = question.get("if_unknown")
    if answer is None and other is not None:
        return _read_value(table, other, case.get(other["input"]))
    return answer


def _decided(
    table: DecisionTable, answers: Sequence[bool | None], sharpen: bool = False
) -> dict[str, Any]:
    low, low_stage = _end(table, answers, sharpen, highest=False)
    high, high_stage = _end(table, answers, sharpen, highest=True)
    counts = itemgetter("cases", "positives")
    decision = low["decision"]
    if decision != high["decision"]:
        decision = "go on" if "go on" in (decision, high["decision"]) else "unknown"
    return {
        "decision": decision,
        "stage": max(low_stage, high_stage),
        "total": low["total"] if low["total"] == high["total"] else None,
        "probability": low["probability"] if low["probability"] == high["probability"] else None,
        "lower": _outer(min, low["lower"], high["lower"]),
        "upper": _outer(max, low["upper"], high["upper"]),
        "cases": low["cases"] if counts(low) == counts(high) else None,
        "positives": low["positives"] if counts(low) == counts(high) else None,
    }


def _outer(outer: Callable[..., float], *ends: float | None) -> float | None:
    known = [end for end in ends if end is not None]
    return outer(known) if len(known) == len(ends) else None


def _end(
    table: DecisionTable, answers: Sequence[bool | None], sharpen: bool, *, highest: bool
) -> Any:
    questions, steps = list(table["questions"]), list(table["steps"])
    if sharpen:
        questions += table["sharpening"]["questions"]
        steps += table["sharpening"]["steps"]
    total = stage = 0
    while True:
        boxes = {box["total"]: box for box in steps[stage]["boxes"]}
        if total not in boxes:
            raise UnusableError(f"it has no box for total {total} after {stage} answers")
        box = boxes[total]
        goes_on = "undecided" if stage >= len(table["questions"]) else "go on"
        if box["decision"] != goes_on or stage == min(len(answers), len(questions)):
            return box, stage
        points, yes = questions[stage]["points"], answers[stage]
        total += points * ((points > 0) == highest if yes is None else yes)
        stage += 1


def _read_value(table: DecisionTable, question: Any, value: str | None) -> bool | None:
    known = question["condition"]["categories"] + question["condition"]["choices"]
    word = (value or "").strip()
    is_word = word.lower() in table["answers"]["yes"] + table["answers"]["no"]
    if question["value_only"] and is_word and value not in known and word not in known:
        raise ValueError(word)
    return _read(table, question, value)


def _read(table: DecisionTable, question: Any, value: str | None) -> bool | None:
    condition, words = question["condition"], table["answers"]
    kind, known = condition["kind"], [*condition["categories"], *condition["choices"]]
    turned = kind in ("<", "not in", "no", "present")
    text = "" if value is None else value.strip()
    word = text.lower()
    for said_text in (value, text) if value is not None else ():
        if said_text in known:
            return (said_text in condition["categories"]) != turned
    number = re.compile(words["number"]).fullmatch
    codes = {one for one in known if number(text) and number(one) and float(one) == float(text)}
    if len(codes) == 1:
        return (codes.pop() in condition["categories"]) != turned
    if kind in ("missing", "present"):
        return (word in words["unknown"]) != turned
    if word in words["unknown"]:
        return None
    answer = {True: words["yes"], False: words["no"]}
    if kind in ("yes", "no"):
        word = re.sub(r"\A([01])\.0*\Z", r"\1", word)
        answer = {True: words["yes_no_inputs_yes"], False: words["yes_no_inputs_no"]}
    for meaning, listed in answer.items():
        if word in listed:
            if known and not condition["choices"]:
                raise ValueError(text)
            return bool(meaning != (kind == "no"))
    if known and not condition["choices"]:
        return bool(turned)
    text = _without_unit(table, question["unit"], text)
    if kind in (">=", "<") and re.fullmatch(words["number"], text) and isfinite(float(text)):
        return bool((float(text) >= condition["cutoff"]) != turned)
    raise ValueError(text)


def _without_unit(table: DecisionTable, unit: str, text: str) -> str:
    bare = text[: -len(unit)] if text.endswith(unit) else text[len(unit) :]
    if unit and unit in (text[: len(unit)], text[-len(unit) :]):
        return bare.strip() if re.fullmatch(table["answers"]["number"], bare.strip()) else text
    return text

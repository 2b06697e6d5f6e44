from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import click

from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    language_option,
    limit_options,
    model_argument,
)
from scorecard.core.evidence import outside
from scorecard.core.question import (
    UNKNOWN_WORDS,
    Answer,
    Condition,
    Question,
    said_yes,
    settled_answers,
)
from scorecard.core.staircase import Staircase
from scorecard.core.walk import case_cost, have_costs
from scorecard.errors import AnswerError, ScorecardError
from scorecard.words.wording import Wording, printable

BACK = frozenset({"back", "b", "zurück", "retour", "atrás", "atras"})
QUIT = frozenset({"quit", "q", "exit", "ende", "fin"})

# Where 37,5 is a number, 150.000 is a hundred and fifty thousand to some and 150 to others.
_WITH_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")
_WITH_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(?:\.[0-9]{3})+")
_FIGURES = re.compile(r"[+-]?[0-9][0-9.,' ]*|[+-]?[.,][0-9]+")


@click.command(cls=GroupedCommand)
@model_argument
@limit_options
@language_option
def ask(model: str, policy: GivenPolicy, language: str) -> None:
    """Ask the questions one by one and stop when the answer is clear.

    Answer yes, no, the value itself, or unknown; "back" takes the last answer back, "quit" leaves.
    Letters will do for yes and no. Answers may also come from a pipe, one per line.

    \b
    Example:
      scorecard ask model.json
    """
    from scorecard.terminal import outcome_text

    staircase = policy.staircase(model)
    wording = Wording.of(staircase, language)
    replies = dialogue(staircase, wording, _read_line)
    if replies is None:
        return
    outcome = staircase.decide(_answers(replies))
    click.echo(f"\n{outcome_text(outcome, staircase, wording)}")
    _tell_cost(staircase, replies, wording)
    if outcome.decision == "undecided" and _wants_more(staircase, wording):
        further = dialogue(staircase, wording, _read_line, replies)
        if further is not None:
            outcome = staircase.decide(_answers(further), sharpen=True)
            click.echo(f"\n{outcome_text(outcome, staircase, wording)}")
            _tell_cost(staircase, further, wording)


def _tell_cost(staircase: Staircase, replies: Sequence[Reply], wording: Wording) -> None:
    """What the answers cost, if the list says so; what follows from others is not paid for."""
    questions = staircase.scoring_list.questions[: len(replies)]
    if have_costs(questions):
        instead = [reply.instead for reply in replies]
        cost = case_cost(questions, _answers(replies), len(replies), instead)
        unit = printable(staircase.scoring_list.about.cost_unit)
        click.echo(wording.word("ask cost", cost=wording.cost(cost, unit)))


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer and, where that was said, the value; `follows` if nobody had to be asked.

    `instead`: the question was unknown, and this is the answer to its substitute.
    """

    answer: Answer
    value: str | None = None
    follows: bool = False
    instead: bool = False


def _wants_more(staircase: Staircase, wording: Wording) -> bool:
    """Whether somebody is there who wants to answer what only sharpens the risk."""
    if not staircase.sharpening or not sys.stdin.isatty():
        return False
    return said_yes(_read_line(f"\n{wording.word('ask sharpen')} ").strip()) is True


def dialogue(
    staircase: Staircase,
    wording: Wording,
    read: Callable[[str], str],
    decided: Sequence[Reply] = (),
) -> list[Reply] | None:
    """Ask until the staircase stops; the replies, or `None` if the person wants to leave.

    Where an earlier answer or value settles a question about the same input it is not asked.
    After replies that have `decided` as far as they can, it asks what only sharpens the risk.
    """
    replies, unknown = list(decided), False
    questions = staircase.scoring_list.questions
    last = len(staircase.questions) + len(staircase.sharpening)
    while (
        len(replies) < last if decided else staircase.decide(_answers(replies)).decision == "go on"
    ):
        question = questions[len(replies)]
        reply = _settled(questions, replies)
        if reply is None:
            asked = (question.instead if unknown else None) or question
            prompt = _prompt(asked, wording)
            prompt = wording.word("if unknown", question=prompt) if unknown else prompt
            said = read(f"{len(replies) + 1}. {prompt} ").strip()
            if said.lower() in QUIT:
                return None
            if said.lower() in BACK:
                if not unknown:
                    _take_back(replies, wording)
                unknown = False
                continue
            reply = _understood(asked, said, unknown, staircase, wording)
            if reply is None:
                continue
            unknown = reply.answer is None and not unknown and question.instead is not None
            if unknown:
                continue
        else:
            click.echo(f"{len(replies) + 1}. {_told(question, reply.answer, wording)}")
        replies.append(reply)
        click.echo(f"   {_so_far(staircase, _answers(replies), wording)}")
    return replies


def _understood(
    asked: Question, said: str, instead: bool, staircase: Staircase, wording: Wording
) -> Reply | None:
    """What was said; nothing where it cannot be an answer. What is strange is told."""
    try:
        reply = replace(_reply(asked, said, wording), instead=instead)
    except AnswerError:
        click.echo(f"   {_refusal(asked, said, wording)}")
        return None
    seen = staircase.scoring_list.seen
    if reply.value and outside(seen, [asked], {asked.input: reply.value}):
        click.echo(f"   {wording.remarks(staircase)[asked.input]}")
    return reply


def _answers(replies: Sequence[Reply]) -> list[Answer]:
    return [reply.answer for reply in replies]


def _settled(questions: Sequence[Question], replies: Sequence[Reply]) -> Reply | None:
    """What earlier replies about the same input say about the next question."""
    place, question = len(replies), questions[len(replies)]
    for earlier, reply in zip(questions, replies, strict=False):
        if earlier.input == question.input and reply.value is not None:
            values = (None, reply.value) if reply.instead else (reply.value,)
            return replace(reply, answer=question.answer(*values), follows=True)
    for at, reply in enumerate(replies):
        follows = settled_answers(questions).get((at, reply.answer), {})
        if place in follows:
            return Reply(follows[place], follows=True, instead=reply.instead)
    return None


def _told(question: Question, answer: Answer, wording: Wording) -> str:
    word = wording.word({True: "yes", False: "no", None: "not known"}[answer])
    return wording.word("ask follows", question=wording.question(question), answer=word)


def _take_back(replies: list[Reply], wording: Wording) -> None:
    """Up to the last one that was asked for: what follows from it goes with it."""
    if not replies:
        click.echo(f"   {wording.word('ask first')}")
    while replies and replies.pop().follows:
        continue


def _prompt(question: Question, wording: Wording) -> str:
    """The question and what may be answered.

    A plain yes/no question is always asked for the input itself: "Smoker: no?" would leave open
    what a yes means.
    """
    label, condition = printable(question.label), question.condition
    if condition.kind in ("yes", "no"):
        asked = label
    elif condition.is_presence:
        asked = f"{label} {wording.word('present')}"
    else:
        asked = wording.question(question)
    expected = "/".join(_expected(condition, wording))
    return f"{wording.word('asked', question=asked)} [{expected}]"


def _expected(condition: Condition, wording: Wording) -> list[str]:
    """What may be answered, in words."""
    yes, no, value, unknown = (wording.word(key) for key in ("yes", "no", "value", "not known"))
    if condition.is_presence:
        return [yes, no]
    if condition.is_numeric:
        return [yes, no, value, unknown]
    if condition.is_categorical and not condition.choices:
        return [value, unknown]
    return [yes, no, *map(printable, condition.choices), unknown]


def _reply(question: Question, said: str, wording: Wording) -> Reply:
    answer = _answer(question, said, wording)
    word, condition = said.lower(), question.condition
    is_answer = word in UNKNOWN_WORDS or said_yes(word if word.isalpha() else "") is not None
    if condition.is_presence or answer is None or is_answer:
        return Reply(answer)  # nothing is known about the value but this
    has_comma = condition.is_numeric and wording.language.decimal_mark == ","
    return Reply(answer, _with_point(said) if has_comma else said)


def _answer(question: Question, reply: str, wording: Wording) -> Answer:
    condition = question.condition
    reply = _in_english(reply, condition, wording)
    word = reply.lower()
    if not word:  # an empty cell is unknown, but an empty line may be a slip of the finger
        raise AnswerError("Nothing was said.")
    said = said_yes(word) if word.isalpha() else None  # 1 and 0 may be values
    if condition.is_presence:
        is_missing = said is False or word in UNKNOWN_WORDS
        return question.answer(None if is_missing else reply)
    if said is not None and _only_yes_or_no(condition, word):
        return question.answer(said)
    if condition.is_numeric and wording.language.decimal_mark == ",":
        return question.answer(_with_point(reply))
    return question.answer(reply)


def _in_english(reply: str, condition: Condition, wording: Wording) -> str:
    """What the language calls yes, no and unknown, unless a category is called so."""
    own = {
        wording.word("yes"): "yes",
        wording.word("no"): "no",
        wording.word("not known"): "unknown",
    }
    word, known = reply.lower(), (*condition.choices, *condition.categories)
    return reply if word in {one.strip().lower() for one in known} else own.get(word, reply)


def _only_yes_or_no(condition: Condition, word: str) -> bool:
    """Whether y, n or j answers what is asked: no category is called so, however it is written."""
    known = {choice.strip().lower() for choice in condition.choices}
    return condition.is_numeric or (bool(known) and word not in known)


def _with_point(reply: str) -> str:
    if _WITH_THOUSANDS.fullmatch(reply):
        raise AnswerError(f"{reply!r} may have a mark between thousands.")
    return reply.replace(",", ".") if _WITH_COMMA.fullmatch(reply) else reply


def _refusal(question: Question, reply: str, wording: Wording) -> str:
    """Why a reply is not taken, and what would be."""
    if not reply:
        return wording.word("ask nothing")
    shown = repr(printable(reply))
    if question.condition.is_numeric and _FIGURES.fullmatch(reply):
        return wording.word("ask number", reply=shown, example=wording.number(1234.5))
    *others, last = _expected(question.condition, wording)
    expected = f"{', '.join(others)} {wording.word('or')} {last}"
    return wording.word("ask refused", reply=shown, expected=expected)


def _so_far(staircase: Staircase, answers: list[Answer], wording: Wording) -> str:
    outcome = staircase.decide(answers, sharpen=True)
    low, high = wording.total(outcome.lowest.total), wording.total(outcome.highest.total)
    total = low if low == high else wording.word("to", low=low, high=high)
    return f"{wording.word('total')} {total}"


def _read_line(prompt: str) -> str:
    try:
        line = input(prompt)
        if not sys.stdin.isatty():
            click.echo(line)  # so that the record of a piped session can be read
        return line
    except EOFError:
        click.echo()
        raise ScorecardError(
            "The answers ended before a decision; give more of them, or unknown for each."
        ) from None

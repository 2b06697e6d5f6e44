from __future__ import annotations

import sys
from collections.abc import Callable

import click

from scorecard.cli.options import language_option, model_argument, policy_options, turning_option
from scorecard.errors import AnswerError, ScorecardError
from scorecard.policy import StoppingPolicy
from scorecard.question import NO_WORDS, UNKNOWN_WORDS, YES_WORDS, Answer, Question
from scorecard.rendering.wording import Wording, printable
from scorecard.staircase import Staircase

BACK = frozenset({"back", "b", "zurück"})
QUIT = frozenset({"quit", "q", "exit", "ende"})


@click.command()
@model_argument
@policy_options
@turning_option
@language_option
def ask(model: str, policy: StoppingPolicy, positive_points: bool, language: str) -> None:
    """Ask the questions one by one and stop when the answer is clear.

    Answer yes, no, the value itself, or unknown; "back" takes the last answer back, "quit" leaves.
    Answers may also come from a pipe, one per line.

    \b
    Example:
      scorecard ask model.json
    """
    from scorecard.climbing import build_staircase
    from scorecard.exporting.json_document import read_list
    from scorecard.model import with_positive_points
    from scorecard.rendering.terminal import outcome_text

    learned = read_list(model)
    staircase = build_staircase(
        with_positive_points(learned) if positive_points else learned, policy
    )
    wording = Wording.of(learned, language)
    answers = dialogue(staircase, wording, _read_line)
    if answers is not None:
        click.echo(f"\n{outcome_text(staircase.decide(answers), staircase, wording)}")


def dialogue(
    staircase: Staircase, wording: Wording, read: Callable[[str], str]
) -> list[Answer] | None:
    """Ask until the staircase stops; the answers, or `None` if the person wants to leave."""
    answers: list[Answer] = []
    while staircase.decide(answers).decision == "go on":
        number = len(answers) + 1
        question = staircase.questions[number - 1]
        reply = read(f"{number}. {_prompt(question, wording)} ").strip()
        if reply.lower() in QUIT:
            return None
        if reply.lower() in BACK:
            _take_back(answers)
            continue
        try:
            answers.append(_answer(question, reply))
        except AnswerError as error:
            click.echo(f"   {error}")
            continue
        click.echo(f"   {_so_far(staircase, answers, wording)}")
    return answers


def _take_back(answers: list[Answer]) -> None:
    if answers:
        answers.pop()
    else:
        click.echo("   This is the first question.")


def _prompt(question: Question, wording: Wording) -> str:
    """The question and what may be answered.

    A plain yes/no question is always asked for the input itself: "Smoker: no?" would leave open
    what a yes means.
    """
    label, condition = printable(question.label), question.condition
    yes, no, unknown = (wording.word(key) for key in ("yes", "no", "not known"))
    if condition.kind in ("yes", "no"):
        return f"{label}? [{yes}/{no}/{unknown}]"
    if condition.is_presence:
        return f"{label} {wording.word('present')}? [{yes}/{no}]"
    choices = ", ".join(map(printable, condition.choices))
    if condition.is_categorical:
        kinds = f"{yes}/{no}/{choices}" if choices else wording.word("value")
        return f"{wording.question(question)}? [{kinds}/{unknown}]"
    return f"{wording.question(question)}? [{yes}/{no}/{wording.word('value')}/{unknown}]"


def _answer(question: Question, reply: str) -> Answer:
    word = reply.lower()
    if not word:  # an empty cell is unknown, but an empty line may be a slip of the finger
        raise AnswerError("Nothing was said; say unknown if it is not known, back or quit.")
    if question.condition.is_presence:
        if word in NO_WORDS | UNKNOWN_WORDS:
            return question.answer(None)
        return question.answer(1 if word in YES_WORDS else reply)
    return question.answer(reply)


def _so_far(staircase: Staircase, answers: list[Answer], wording: Wording) -> str:
    outcome = staircase.decide(answers)
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

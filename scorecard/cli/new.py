from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from scorecard.cli import messages
from scorecard.cli.options import outcome_option, positive_option, reading_options
from scorecard.cli.output import claim, output_option, typed, wrote
from scorecard.core.question import MAX_POINTS, NUMBER_PATTERN, clean_text, plain_number
from scorecard.errors import ListError, ScorecardError, TableError

if TYPE_CHECKING:
    from scorecard.core.question import Question

T = TypeVar("T")

BACK = "back"
# A line of the file has to stay one that is read again: see the limits of the short form.
MOST_CHARACTERS, MOST_DOTS = 1000, 100
KINDS = {
    "yes/no": {"", "yes/no", "yes", "y"},
    "at_least": {"at least", "number at least", "a", ">=", "≥"},
    "below": {"below", "number below", "b", "<"},
    "one_of": {"category", "c"},
}
PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,12})?) ?(%?)")


@click.command()
@click.argument("table", required=False, type=click.Path())
@output_option("What is written: .toml", "card.toml, without a TABLE list.toml", stream=False)
@outcome_option
@positive_option
@click.option(
    "-y",
    "--yes",
    is_flag=True,
    help="Ask nothing: take the usual answers. It needs a TABLE and --outcome.",
)
@reading_options
def new(
    table: str | None,
    output: str | None,
    force: bool,
    outcome: str | None,
    positive: str | None,
    yes: bool,
    **reading: Any,
) -> None:
    """Write a card.toml for a table, or a list by hand, by answering questions.

    With a TABLE of cases: which column is the outcome, what columns that look strange are, which
    limits the ward has. What is written says everything else in comments, and “scorecard build”
    makes of it what it asks for.

    Without a TABLE, for a score one has on paper: its questions with their points, and the risk at
    each final total. "back" takes the last answer back. Answers may also come from a pipe, one per
    line. The file is plain text and can be changed in any editor.

    \b
    Examples:
      scorecard new cases.csv
      scorecard new -o sore-throat.toml
    """
    target = output or ("list.toml" if table is None else "card.toml")
    if Path(target).suffix.lower() != ".toml":
        raise ScorecardError(f"{target!r}: this is written as TOML; end the name in .toml.")
    claim([target], sources=[table], force=force)  # before anybody has typed for ten minutes
    if table is not None:
        _new_card(table, target, outcome, positive, yes, reading)
    elif outcome or positive or yes:
        raise click.UsageError("--outcome, --positive and --yes are about a TABLE; name it first.")
    else:
        _new_list(target)


def _new_card(
    table: str,
    target: str,
    outcome: str | None,
    positive: str | None,
    yes: bool,
    reading: Mapping[str, Any],
) -> None:
    from scorecard.cli.new_card import answered, card_text
    from scorecard.files import write_text

    if yes and not outcome:
        raise click.UsageError("--yes asks nothing, so it needs --outcome COLUMN.")
    if not yes:
        messages.say(f"Each answer ends with Enter; “{BACK}” takes the last one back.")
    read = (lambda _: "") if yes else _read_line
    told = interview(read, lambda ask: answered(ask, table, outcome, positive, reading), yes)
    write_text(target, card_text(told, table, target))
    if yes and told.doubts:
        messages.say(f"To look at: {'; '.join(doubt.short for doubt in told.doubts)}.")
    if yes and (left_out := told.columns.get("drop")):
        messages.say(f"Left out, until you say otherwise: {', '.join(map(repr, left_out))}.")
    wrote(target, f"; look at it, then: {typed('scorecard', 'build', target)}")


def _new_list(target: str) -> None:
    from scorecard.documents.json_document import loads, read_list
    from scorecard.files import write_text
    from scorecard.words.wording import printable

    messages.say(f"Each answer ends with Enter; “{BACK}” takes the last one back.")
    written = interview(_read_line, list_text)
    loads(written.encode(), target)  # refused here, nothing has been written
    write_text(target, written)
    made = read_list(target)
    count = len(made.questions)
    plural = "question" if count == 1 else "questions"
    messages.say("")
    wrote(target, f": {printable(made.about.title)}, {count} {plural}.")
    messages.say(f"Next: {typed('scorecard', 'show', target)}")


def _read_line(prompt: str) -> str:
    try:
        line = input(prompt)
    except EOFError:
        click.echo()
        raise ScorecardError(
            "The answers ended before everything was asked; nothing was written."
        ) from None
    except UnicodeDecodeError:
        raise ScorecardError(
            "The answers are not UTF-8 text; save them as UTF-8. Nothing was written."
        ) from None
    if not sys.stdin.isatty():
        click.echo(line)  # so that the record of a piped session can be read
    return line


# The conversation ---------------------------------------------------------------------------------


class BackError(Exception):
    """The last answer is to be given again."""


@dataclass
class Asker:
    """Asks until an answer can be used.

    The interview is one straight story; to go back it is told again from its beginning with the
    answers given so far, silently, up to the one that is asked anew.
    """

    read: Callable[[str], str]
    given: list[str]
    silent: bool = False
    place: int = field(default=0, init=False)

    def __call__(self, prompt: str, understand: Callable[[str], T]) -> T:
        self.place += 1
        if self.place <= len(self.given):
            return understand(self.given[self.place - 1])
        while True:
            line = self.read(f"{prompt}: ").strip()
            if line.lower() == BACK:
                self._go_back()
                continue
            try:
                value = understand(line)
            except (ListError, TableError) as error:
                click.echo(f"   {error}")
                continue
            self.given.append(line)
            return value

    def say(self, text: str) -> None:
        if self.place == len(self.given) and not self.silent:
            click.echo(text)

    def _go_back(self) -> None:
        if self.given:
            raise BackError
        click.echo("   This is the first question.")


def interview(read: Callable[[str], str], told: Callable[[Asker], T], silent: bool = False) -> T:
    """Ask for everything that a story needs, which is told again if somebody goes back."""
    given: list[str] = []
    while True:
        try:
            return told(Asker(read, given, silent))
        except BackError:
            given.pop()


def list_text(ask: Asker) -> str:
    """Everything a list needs: the text of its file in the short form."""
    return "\n".join(_list_lines(ask)) + "\n"


def _list_lines(ask: Asker) -> list[str]:
    lines = [*_about(ask)]
    questions = _questions(ask)
    risks = _risks(ask, [question for question, _ in questions])
    lines += _entry("source", ask("Source: where the figures come from (may be empty)", _text))
    for _, written in questions:
        lines += ["", "[[questions]]", *written]
    return [*lines, "", "[risks]", *(f"{total} = {risk!r}" for total, risk in risks.items())]


def _about(ask: Asker) -> Iterator[str]:
    yield from _entry("title", ask("Title of the list", _needed_text))
    yield from _entry("outcome", ask("Outcome: what the risk is the risk of", _needed_text))
    yield from _entry("population", ask("Whom is it for (may be empty)", _text))
    ask.say("\nWhat are the three decisions called? An empty line keeps the usual word.")
    yield from _entry("rule_out", ask("The risk is low: rule out, or", _text))
    yield from _entry("rule_in", ask("The risk is high: rule in, or", _text))
    yield from _entry("undecided", ask("Neither after the last question: undecided, or", _text))


def _questions(ask: Asker) -> list[tuple[Question, list[str]]]:
    """Each question with the lines that say it in the file."""
    from scorecard.core.model import MAX_QUESTIONS

    ask.say("\nThe questions in the order in which they are asked; an empty line ends them.")
    questions: list[tuple[Question, list[str]]] = []
    while len(questions) < MAX_QUESTIONS:
        before = [question for question, _ in questions]
        text = ask(f"{len(before) + 1}. Question", partial(_question_text, before=before))
        if not text:
            break
        questions.append(_question(ask, text))
    return questions


def _question(ask: Asker, text: str) -> tuple[Question, list[str]]:
    from scorecard.documents.hand_written import WrittenQuestion

    given: dict[str, Any] = {"ask": text}
    kind = ask("   Kind: yes/no, at least, below or category (empty: yes/no)", _kind)
    if kind in ("at_least", "below"):
        given[kind] = ask(f"   Yes if the number is {kind.replace('_', ' ')}", _number)
        given["unit"] = ask("   Unit (may be empty)", _text)
    elif kind == "one_of":
        given[kind] = yes = ask("   Values that count as yes, with commas between", _needed_values)
        given["choices"] = ask(
            "   All values there are, with commas between (empty: not known)",
            partial(_choices, yes=yes),
        )
    given["points"] = ask("   Points if yes", _points)
    question = WrittenQuestion(**given).value()
    return question, [line for key, value in given.items() for line in _entry(key, value)]


def _risks(ask: Asker, questions: list[Question]) -> dict[int, float]:
    from scorecard.core.model import possible_totals

    ask.say("\nThe risk for each total after the last question, in percent: 7 or 7%.")
    risks: dict[int, float] = {}
    for total in possible_totals(question.points for question in questions)[-1]:
        before = list(risks.items())[-1:]
        risks[total] = ask(f"Risk at total {total}", partial(_risk, before=before))
    return risks


# What an answer means -----------------------------------------------------------------------------


def _text(line: str) -> str:
    if len(line) > MOST_CHARACTERS or line.count(".") > MOST_DOTS:
        raise ListError(
            f"This has {len(line)} characters and {line.count('.')} full stops; at most"
            f" {MOST_CHARACTERS} and {MOST_DOTS} fit."
        )
    return clean_text(line, "text")


def _needed_text(line: str) -> str:
    if not line:
        raise ListError("Nothing was said; this is needed.")
    return _text(line)


def _question_text(line: str, before: list[Question]) -> str:
    from scorecard.documents.hand_written import WrittenQuestion

    if not line:
        if not before:
            raise ListError("A list needs at least one question.")
        return ""
    text = _text(line)
    if not re.search(r"[^\W_]", text):
        raise ListError(f"{text!r} has neither a letter nor a digit; expected a question.")
    made = WrittenQuestion(ask=text, points=1).value()
    for number, earlier in enumerate(before, 1):
        if earlier.input == made.input:
            raise ListError(f"{text!r} is asked already by question {number}; use other words.")
    return text


def _kind(line: str) -> str:
    for kind, words in KINDS.items():
        if line.lower() in words:
            return kind
    raise ListError(f"{line!r} is no kind; say yes/no, at least, below or category.")


def _number(line: str) -> int | float:
    text = line.replace("−", "-")
    if re.fullmatch(NUMBER_PATTERN, text):
        return plain_number(float(text), "cut-off")
    hint = "; write a decimal point" if "," in line else "; write one like 38 or 37.5"
    raise ListError(f"{line!r} is not a number{hint}.")


def _points(line: str) -> int:
    text = line.replace("−", "-")
    if not re.fullmatch(r"[+-]?[0-9]{1,6}", text) or not 0 < abs(int(text)) <= MAX_POINTS:
        raise ListError(
            f"{line!r} are no points; expected a whole number from -{MAX_POINTS} to {MAX_POINTS},"
            " not 0."
        )
    return int(text)


def _values(line: str) -> tuple[str, ...]:
    values = tuple(value.strip() for value in _text(line).split(",") if value.strip())
    if len(set(values)) < len(values):
        raise ListError(f"{line!r} has a value twice.")
    return values


def _needed_values(line: str) -> tuple[str, ...]:
    values = _values(line)
    if not values:
        raise ListError(f"{line!r} has no value; expected one or more, with commas between.")
    return values


def _choices(line: str, yes: tuple[str, ...]) -> tuple[str, ...]:
    choices = _values(line)
    missing = [value for value in yes if choices and value not in choices]
    if missing:
        raise ListError(f"{missing[0]!r} counts as yes but is not among all values; add it.")
    return choices


def _risk(line: str, before: list[tuple[int, float]]) -> float:
    found = PERCENT.fullmatch(line)
    if not found or float(found[1]) > 100:
        hint = " Write a decimal point." if "," in line else ""
        raise ListError(f"{line!r} is no risk in percent; expected 0 to 100, like 7 or 7%.{hint}")
    percent = float(found[1])
    if 0 < percent < 1 and not found[2]:  # a slip here would be wrong by a factor of hundred
        raise ListError(f"{line!r} may be a share; write {line}% if it is meant in percent.")
    # Scaled as text: 7 % is 0.07 and not 0.07000000000000001.
    risk = float(f"{found[1]}e-2")
    for total, earlier in before:
        if risk < earlier:
            raise ListError(
                f"{line!r} is below the {earlier * 100:g} % at total {total}; risks must not fall"
                " with the total."
            )
    return risk


# What is written ----------------------------------------------------------------------------------


def _entry(key: str, value: str | int | float | tuple[str, ...]) -> list[str]:
    """The line of a key; none for what is empty."""
    from scorecard.documents.start_list import toml

    return [] if value in ("", ()) else [f"{key} = {toml(value)}"]

"""Options that several commands share, as decorators, and how values are written there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

import click

from scorecard.core.policy import By, StoppingPolicy
from scorecard.words.language import languages

if TYPE_CHECKING:
    from scorecard.core.model import ScoringList

    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType  # generic only in newer versions

Command = TypeVar("Command", bound=Callable[..., Any])


Parameter = click.Parameter | None
Context = click.Context | None


class Share(ParamType):
    """A share of one: 0.05, 5% or 1/20."""

    name = "share"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> float:
        if isinstance(value, float):
            return value
        text = str(value).strip()
        try:
            number = Fraction(text.removesuffix("%").strip())
        except (ValueError, ZeroDivisionError):
            hint = " Write a decimal point." if "," in text else ""
            self.fail(f"{value!r} is not a share: write 0.05, 5% or 1/20.{hint}", param, ctx)
        share = number / 100 if text.endswith("%") else number
        if not 0 <= share <= 1:
            percent = f" For {text} percent write {text}%." if 1 < number <= 100 else ""
            self.fail(f"{value!r} is not between 0 and 1.{percent}", param, ctx)
        return float(share)


SHARE = Share()


def all_of(options: Iterable[Callable[..., Any]]) -> Callable[[Command], Command]:
    """Several options as one decorator; help shows them in this order."""

    def decorate(command: Command) -> Command:
        decorated: Any = command
        for option in reversed(list(options)):
            decorated = option(decorated)
        return cast("Command", decorated)

    return decorate


HEADINGS = ("Table", "Database", "Questions", "Risks", "Stopping", "Look", "Output")
OTHERS = "Options"
HELP_ALL = "help_all"
ALWAYS = ("help", HELP_ALL)


def under(heading: str, options: Iterable[Callable[..., Any]]) -> Callable[[Command], Command]:
    """Several options as one decorator, shown below a heading in the help of a command."""

    def decorate(command: Command) -> Command:
        before = len(getattr(command, "__click_params__", []))
        decorated: Any = all_of(options)(command)
        for option in decorated.__click_params__[before:]:
            option.heading = heading
        return cast("Command", decorated)

    return decorate


class GroupedCommand(click.Command):
    """A command whose help has its options below their headings.

    Of many options `--help` shows those that are `often` needed, and `--help-all` the others, too.
    """

    def __init__(self, *given: Any, often: Collection[str] = (), **more: Any) -> None:
        super().__init__(*given, **more)
        self.often = {*often, "help", HELP_ALL}

    @property
    def _has_more(self) -> bool:
        return len(self.often) > len(ALWAYS)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        help_all = click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help="Show all options and exit.",
        )
        return [*super().get_params(ctx), *([help_all] if self._has_more else [])]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        found: dict[str, list[tuple[str, str]]] = {}
        whole = not self._has_more or ctx.meta.get(HELP_ALL)
        for option in self.get_params(ctx):
            line = option.get_help_record(ctx) if whole or option.name in self.often else None
            if line is not None and isinstance(option, click.Option):
                found.setdefault(getattr(option, "heading", OTHERS), []).append(line)
        for heading in (*HEADINGS, OTHERS):
            if heading in found:
                with formatter.section(heading):
                    formatter.write_dl(found[heading])


def _show_all(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        context.meta[HELP_ALL] = True
        click.echo(context.get_help())
        context.exit()


model_argument = click.argument("model", type=click.Path())

language_option = click.option(
    "--language",
    metavar="|".join(languages()),
    default="en",
    show_default=True,
    help="Language of the fixed words.",
)

reading_options = all_of(
    [
        click.option(
            "--encoding", default="utf-8", show_default=True, help="Encoding of a text table."
        ),
        click.option(
            "--decimal",
            type=click.Choice([".", ","]),
            default=".",
            show_default=True,
            help="How a text table writes 1.5; its separator is found by itself.",
        ),
        click.option("--sheet", metavar="NAME", help="The sheet of an Excel table with several."),
    ]
)


def column_names(context: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """For the shell: the columns of the table that was named before."""
    from scorecard.errors import TableError
    from scorecard.tables.read_table import is_table, open_table

    # An option without its value ends click's parsing: what was named before is left in `args`.
    files = context.params.get("tables") or context.params.get("files") or context.args
    try:
        names = open_table([file for file in files if is_table(file)]).names
    except TableError:  # no table yet, or none that can be read: nothing to offer
        return []
    before, comma, begun = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in names if name.startswith(begun)]


outcome_option = click.option(
    "--outcome", metavar="COLUMN", help="The column to predict.", shell_complete=column_names
)

positive_option = click.option(
    "--positive",
    metavar="VALUE",
    help="Its value whose risk is learned, against all others, or the name that the labels give it;"
    " needed unless it has yes/no, true/false or 1/0.",
)

labels_option = click.option(
    "--labels",
    type=click.Path(),
    metavar="FILE",
    help="TOML file with words for the list: title, labels, units, notes, next steps.",
)

look_options = all_of(
    [
        click.option("--title", default="", help="In place of the list's own title."),
        click.option("--subtitle", default="", help="A line below the title."),
        click.option("--audience", default="", help="Whom it is for, in place of the list's own."),
        click.option("--warning", "warnings", multiple=True, help="A framed line (repeatable)."),
        click.option(
            "--logo", type=click.Path(), metavar="FILE", help="A PNG or SVG file of plain shapes."
        ),
    ]
)

template_option = click.option(
    "--template-dir",
    type=click.Path(),
    metavar="FOLDER",
    help="Folder with templates and words of your own, tried first.",
)

# None of them has a value of its own: what is not given is as the list has it.
_POLICY_OPTIONS = {
    "rule_out": click.option(
        "--rule-out",
        type=SHARE,
        help="Stop with “rule out” at a risk of at most this (0.05 or 5%).",
    ),
    "rule_in": click.option(
        "--rule-in",
        type=SHARE,
        help="Stop with “rule in” at a risk of at least this. Without limits: those the list was"
        " made for, else the strictest its cases can show, else 5% and 95%.",
    ),
    "by": click.option(
        "--by",
        type=click.Choice(get_args(By)),
        help="What has to keep the limit: the cross-validated rate of all who stop on a side and"
        " the estimate (error-control, the usual), the rate of all who stop at one stage and the"
        " estimate (group, the usual without cross-validation), the estimate alone (point), or the"
        " end of its range (bounds).",
    ),
    "confidence": click.option(
        "--confidence", type=SHARE, help="Of “error-control” and “group”; usually 90%."
    ),
    "min_cases": click.option(
        "--min-cases",
        type=click.IntRange(min=0),
        help="Cases that have to be behind a stop; usually 10.",
    ),
    "miss_cost": click.option(
        "--miss-cost",
        type=float,
        help="A missed positive costs this many times a false alarm. With --by bounds it replaces"
        " both limits, else it says what to do when undecided.",
    ),
}
POLICY_NAMES = tuple(_POLICY_OPTIONS)


@dataclass(frozen=True)
class GivenPolicy:
    """What a command was told about limits; the rest is as the list has it."""

    changes: Mapping[str, Any]

    def of(self, scoring_list: ScoringList) -> StoppingPolicy:
        from scorecard.core.build_staircase import usual_policy

        return usual_policy(scoring_list, **self.changes)

    @property
    def alone(self) -> StoppingPolicy:
        """What was told, where there is no list yet."""
        return StoppingPolicy(**self.changes)


def policy_options(command: Command) -> Command:
    """Give a command the options of a stopping policy, and what was given of them as `policy`."""

    @wraps(command)
    def with_policy(**given: Any) -> Any:
        chosen = {name: given.pop(name) for name in POLICY_NAMES}
        changes = {name: value for name, value in chosen.items() if value is not None}
        _refuse_two_kinds_of_limits(changes)
        return command(policy=GivenPolicy(changes), **given)

    return cast("Command", under("Stopping", _POLICY_OPTIONS.values())(with_policy))


def _refuse_two_kinds_of_limits(given: Mapping[str, Any]) -> None:
    limits = [f"--{name.replace('_', '-')}" for name in ("rule_out", "rule_in") if name in given]
    if limits and "miss_cost" in given and given.get("by") == "bounds":
        raise click.UsageError(
            f"{' and '.join(limits)} cannot be used together with --miss-cost and --by bounds:"
            " there the cost gives both limits."
        )


# How values are written on the command line -------------------------------------------------------


class Points(ParamType):
    """Points a question may have: -3..3, or a list like -2,-1,1,2."""

    name = "points"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            if ".." in value:
                first, last = (int(end) for end in value.split(".."))
                points = tuple(number for number in range(first, last + 1) if number)
            else:
                points = tuple(int(number) for number in value.split(","))
        except ValueError:
            self.fail(f"{value!r} are no points: write -3..3 or a list like 1,2,3.", param, ctx)
        if not points or 0 in points:
            self.fail(f"{value!r}: points are whole numbers other than 0.", param, ctx)
        return points


class CostWeight(ParamType):
    """A number from 0 on, or auto."""

    name = "number|auto"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> str | float:
        if value == "auto":
            return "auto"
        try:
            weight = float(value)
        except ValueError:
            weight = -1.0
        if not 0 <= weight < float("inf"):
            self.fail(f"{value!r} is neither auto nor a number from 0 on.", param, ctx)
        return weight


class QuestionCount(ParamType):
    """A whole number from 0 on, or auto."""

    name = "number|auto"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> str | int:
        if value == "auto":
            return "auto"
        if isinstance(value, int):
            return value
        try:
            count = int(value)
        except ValueError:
            count = -1
        if count < 0:
            self.fail(f"{value!r} is neither auto nor a whole number from 0 on.", param, ctx)
        return count


class Assignments(ParamType):
    """COLUMN=VALUE, or several with commas between them, each as a pair.

    A column may have commas and = in its name, a value neither.
    """

    name = "column=value"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> tuple[Any, ...]:
        if isinstance(value, tuple):
            return value
        return tuple(self.pair(one, param, ctx) for one in _assignments(str(value)))

    def pair(self, text: str, param: Parameter, ctx: Context) -> tuple[str, Any]:
        """The column and its value."""
        column, equals, right = text.rpartition("=")
        if not equals or not column:
            self.fail(f"{text!r} is not of the form COLUMN=VALUE.", param, ctx)
        return column, self.value(column, right, param, ctx)

    def value(self, _column: str, text: str, _param: Parameter, _ctx: Context) -> Any:
        return text


def _assignments(text: str) -> list[str]:
    """The parts between commas; one without = is the begin of a name that has a comma."""
    found: list[str] = []
    begun = ""
    for part in text.split(","):
        begun += part
        if "=" in part:
            found.append(begun.lstrip() if found else begun)
        begun = "" if "=" in part else f"{begun},"
    return [*found, begun.removesuffix(",").lstrip()] if begun else found


def assigned(
    name: str, kind: Assignments, about: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option that gives values to columns, once or several times; its value is all pairs."""

    def all_pairs(_context: Context, _option: Parameter, given: Any) -> tuple[Any, ...]:
        return tuple(pair for pairs in given for pair in pairs)

    return click.option(name, type=kind, multiple=True, callback=all_pairs, help=about)


class Sign(Assignments):
    """COLUMN=+ or COLUMN=-."""

    name = "column=+|column=-"

    def value(self, column: str, text: str, param: Parameter, ctx: Context) -> str:
        sign = text.replace("−", "-")
        if sign not in ("+", "-"):
            self.fail(f"{f'{column}={text}'!r} is neither {column}=+ nor {column}=-.", param, ctx)
        return sign


class Cost(Assignments):
    """COLUMN=COST."""

    name = "column=number"
    most, expected = float("inf"), "a cost is a number from 0 on, for instance {column}=12."

    def value(self, column: str, text: str, param: Parameter, ctx: Context) -> float:
        try:
            number = float(text)
        except ValueError:
            number = -1.0
        if not 0 <= number <= self.most or number == float("inf"):
            told = self.expected.format(column=column)
            self.fail(f"{f'{column}={text}'!r}: {told}", param, ctx)
        return number


class Available(Cost):
    """COLUMN=SHARE."""

    name = "column=share"
    most, expected = 1.0, "the share who can answer is from 0 to 1, for instance {column}=0.6."


class Rounding(Assignments):
    """nice, or COLUMN=STEP."""

    name = "nice|column=step"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> tuple[Any, ...]:
        return (value,) if value == "nice" else super().convert(value, param, ctx)

    def value(self, column: str, text: str, param: Parameter, ctx: Context) -> float:
        try:
            return float(text)
        except ValueError:
            self.fail(f"{f'{column}={text}'!r}: the step {text!r} is not a number.", param, ctx)

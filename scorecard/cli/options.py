"""Options that several commands share, as decorators, and how values are written there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

import click

from scorecard.core.policy import By, StoppingPolicy
from scorecard.errors import LearningError, ListError
from scorecard.project.written import number_or_auto, share
from scorecard.words.language import languages

if TYPE_CHECKING:
    from scorecard.core.model import ScoringList
    from scorecard.core.staircase import Staircase
    from scorecard.project.recipe import Judging, Recipe

    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType  # generic only in newer versions

Command = TypeVar("Command", bound=Callable[..., Any])


Parameter = click.Parameter | None
Context = click.Context | None


class Value(ParamType):
    """A value that is read as in a card.toml."""

    def __init__(self, name: str, read: Callable[[Any], Any]) -> None:
        self.name, self.read = name, read

    def convert(self, value: Any, param: Parameter, ctx: Context) -> Any:
        try:
            return self.read(value)
        except ListError as error:
            self.fail(str(error), param, ctx)


SHARE = Value("share", share)


def all_of(options: Iterable[Callable[..., Any]]) -> Callable[[Command], Command]:
    """Several options as one decorator; help shows them in this order."""

    def decorate(command: Command) -> Command:
        decorated: Any = command
        for option in reversed(list(options)):
            decorated = option(decorated)
        return cast("Command", decorated)

    return decorate


HEADINGS = ("Table", "Questions", "Stopping", "Look", "Output")
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

decimal_option = click.option(
    "--decimal",
    type=click.Choice([".", ","]),
    help="How a text table writes 1.5; its separator is found by itself.  [default: .]",
)
sheet_option = click.option(
    "--sheet", metavar="NAME", help="The sheet of an Excel table with several."
)
encoding_option = click.option(
    "--encoding", default="utf-8", show_default=True, help="Encoding of a text table."
)
reading_options = all_of([encoding_option, decimal_option, sheet_option])


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
    help="Its value whose risk is learned, against all others; needed unless it has yes/no,"
    " true/false or 1/0.",
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


@dataclass(frozen=True)
class GivenPolicy:
    """What a command was told about limits; the rest is as the list has it."""

    changes: Mapping[str, Any]

    def of(self, scoring_list: ScoringList) -> StoppingPolicy:
        from scorecard.core.build_staircase import usual_policy

        return usual_policy(scoring_list, **self.changes)

    def staircase(self, model: str) -> Staircase:
        """The list in a file under this policy."""
        from scorecard.core.build_staircase import build_staircase
        from scorecard.documents.json_document import read_list

        scoring_list = read_list(model)
        return build_staircase(scoring_list, self.of(scoring_list))


def policy_options(command: Command, names: Sequence[str] = tuple(_POLICY_OPTIONS)) -> Command:
    """Give a command the options of a stopping policy, and what was given of them as `policy`."""

    @wraps(command)
    def with_policy(**given: Any) -> Any:
        chosen = {name: given.pop(name) for name in names}
        changes = {name: value for name, value in chosen.items() if value is not None}
        _refuse_two_kinds_of_limits(changes)
        return command(policy=GivenPolicy(changes), **given)

    options = [_POLICY_OPTIONS[name] for name in names]
    return cast("Command", under("Stopping", options)(with_policy))


limit_options = partial(policy_options, names=("rule_out", "rule_in"))
"""The two limits alone; what else a policy says is put into a list by “label”."""


def _refuse_two_kinds_of_limits(given: Mapping[str, Any]) -> None:
    limits = [f"--{name.replace('_', '-')}" for name in ("rule_out", "rule_in") if name in given]
    if limits and "miss_cost" in given and given.get("by") == "bounds":
        raise click.UsageError(
            f"{' and '.join(limits)} cannot be used together with --miss-cost and --by bounds:"
            " there the cost gives both limits."
        )


# A recipe: how a list is learned ------------------------------------------------------------------


def columns(*names: str, about: str) -> Callable[[Command], Command]:
    """An option that names columns, several times, or with commas between them."""
    return click.option(
        *names, multiple=True, metavar="COLUMN", help=about, shell_complete=column_names
    )


def _read_settings(
    _context: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> dict[str, Any]:
    """KEY=VALUE as in a card.toml, where text needs no quotation marks here."""
    from scorecard.files import toml_values

    found: dict[str, Any] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not of the form KEY=VALUE.", param_hint="--set")
        try:
            said = toml_values(f"value = {value}")["value"]
        except ValueError:
            said = value
        name = key.strip().replace("-", "_")
        found[name] = [found[name], said] if name in found else said
    return found


settings_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    callback=_read_settings,
    help="Say anything else that a card.toml may say below [columns], [learning] or [limits]:"
    " --set folds=5 (repeatable).",
)
group_option = click.option(
    "--group",
    metavar="COLUMN",
    shell_complete=column_names,
    help="Rows with the same value belong together, for instance to one patient: they are"
    " never torn apart, and count as what they add. No question asks for the column.",
)
drop_option = columns(
    "--drop",
    "--never",
    "drop",
    about="Leave columns out, never ask for them: --drop a,b (repeatable).",
)
keep_option = columns(
    "--keep",
    about="Use a column that looks like an id, or like one known only once the outcome is. Such"
    " columns are left out unless an option names them as inputs (repeatable).",
)
max_questions_option = click.option(
    "--max-questions",
    type=Value("number|auto", partial(number_or_auto, whole=True)),
    help="The most questions to ask beside those of --start and --ask; 0 keeps these as they"
    " are. auto asks six in all, and fewer where cross-validation finds fewer clearly better."
    "  [default: auto]",
)
as_published_option = click.option(
    "--as-published",
    is_flag=True,
    help="Learn as in the paper: all inputs, halving, isotonic risks of the cases that chose the"
    " questions, and stops by the risk of all who have a total. Options beside it win.",
)


def recipe_of(
    tables: Sequence[str], policy: GivenPolicy, options: Mapping[str, Any]
) -> tuple[Recipe, Judging]:
    """How a list is learned, and judged, as options say.

    In place of a table a card.toml may come, which says what no option does.
    """
    from scorecard.project.recipe import Judging, Limits, Recipe

    recipe, judging = Recipe(tables=tuple(tables)), Judging()
    if tables[0].endswith(".toml"):
        from scorecard.project.card import read_project

        project = read_project(Path(tables[0]))
        recipe, judging = project.recipe, project.judging
    told = {
        name: value
        for name, value in options.items()
        if not (value is None or value is False or value == ())
    }
    said = told.pop("settings", {})
    judged = _keys_of(Judging, told) if "splits" in options else {}
    for kind in (Judging, Limits, Recipe) if "splits" in options else (Limits, Recipe):
        keys = _keys_of(kind, said)
        _check_kinds(kind, keys)
        if kind is Judging:
            judged |= keys
        elif kind is Limits:
            policy = GivenPolicy({**keys, **policy.changes})
        else:
            told |= keys
    _check_kinds(Recipe, said)
    try:
        limits = replace(recipe.limits, **policy.changes)
        recipe = replace(recipe, limits=limits, **told)
        return recipe, replace(judging, **judged)
    except ListError as error:
        raise LearningError(str(error)) from None


def _keys_of(kind: type, said: dict[str, Any]) -> dict[str, Any]:
    """What belongs to a kind of value, taken out of all that was said."""
    return {one.name: said.pop(one.name) for one in fields(kind) if one.name in said}


def _check_kinds(kind: type, said: Mapping[str, Any]) -> None:
    from scorecard.documents.values import Faults, value_of

    found = Faults()
    value_of(dict(said), kind, "", found)
    if found.found:
        raise click.BadParameter(found.found[0], param_hint="--set")

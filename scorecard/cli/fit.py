from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from click.core import ParameterSource

from scorecard.cli import messages
from scorecard.cli.messages import RENAMED
from scorecard.cli.options import (
    SHARE,
    Available,
    Command,
    Cost,
    CostWeight,
    GivenPolicy,
    GroupedCommand,
    Points,
    QuestionCount,
    Rounding,
    Sign,
    assigned,
    column_names,
    labels_option,
    outcome_option,
    policy_options,
    positive_option,
    reading_options,
    under,
)
from scorecard.cli.output import claim, output_option, typed, wrote
from scorecard.errors import ListError, ScorecardError
from scorecard.learning.options import CHOICES, DEFAULTS, PUBLISHED, PUBLISHED_POLICY

if TYPE_CHECKING:
    from scorecard.core.model import ScoringList
    from scorecard.documents.start_list import StartList
    from scorecard.fitting import Fitted
    from scorecard.tables.cases import Cases
    from scorecard.tables.columns import Kind
    from scorecard.tables.labels import Labels
    from scorecard.tables.source import Source
    from scorecard.tables.suspicions import Doubt
    from scorecard.tables.warehouse import Warehouse

READING = ("outcome", "positive", "drop", "only", "group", "encoding", "decimal", "sheet")
OF_FILES = ("encoding", "decimal", "sheet")
KINDS: Mapping[str, Kind] = {"category": "category", "number": "number", "yes_no": "yes-no"}
# On the list, or told by its content.
LONGEST_LIST = 10_000_000  # bytes of a file that names columns
WITHOUT_EFFECT = {"encoding", "decimal", "sheet", "labels", "validate", "start", "ask"}
WITHOUT_EFFECT |= {"alternatives"}

BEAM = 4  # lists kept while searching for each alternative that is wanted


def learner(name: str, about: str, kind: Any = None, **more: Any) -> Callable[[Command], Command]:
    """An option of the learner, with its default and, where it has some, its choices."""
    option = name.removeprefix("--").partition("/")[0].replace("-", "_")
    parameter = RENAMED.get(option, option)
    default = DEFAULTS[parameter]
    shown = default is not None and not isinstance(default, tuple)
    if isinstance(default, tuple):
        about += f"  [default: {default[0]}..{default[-1]}]"
    kind = kind or (click.Choice(CHOICES[parameter]) if parameter in CHOICES else None)
    return click.option(name, type=kind, default=default, show_default=shown, help=about, **more)


def whole(name: str, default: int, about: str, least: int = 1) -> Callable[[Command], Command]:
    """An option that is a whole number."""
    kind = click.IntRange(min=least)
    return click.option(name, type=kind, default=default, show_default=True, help=about)


def columns(*names: str, about: str) -> Callable[[Command], Command]:
    """An option that names columns, several times, with commas, or in a file: @FILE."""
    return click.option(
        *names,
        multiple=True,
        metavar="COLUMN",
        help=about,
        callback=_with_files_read,
        shell_complete=column_names,
    )


def _with_files_read(
    _context: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    """The columns that were named; for @FILE those in it, one on each line."""
    from scorecard.files import read_bytes

    found: list[str] = []
    for one in given:
        if not one.startswith("@"):
            found.append(one)
            continue
        text = read_bytes(one[1:], LONGEST_LIST).decode("utf-8-sig", errors="replace")
        names = [line.strip() for line in text.splitlines() if line.strip()]
        if not names:
            raise click.UsageError(f"{one[1:]!r} names no column; expected one on each line.")
        found += names
    return tuple(found)


def is_elsewhere(tables: Sequence[str], options: Mapping[str, Any]) -> bool:
    """Whether the cases stay where they are, and are counted there."""
    from scorecard.tables.warehouse import stays_where_it_is

    asked = [options.get(name) for name in ("from_table", "sql")]
    return any(asked) or stays_where_it_is(tables)


def _warehouse(tables: Sequence[str], options: Mapping[str, Any]) -> Warehouse:
    from scorecard.tables.warehouse import Warehouse

    return Warehouse.opened(tables, options.get("from_table"), options.get("sql"))


def source_of(tables: Sequence[str], options: Mapping[str, Any]) -> Source:
    """The table with its columns, wherever it is."""
    from scorecard.tables.read_table import open_table

    if is_elsewhere(tables, options):
        return _warehouse(tables, options).source
    if options.get("key"):
        raise click.UsageError("--key is for cases in a database, or with --sql.")
    return open_table(tables, options["encoding"], sheet=options["sheet"])


def check_table(tables: Sequence[str], options: Mapping[str, Any]) -> None:
    """Refuse what is no table; without an outcome, name the columns there are."""
    names = source_of(tables, options).names
    if options["outcome"]:
        return
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    raise click.UsageError(f"--outcome COLUMN is needed: the column to predict, one of {shown}.")


ABOUT_THE_TABLE = [
    outcome_option,
    positive_option,
    columns(
        "--drop",
        "--never",
        "drop",
        about="Leave columns out, never ask for them: --drop a,b, or --drop @FILE with one on each"
        " line (repeatable).",
    ),
    columns("--only", about="Use only these; also @FILE (repeatable)."),
    columns(
        "--keep",
        about="Use a column that looks like an id, or like one known only once the outcome is. Such"
        " columns are left out unless an option names them as inputs (repeatable).",
    ),
    columns("--category", about="Its numbers are codes, not a scale (repeatable)."),
    columns("--number", about="Its few numbers are a scale, not codes (repeatable)."),
    columns("--yes-no", about="It says yes or no, for instance as 1 and 0 (repeatable)."),
    click.option(
        "--group",
        metavar="COLUMN",
        shell_complete=column_names,
        help="Rows with the same value belong together, for instance to one patient: they are"
        " never torn apart, and count as what they add. No question asks for the column.",
    ),
    learner("--missing", about="What an empty cell means."),
    reading_options,
]
ABOUT_THE_DATABASE = [
    click.option("--from", "from_table", metavar="TABLE", help="The table of a DuckDB database."),
    click.option(
        "--sql",
        metavar="QUERY",
        help="Select the cases: from a database, or from files under the name cases. “FROM cases”"
        " counts files in DuckDB, never held whole, as if they were larger than the memory.",
    ),
    click.option(
        "--key",
        metavar="COLUMN",
        help="A number that tells rows apart: it divides them for cross-validation, and is not"
        " asked for.  [default: the values of the row]",
    ),
]
ABOUT_QUESTIONS: list[Callable[..., Any]] = [
    learner(
        "--max-questions",
        kind=QuestionCount(),
        about="The most questions to ask beside those of --start and --ask; 0 keeps these as they"
        " are. auto asks six in all, and fewer where cross-validation finds fewer clearly better.",
    ),
    learner("--points", kind=Points(), about="Points a question may have; a span is without 0."),
    click.option(
        "--start",
        type=click.Path(),
        metavar="FILE",
        help="Begin with the questions of this list: TOML as “scorecard edit” writes it, or a model"
        " file. What a question there leaves out is learned.",
    ),
    click.option(
        "--ask",
        multiple=True,
        metavar="QUESTION",
        help='Ask this first, whole or in part: --ask "age >= 65: 2", --ask "sex is female",'
        " --ask age (repeatable, in order).",
    ),
    assigned(
        "--sign",
        Sign(),
        about="Allow an input only positive or negative points: --sign age=+,bmi=- (repeatable).",
    ),
    assigned(
        "--cost",
        Cost(),
        about="What it takes to have an input, in money, minutes or any one unit:"
        " --cost crp=12,ct=90 (repeatable). Those without a cost are free. The labels file may also"
        " say it, and what is bought together.",
    ),
    learner(
        "--cost-weight",
        kind=CostWeight(),
        about="A question counts by its gain divided by its cost to this power: 0 disregards costs;"
        " auto takes the power with the least mean cost that does not decide fewer, by more than"
        " two standard errors, in cross-validation.",
    ),
    assigned(
        "--available",
        Available(),
        about="The share of patients in whom an input can be had: --available crp=0.6,ct=0"
        " (repeatable; 0 is never).  [default: the share that has it in the table]",
    ),
    assigned(
        "--round",
        Rounding(),
        about="Cut-offs on a coarser grid: nice, or of columns, --round age=5,bp=10 (repeatable);"
        " the price is reported.",
    ),
]
ABOUT_RISKS = [
    learner(
        "--evidence",
        about="What the risks come from: all cases, corrected and judged by lists that did not see"
        " them; the cases that --held-out keeps out; or the cases that chose the questions.",
    ),
    learner(
        "--held-out",
        kind=SHARE,
        about="Share of the cases kept out of everything, to validate the finished list (1/3).",
    ),
    click.option(
        "--validate",
        type=click.Path(),
        metavar="FILE",
        help="Test the finished list on the cases of this other table, and keep the result.",
    ),
    learner(
        "--folds",
        kind=click.IntRange(min=2),
        about="Lists learned for cross-validation.  [default: 10, and 3 from 50,000 cases on]",
    ),
]
ABOUT_THE_FILE = [
    output_option("The model file", "model.json"),
    labels_option,
    click.option(
        "--alternatives",
        type=click.IntRange(2, 50),
        help="Keep up to so many lists that ask other questions and are nearly as good, beside the"
        " model file; “scorecard alternatives” compares them.",
    ),
    click.option(
        "--no-evidence", is_flag=True, help="Leave the counts per answer pattern out of the file."
    ),
]


def as_published(
    options: Mapping[str, Any], policy: GivenPolicy
) -> tuple[dict[str, Any], GivenPolicy]:
    """The options with those of the paper, if it is wanted, where nobody gave another."""
    if not options["as_published"]:
        return dict(options), policy
    source = click.get_current_context().get_parameter_source
    told = [name for name in PUBLISHED if source(name) not in (None, ParameterSource.DEFAULT)]
    learned = {name: value for name, value in PUBLISHED.items() if name not in told}
    return {**options, **learned}, GivenPolicy({**PUBLISHED_POLICY, **policy.changes})


OFTEN = {"outcome", "positive", "drop", "keep", "group", "max_questions", "points", "ask"}
OFTEN |= {"rule_out", "rule_in", "output", "labels"}


@click.command(cls=GroupedCommand, often=OFTEN)
@click.argument("tables", metavar="TABLE...", nargs=-1, required=True, type=click.Path())
@under("Table", ABOUT_THE_TABLE)
@under("Database", ABOUT_THE_DATABASE)
@under("Questions", ABOUT_QUESTIONS)
@under("Risks", ABOUT_RISKS)
@click.option(
    "--as-published",
    is_flag=True,
    help="Learn as in the paper: all inputs, halving, isotonic risks of the cases that chose the"
    " questions, and stops by the risk of all who have a total. Options beside it win.",
)
@policy_options
@under("Output", ABOUT_THE_FILE)
def fit(
    tables: tuple[str, ...], output: str | None, force: bool, policy: GivenPolicy, **options: Any
) -> None:
    """Learn a scoring list from a table of cases.

    A TABLE is CSV, TSV, Excel or Parquet; several files with the same columns are one table. The
    cases may also stay in a DuckDB database, a folder or pattern of Parquet files, or files larger
    than the memory, and are counted there.
    Every column but the outcome may become a question. Columns that look like ids, or are known
    only once the outcome is, are left out; each is named with the reason, and --keep uses it.
    Numbers get a cut-off, categories become "is X", yes/no words stay yes/no. Empty cells, NaN and
    words like "NA" are unknown: such a case is left out of the counts from the first question it
    cannot answer (see --missing). Limits are kept in the file, and every other command uses them.

    \b
    Examples:
      scorecard fit patients.csv --outcome disease
      scorecard fit patients.csv --outcome disease --rule-out 2% --rule-in 90%
      scorecard fit patients.csv --outcome disease --ask "age >= 65: 2" --never crp
      scorecard fit warehouse.duckdb --from visits --outcome disease
    """
    from scorecard.documents.json_document import check_name, write_list

    target = output or "model.json"
    options, policy = as_published(options, policy)
    check_table(tables, options)
    check_name(target)
    read = [*tables, options["labels"], options["validate"], options["start"]]
    beside = [_file_of_alternatives(target)] if options["alternatives"] else []
    claim([target, *beside], sources=read, force=force)
    fitted = _fitted(tables, options, policy)
    write_list(fitted.scoring_list, target)
    for doubt in fitted.later:
        messages.warn(f"Warning: {doubt.message}")
    messages.say(fitted.summary())
    wrote(target, f"; {_next_command(fitted.scoring_list, target)}")
    if options["alternatives"]:
        _keep_alternatives(fitted, tables, options, policy, target)


def _file_of_alternatives(target: str) -> Path:
    from scorecard.alternatives import file_beside
    from scorecard.files import is_kept

    if not is_kept(target):
        raise click.UsageError("--alternatives are kept beside the model file; name one with -o.")
    return file_beside(target)


def _fitted(
    tables: Sequence[str], options: Mapping[str, Any], policy: GivenPolicy, warn: bool = True
) -> Fitted:
    """Learn from a table with the options of the command."""
    from scorecard.core.edits import edited
    from scorecard.fitting import counted_alike, fit_list, moved_limits

    start = start_of(tables, options)
    labels = labels_of(tables, options).over(start.about)
    options = with_positive(options, labels)
    cases = cases_of(tables, options, labels)
    cases, doubts = without_doubted(cases, kept_columns(tables, options, start), warn)
    with messages.progress_bar("Searching") as progress:
        fitted = fit_list(
            cases,
            options["outcome"],
            settings_of(options, start),
            labels=labels,
            limits={**start.limits, **policy.changes},
            doubts=doubts,
            options=_kept_options(options, start),
            progress=progress,
        )
    learned, remarks = fitted.scoring_list, fitted.remarks
    if options["no_evidence"]:
        learned = replace(learned, evidence=None, cross_validation=None)
    if options["validate"]:
        learned = _validated(learned, options)
    if start.before is not None:
        settings = settings_of(options, start)
        learned = edited(learned, counted_alike(start.before, fitted, settings, labels))
        remarks = (*remarks, *moved_limits(start.before, learned))
    return replace(fitted, scoring_list=learned, remarks=remarks)


def _keep_alternatives(
    fitted: Fitted,
    tables: Sequence[str],
    options: Mapping[str, Any],
    policy: GivenPolicy,
    target: str,
) -> None:
    """Learn lists that ask for other columns, and keep those that are nearly as good."""
    from scorecard.alternatives import near_lists, write_alternatives
    from scorecard.fitting import near_inputs

    def learn(without: frozenset[str]) -> ScoringList:
        dropped = (*options["drop"], *sorted(without))
        return _fitted(tables, {**options, "drop": dropped}, policy, warn=False).scoring_list

    given = frozenset(one.input for one in start_of(tables, options).questions)
    most, settings = options["alternatives"], settings_of(options, start_of(tables, options))
    beam = near_inputs(fitted.cases, settings, BEAM * most)
    lists = near_lists(fitted.scoring_list, learn, most, beam=beam, given=given)
    file = write_alternatives(lists, target)
    messages.say(
        f"Other lists that are nearly as good: {len(lists) - 1}, in {file}; compare them with:"
        f" {typed('scorecard', 'alternatives', target)}"
    )


def _kept_options(options: Mapping[str, Any], start: StartList) -> dict[str, Any]:
    """How the list was asked for, as it is kept with the list."""
    kept = {name: options[name] for name in options.keys() - WITHOUT_EFFECT}
    if start.questions:
        kept["given"] = "; ".join(map(str, start.questions))
        kept["given order"] = "learned" if start.any_order else None
    return kept


def _validated(learned: ScoringList, options: Mapping[str, Any]) -> ScoringList:
    """The list with what the cases of another table say of it."""
    from scorecard.api import evaluate

    reading = {
        name: options[name] for name in ("positive", "group", "encoding", "decimal", "sheet")
    }
    return evaluate(learned, options["validate"], options["outcome"], **reading).validated_list()


def _next_command(scoring_list: ScoringList, output: str) -> str:
    """The command that shows the list, with limits of its own where the usual ones are refused."""
    from scorecard.fitting import working_limits

    show = typed("scorecard", "show", output)
    limits = working_limits(scoring_list)
    if limits is None:
        return f"see it with: {show}"
    options = [f"--{name.replace('_', '-')} {value * 100:g}%" for name, value in limits.items()]
    return (
        "the usual limits leave nothing to ask, because the outcome is so rare or so common; see it"
        f" with others, and give them to the other commands too: {show} {' '.join(options)}"
    )


# What other commands learn with, too --------------------------------------------------------------


def labels_of(tables: Sequence[str], options: Mapping[str, Any]) -> Labels:
    """The labels that were given for the columns of these tables."""
    from scorecard.tables.labels import Labels, read_labels

    if not options["labels"]:
        return Labels()
    names = source_of(tables, options).names
    return read_labels(options["labels"], names)


def with_positive(options: Mapping[str, Any], labels: Labels) -> dict[str, Any]:
    """The options with the positive value as the table writes it, where its name was said."""
    labels.refuse_other_values(options["outcome"])
    positive = labels.value_called(options["outcome"], options["positive"])
    return {**options, "positive": positive}


def cases_of(tables: Sequence[str], options: Mapping[str, Any], labels: Labels) -> Cases:
    """The cases of a table as the options of the command say; too few are refused."""
    from scorecard.fitting import refuse_too_few
    from scorecard.tables.cases import read_cases

    started = time.perf_counter()
    kinds, reading = _kinds(tables, options, labels), {name: options[name] for name in READING}
    if is_elsewhere(tables, options):
        from scorecard.tables.warehouse import warehouse_cases

        told = {name: reading[name] for name in READING if name not in OF_FILES}
        told |= {"key": options.get("key"), "missing": options["missing"], "kinds": kinds}
        cases = cast("Cases", warehouse_cases(_warehouse(tables, options), **told))
    else:
        cases = read_cases(tables, missing=options["missing"], kinds=kinds, **reading)
    messages.detail(
        f"Read {cases.inputs.height:,} cases and {cases.inputs.width} columns in"
        f" {time.perf_counter() - started:.1f} s."
    )
    refuse_too_few(cases)
    return cases


def without_doubted(
    cases: Cases, kept: Collection[str], warn: bool = True
) -> tuple[Cases, tuple[Doubt, ...]]:
    """The cases without columns that no list should ask for; what looks wrong in the table, told.

    It is told before anything is learned from it.
    """
    from scorecard.tables.cases import Cases
    from scorecard.tables.suspicions import doubts, without_doubted

    if not isinstance(cases, Cases):  # single values are not at hand
        return cases, ()
    found = tuple(doubts(cases, {*kept, *cases.kinds}))
    for doubt in found if warn else ():
        messages.warn(f"Warning: {doubt.message}")
    return without_doubted(cases, found), found


def kept_columns(
    tables: Sequence[str], options: Mapping[str, Any], start: StartList
) -> frozenset[str]:
    """The columns that an option names as inputs; no doubt leaves them out."""
    listed = source_of(tables, options).listed
    kept = set(listed(options["keep"]))
    if both := kept.intersection(listed(options["drop"])):
        raise click.UsageError(f"{min(both)!r} cannot be both --keep and --drop.")
    kept.update(listed(options["only"]), (question.input for question in start.questions))
    pairs = (one for name in ("sign", "cost", "available", "round") for one in options[name])
    return frozenset(kept.union(one[0] for one in pairs if isinstance(one, tuple)))


def _kinds(tables: Sequence[str], options: Mapping[str, Any], labels: Labels) -> dict[str, Kind]:
    """What each column is: as the labels say, and above all as the options do."""

    source = source_of(tables, options)
    kinds: dict[str, Kind] = {}
    for option, kind in KINDS.items():
        for name in source.listed(options[option]):
            if kinds.setdefault(name, kind) != kind:
                raise click.UsageError(f"{name!r} cannot be both --{kinds[name]} and --{kind}.")
    return {**labels.kinds, **kinds}


def start_of(tables: Sequence[str], options: Mapping[str, Any]) -> StartList:
    """The questions that are given: those of a list to begin with, and behind them those asked."""
    from scorecard.core.given_question import given_question
    from scorecard.documents.start_list import StartList, read_start

    if not options["start"] and not options["ask"]:
        return StartList(())
    names = source_of(tables, options).names
    columns = [name for name in names if name != options["outcome"]]
    start = read_start(options["start"], columns) if options["start"] else StartList(())
    if start.had_risks:
        messages.warn(
            f"The risks in {options['start']} are not used; they are counted from the table."
        )
    try:
        asked = [given_question(text, columns) for text in options["ask"]]
    except ListError as error:
        raise ScorecardError(f"--ask: {error}") from None
    return replace(start, questions=(*start.questions, *asked))


def settings_of(options: Mapping[str, Any], start: StartList) -> dict[str, Any]:
    """The options of the command as parameters of the classifier."""
    own = {*READING, *KINDS, "labels", "no_evidence", "validate", "sign", "ask", "start", "round"}
    # by now the options are those of the paper
    own |= {"cost", "available", "alternatives", "as_published", "keep", "from_table", "sql", "key"}
    given = frozenset(start.questions) if start.any_order else list(start.questions)
    settings = {RENAMED.get(name, name): options[name] for name in options.keys() - own}
    return settings | {
        "signs": dict(options["sign"]) or None,
        "costs": dict(options["cost"]) or None,
        "available": dict(options["available"]) or None,
        "fixed": given or None,
        "round_cutoffs": _rounding(options["round"]),
    }


def _rounding(given: tuple[tuple[str, float] | str, ...]) -> bool | str | dict[str, float]:
    steps = dict(one for one in given if isinstance(one, tuple))
    if "nice" in given and steps:
        raise click.UsageError("--round: either nice, or COLUMN=STEP.")
    return "nice" if "nice" in given else steps or True

"""What one does with a list in Python: print it, write it as a program, apply it, judge it.

Values go in, bytes or values come out; nothing here reads or writes files but those it is asked
to check. The commands of the same names are these functions with files around them. A model is a
`ScoringList`, a fitted `ScoringListClassifier`, or a scikit-learn pipeline that ends in one; its
list is put under its own stopping policy unless another is given.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorecard.core.build_staircase import build_staircase
from scorecard.core.fitted import Model, Parts, list_of, named_list
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import inputs_of, split_unit, with_substitutes
from scorecard.errors import ScorecardError
from scorecard.forms import FORMS, exports

if TYPE_CHECKING:
    from scorecard.core.staircase import Staircase
    from scorecard.evaluation.external import External
    from scorecard.evaluation.result import Evaluation
    from scorecard.forms.card.make import PrintedFile
    from scorecard.forms.check import Verdict
    from scorecard.learning.classifier import ScoringListClassifier
    from scorecard.tables.source import Source

Place = str | os.PathLike[str]
"""The path of a file or folder."""

REPORTS = ("html", "pdf", "json")


def make_card(model: Model, file_format: str = "pdf", **look: Any) -> bytes:
    """The pocket card of a list, read back from the finished page before it is given.

    Parameters
    ----------
    model : ScoringList, fitted ScoringListClassifier, or a pipeline that ends in one
    file_format : "pdf", "html" or "png"
    policy : StoppingPolicy, optional
        When one may stop; by default the list's own.
    size : str
        "credit-card", "badge", "a7", "index", "a6" (default), "a5", "a4", "letter", "tally" or
        "tally-letter".
    orientation : "landscape" or "portrait", optional
        Without it a path is upright where that has larger type.
    layout : "staircase" (default) or "path"
        Points to add, or arrows to follow.
    sheet : "a4" or "letter", optional
        A sheet of credit cards to cut.
    greyscale, ticks : bool
        As a photocopier sees it; with boxes to tick.
    language : str
        "en" (default), "de", "fr", "es", or one whose words are in `template_dir`.
    title, subtitle, audience : str
        In place of what the list says about itself.
    warnings : sequence of str
        Framed lines.
    logo : path of a PNG or SVG file, optional
    qr : str, optional
        An address to print as a QR code.
    template_dir : path of a folder, optional
        Templates and words of one's own, tried first.

    Returns
    -------
    bytes
        The content of the file.

    Raises
    ------
    ScorecardError
        In one line why the card cannot be made, and which size would do.

    Examples
    --------
    >>> from scorecard import Question, Risk, ScoringList, Stage, make_card
    >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.96))))
    >>> page = make_card(ScoringList((Question("smoker", 1),), stages), "html", title="Smoking")
    >>> "<title>Smoking</title>" in page.decode()
    True
    """
    return FORMS["card"].make(list_of(model), file_format, **look)


def printed_card(scoring_list: ScoringList, file_format: str = "pdf", **look: Any) -> PrintedFile:
    """`make_card` with what is to be told about the card: its page, and what had no room."""
    from scorecard.forms.card import make

    return make.printed_card(scoring_list, file_format, **look)


def make_handout(model: Model, file_format: str = "html", **look: Any) -> bytes:
    """One page that explains a list: as HTML with a calculator inside, or as PDF to print.

    Parameters
    ----------
    model : ScoringList, fitted ScoringListClassifier, or a pipeline that ends in one
    file_format : "html" or "pdf"
    policy : StoppingPolicy, optional
        When one may stop; by default the list's own.
    paper : "a4" or "letter"
    not_for : str
        Whom the list is not for.
    reader : "clinician" (default) or "patient"
        A patient is told the risk as people, in plain words, and no points.
    language, title, subtitle, audience, warnings, logo, template_dir
        As for `make_card`.

    Examples
    --------
    >>> from scorecard import Question, Risk, ScoringList, Stage, make_handout
    >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.96))))
    >>> page = make_handout(ScoringList((Question("smoker", 1),), stages), language="de")
    >>> '<html lang="de">' in page.decode()
    True
    """
    return FORMS["handout"].make(list_of(model), file_format, **look)


def export(
    model: Model,
    to: str,
    *,
    policy: StoppingPolicy | None = None,
    language: str = "en",
    dialect: str | None = None,
) -> bytes:
    """A list as a program, a query, a table or a workbook that needs nothing else.

    Parameters
    ----------
    model : ScoringList, fitted ScoringListClassifier, or a pipeline that ends in one
    to : "python", "json", "javascript", "sql", "r", "excel", "xlsform", "fhir", "redcap",
        "docx" or "markdown"
    policy : StoppingPolicy, optional
        When one may stop; by default the list's own.
    language : str
        Of the questions and sentences inside.
    dialect : "duckdb", "sqlite", "postgresql" or "mariadb", optional
        Of a query; by default that of DuckDB.

    Examples
    --------
    >>> from scorecard import Question, Risk, ScoringList, Stage, export
    >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.96))))
    >>> names = {}
    >>> exec(export(ScoringList((Question("smoker", 1),), stages), "python"), names)
    >>> names["evaluate"]({"smoker": "no"})["decision"]
    'rule out'
    """
    from scorecard.forms.source_text import card_words

    _check_format(to, [form.name for form in exports()], "form")
    if dialect is not None and to != "sql":
        raise ScorecardError(f"`dialect={dialect!r}` is for 'sql', not for {to!r}; leave it out.")
    staircase = build_staircase(model, policy)
    chosen = {} if dialect is None else {"dialect": dialect}
    return FORMS[to].make(staircase, card_words(staircase, language), **chosen)


def check(
    model: Model,
    files: Iterable[Place],
    *,
    policy: StoppingPolicy | None = None,
    table: Any = None,
    run_changed: bool = False,
    decisions_only: bool = False,
    template_dir: Place | None = None,
    **reading: Any,
) -> list[Verdict]:
    """Whether files are what this version makes from a list, to the last byte, and if not, where.

    What other versions made is compared in what it decides.

    Parameters
    ----------
    model : ScoringList, fitted ScoringListClassifier, or a pipeline that ends in one
    files : paths
    policy : StoppingPolicy, optional
        The one the files were made with; by default the list's own.
    table : path of a table or data frame, optional
        Every row of it is tried, too, with programs that are run.
    run_changed : bool
        Run programs that differ. They can do whatever you can.
    decisions_only : bool
        Compare only what files decide: their other words may differ.
    template_dir : path of a folder, optional
        Templates of your own that the files were made with.
    encoding, decimal, sheet : of a text table; of a workbook.

    Returns
    -------
    list of Verdict
        With `agrees` and the `first` difference, by file, and by form where a file differs.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from scorecard import Question, Risk, ScoringList, Stage, check, export
    >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.96))))
    >>> smoking = ScoringList((Question("smoker", 1),), stages)
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "card.json")
    ...     _ = file.write_bytes(export(smoking, "json"))
    ...     [(one.form, one.agrees) for one in check(smoking, [file])]
    [('JSON', True)]
    """
    from scorecard.forms.check import check as checked

    staircase = build_staircase(model, policy)

    rows: list[dict[str, str]] = []
    if table is not None:
        from scorecard.tables.prepared import prepared
        from scorecard.tables.read_table import open_table

        rows = _rows(open_table(prepared(model, table), **reading), staircase)
    paths = [Path(file) for file in files]
    own = None if template_dir is None else Path(template_dir)
    return checked(
        staircase,
        paths,
        rows,
        run_changed=run_changed,
        decisions_only=decisions_only,
        template_dir=own,
    )


def apply(
    model: Model,
    table: Any,
    *,
    policy: StoppingPolicy | None = None,
    prefix: str = "",
) -> Any:
    """A data frame with what is decided about each row behind its own columns.

    Adds decision, stage (how many questions were asked), total, probability, lower, upper, cases,
    positives, and the inputs that were unknown among the questions asked. What is missing is
    unknown, never "no".

    Parameters
    ----------
    model : ScoringList, fitted ScoringListClassifier, or a pipeline that ends in one
        A pipeline's steps are applied before the list is.
    table : data frame
        Of any kind that narwhals knows, pandas and polars among them; the same kind comes back.
    policy : StoppingPolicy, optional
        When one may stop; by default the list's own.
    prefix : str
        Put before the names of the added columns; by default nothing, and ``scorecard_`` where the
        table has one of the names already.

    Examples
    --------
    >>> import polars as pl
    >>> from scorecard import Question, Risk, ScoringList, Stage, apply
    >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.96))))
    >>> smoking = ScoringList((Question("smoker", 1),), stages)
    >>> apply(smoking, pl.DataFrame({"smoker": ["no", "yes", None]}))["decision"].to_list()
    ['rule out', 'rule in', 'unknown']
    """
    from scorecard.tables.apply import added_prefix, applied, with_columns
    from scorecard.tables.prepared import prepared
    from scorecard.tables.read_table import open_table

    staircase = build_staircase(named_list(model), policy)
    source = open_table(table)
    asked = open_table(prepared(model, table))
    prefix = added_prefix(staircase, source, prefix)
    (decided,) = applied(staircase, asked, prefix=prefix)
    return with_columns(table, decided.added)


def evaluate(model: Model, X: Any, y: Any, **how: Any) -> External | Evaluation:
    """How good a list is, or a way of learning one, on cases that did not choose it.

    A list and whatever is fitted are judged on these cases as they are: external validation. With a
    `ScoringListClassifier` that is not fitted, lists are learned again and again from a part of the
    cases and judged on the rest, beside other methods on the same splits.

    Parameters
    ----------
    model : ScoringList, ScoringListClassifier, or a fitted pipeline that ends in one
    X : data frame, path of a table, or array
        An array has the columns that the classifier was fitted with.
    y : str or array-like
        The column of `X` that tells who had what is predicted; or the outcome of each row.
    positive : str, optional
        The outcome that is meant; may be left out for yes/no and 1/0, and is the positive class of
        a fitted classifier.
    policy : StoppingPolicy, optional
        When one may stop; by default the list's own, or the usual one.
    miss_cost : float
        A missed positive costs this many times a false alarm, in the losses (default 10).
    seed : int
    by_group : str, optional
        A column whose groups are judged apart.
    group : str, optional
        The column that tells patients apart, where some have several rows.
    encoding, decimal, sheet : of a text table; of a workbook.
    splits, test_share, folds, jobs, progress
        Only with a classifier: how many random splits (100) and which share of the cases judges
        (1/3), or cross-validation with so many folds; processes side by side; who is told.
    drop, only
        Only with a classifier: columns to leave out, the only ones to use.

    Returns
    -------
    External or Evaluation
        The figures; `make_report` puts them on a page.

    Examples
    --------
    >>> import polars as pl
    >>> from scorecard import Question, Risk, ScoringList, Stage, evaluate
    >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.96))))
    >>> smoking = ScoringList((Question("smoker", 1),), stages)
    >>> new = pl.DataFrame({"smoker": [1, 0, 1, 0, 1, 0], "ill": [1, 0, 1, 0, 0, 0]})
    >>> found = evaluate(smoking, new, "ill")
    >>> found.cases, found.positives, round(found.stages[1]["auc"][0], 3)
    (6, 2, 0.875)
    """
    classifier = Parts.of(model).classifier
    is_fitted = getattr(classifier, "scoring_list_", None) is not None
    if isinstance(model, ScoringList) or is_fitted:
        from scorecard.evaluation.external import evaluate_model

        return evaluate_model(model, X, y, **how)
    if model is not classifier or not hasattr(type(model), "scoring_list_"):
        named_list(model)  # refuses it
    return _resampled(model, X, y, **how)


def _resampled(
    classifier: ScoringListClassifier,
    table: Any,
    outcome: Any,
    *,
    positive: str | None = None,
    policy: StoppingPolicy | None = None,
    miss_cost: float = 10.0,
    seed: int = 0,
    splits: int = 100,
    test_share: float = 1 / 3,
    folds: int | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    by_group: str = "",
    **reading: Any,
) -> Evaluation:
    from scorecard.evaluation.external import group_labels
    from scorecard.evaluation.resampling import Splitting, Task
    from scorecard.evaluation.result import evaluate_table
    from scorecard.tables.cases import Cases, read_cases
    from scorecard.tables.prepared import is_positive, with_outcome

    settings = classifier.get_params(deep=False)
    label = settings.pop("positive_label")  # from here on the outcome is true or false
    if not isinstance(outcome, str):
        values = is_positive(outcome, label) if positive is None else None
        table, outcome = with_outcome(table, outcome, values)
    elif positive is None and isinstance(label, str):
        positive = label
    said = {"positive": positive, "missing": settings["missing"], **reading}
    cases = table if isinstance(table, Cases) else read_cases(table, outcome, **said)
    task = Task(settings, policy, miss_cost=miss_cost)
    splitting = Splitting(splits, test_share, folds, seed)
    groups = group_labels(table, by_group, outcome) if by_group else ()
    return evaluate_table(
        cases, outcome, task, splitting, jobs, progress, by_group=by_group, groups=groups
    )


def make_report(found: External | Evaluation, file_format: str = "html") -> bytes:
    """What `evaluate` found, as a page with pictures and tables, or as JSON.

    Parameters
    ----------
    found : what `evaluate` gave.
    file_format : "html", "pdf" or "json"

    Examples
    --------
    >>> import polars as pl
    >>> from scorecard import Question, Risk, ScoringList, Stage, evaluate, make_report
    >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.96))))
    >>> smoking = ScoringList((Question("smoker", 1),), stages)
    >>> new = pl.DataFrame({"smoker": [1, 0, 1, 0, 1, 0], "ill": [1, 0, 1, 0, 0, 0]})
    >>> make_report(evaluate(smoking, new, "ill"), "json")[:25]
    b'{\\n  "format": "scorecard-'
    """
    from scorecard.evaluation.report import report_of
    from scorecard.evaluation.result import Evaluation
    from scorecard.evaluation.write import evaluation_json, external_json, report_html, report_pdf

    _check_format(file_format, REPORTS, "report")
    if file_format == "json":
        text = evaluation_json(found) if isinstance(found, Evaluation) else external_json(found)
        return text.encode()
    report = report_of(found)
    return report_pdf(report) if file_format == "pdf" else report_html(report).encode()


def _rows(source: Source, staircase: Staircase) -> list[dict[str, str]]:
    """The inputs of every row as text; what is nothing in a typed table is left out."""
    questions = staircase.questions
    inputs = inputs_of(questions)
    units = {question.input: question.unit for question in with_substitutes(questions)}
    for name in inputs:
        source.check_column(name)
    rows: list[dict[str, str]] = []
    for piece in source.pieces():
        frame = piece.columns(inputs)
        frame = frame.with_columns(source.with_points(column, piece) for column in frame)
        rows += [
            {
                name: split_unit(str(value), units[name])
                for name, value in row.items()
                if value is not None
            }
            for row in frame.iter_rows(named=True)
        ]
    return rows


def _check_format(name: str, known: Sequence[str], what: str) -> None:
    if name not in known:
        raise ScorecardError(f"{name!r} is no kind of {what}; expected one of {', '.join(known)}.")

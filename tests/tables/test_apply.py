"""A table is decided row by row exactly as one case is."""

import csv
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Condition, Question, Risk, ScoringList, Stage
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Staircase
from scorecard.errors import AnswerError, PolicyError, TableError
from scorecard.tables import delimited
from scorecard.tables.apply import ADDED, UNKNOWN, applied, column_answers, write_table
from scorecard.tables.read_table import open_table
from scorecard.tables.source import Source, TablePiece
from tests.exhaustive import many
from tests.lists import MARBURG, TABLE_1, stage
from tests.strategies import conditions, plain_texts, scoring_lists


def source_of(frame: pl.DataFrame) -> Source:
    return Source(
        Path("t.parquet"), tuple(frame.columns), None, lambda: iter([TablePiece.of(frame)])
    )


def decided(staircase: Staircase, frame: pl.DataFrame, **options: str) -> pl.DataFrame:
    return pl.concat([one.frame for one in applied(staircase, source_of(frame), **options)])


# One column and one question ----------------------------------------------------------------------

WORDS = ("yes", "no", "NO", "ja", "unknown", "", "NA", "t", "0", "1", "1.0", "a", "b", "nan", "inf")
number_texts = (
    st.floats().map(repr)
    | st.integers(-400, 400).map(str)
    | st.from_regex(r"\A ?[+-]?([0-9]{1,3}\.?[0-9]{0,3}|\.[0-9]{1,3})([eE][+-]?[0-9]{1,3})? ?\Z")
)
text_columns = st.lists(st.none() | st.sampled_from(WORDS) | number_texts | st.text(max_size=3))
columns = (
    text_columns.map(lambda values: pl.Series(values, dtype=pl.String))
    | st.lists(st.none() | st.floats()).map(lambda values: pl.Series(values, dtype=pl.Float64))
    | st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)).map(
        lambda values: pl.Series(values, dtype=pl.Int64)
    )
    | st.lists(st.none() | st.integers(0, 2)).map(lambda v: pl.Series(v, dtype=pl.UInt8))
    | st.lists(st.none() | st.booleans()).map(lambda v: pl.Series(v, dtype=pl.Boolean))
)


def one_by_one(question: Question, values: Sequence[object]) -> list[bool | None] | int:
    """The answers, or the row of the first refusal."""
    answers = []
    for row, value in enumerate(values):
        try:
            answers.append(question.answer(value))
        except AnswerError:
            return row
    return answers


@settings(max_examples=many(400))
@given(conditions(text=st.sampled_from(WORDS)), columns)
def test_a_column_is_answered_like_single_values(condition: Condition, column: pl.Series) -> None:
    question = Question("x", 1, condition)

    def complain(row: int, message: str) -> TableError:
        return TableError(f"{row}|{message}")

    expected = one_by_one(question, column.to_list())
    if isinstance(expected, int):
        with pytest.raises(TableError, match=rf"^{expected}\|"):
            column_answers(question, column, complain)
    else:
        answers = column_answers(question, column, complain)
        assert [None if one == UNKNOWN else bool(one) for one in answers] == expected


@pytest.mark.parametrize(("cutoff", "reached"), [(4, [1, 1]), (4.5, [0, 1]), (5, [0, 1])])
def test_whole_numbers_reach_a_cut_off_between_them_only_above_it(
    cutoff: float, reached: list[int]
) -> None:
    column = pl.Series([4, 5, None], dtype=pl.Int64)
    answers = column_answers(Question("x", 1, Condition(">=", cutoff)), column, TableError)
    assert answers.tolist() == [*reached, UNKNOWN]


def test_whole_numbers_beyond_floats_are_compared_exactly() -> None:
    column = pl.Series([2**53, 2**53 + 1, 2**53 + 2])
    question = Question("x", 1, Condition(">=", 2**53 + 1))
    answers = column_answers(question, column, lambda _, message: TableError(message))
    assert answers.tolist() == [0, 1, 1]


# Whole tables -------------------------------------------------------------------------------------

CELLS = st.sampled_from(("yes", "no", "", "1", "0", "unknown"))


@given(st.data())
def test_rows_are_decided_like_single_cases(data: st.DataObject) -> None:
    drawn = data.draw(
        scoring_lists(1, max_questions=5, kinds=("yes", "no", "missing"), text=plain_texts())
    )
    policy = StoppingPolicy(
        0.3, 0.7, by=data.draw(st.sampled_from(("point", "group"))), min_cases=0
    )
    try:
        staircase = build_staircase(drawn, policy)
    except PolicyError:
        assume(False)
    assume(not {q.input for q in drawn.questions} & set(ADDED))
    rows = data.draw(st.lists(st.tuples(*[CELLS] * len(drawn.questions)), min_size=1, max_size=30))
    names = [question.input for question in drawn.questions]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    result = decided(staircase, frame)
    assert result.select(names).equals(frame)
    for cells, row in zip(rows, result.iter_rows(named=True), strict=True):
        answers = drawn.answers(dict(zip(names, cells, strict=True)))
        outcome = staircase.decide(answers)
        unknown = [
            question.input
            for question, answer in zip(drawn.questions[: outcome.stage], answers, strict=False)
            if answer is None
        ]
        assert row["unknown"] == "; ".join(unknown)
        for name in ADDED[:-1]:
            assert row[name] == getattr(outcome, name), name


NUMBER_CELLS = st.sampled_from(
    (
        "",
        "49",
        "50",
        "50.0",
        " 51 ",
        "1e3",
        "+.5",
        "yes",
        "No",
        "unknown",
        "-0",
        "49.99999999999999",
    )
)
SEX_CELLS = st.sampled_from(("f", "m", "", "yes", "f ", '"f"', '"unknown"', "NA"))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(NUMBER_CELLS, SEX_CELLS), max_size=30), size=st.integers(1, 60))
def test_rows_stay_as_they_stand_and_get_their_result(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rows: list[tuple[str, str]],
    size: int,
) -> None:
    monkeypatch.setattr(delimited, "BYTES_AT_A_TIME", size)
    path, out, other = (tmp_path / name for name in ("t.csv", "out.csv", "out.parquet"))
    text = [f"{place},{age},{sex}" for place, (age, sex) in enumerate(rows)]
    path.write_text("\n".join(["id,age,sex", *text]), encoding="utf-8")
    staircase = build_staircase(two_questions())
    source = open_table(path)
    frames = [one.frame for one in applied(staircase, source)]
    assert write_table(frames, out, source) == len(rows)
    write_table(frames, other, source)

    head, *written = csv.reader(out.read_text(encoding="utf-8").splitlines())
    assert head == ["id", "age", "sex", *ADDED]
    found = pl.read_parquet(other).rows(named=True)
    for line, row, result, (age, sex) in zip(written, csv.reader(text), found, rows, strict=True):
        answers = AGE.answer(age), SEX.answer(sex.strip('"'))
        outcome = staircase.decide(answers)
        assert [result[name] for name in ADDED[:-1]] == [getattr(outcome, n) for n in ADDED[:-1]]
        cells = ["" if result[name] is None else str(result[name]) for name in ADDED]
        assert line == [*row, *cells]


def test_ones_and_zeros_with_a_point_are_yes_and_no(tmp_path: Path) -> None:
    """As they come out of a program that turned whole numbers into fractions."""
    path = tmp_path / "t.csv"
    path.write_text("f3,f1,f2,f4\n1.0,0.0,1.00,0\n0.,1.,1.0000,\n")
    staircase = build_staircase(TABLE_1, StoppingPolicy(0.1, 0.9, by="point"))
    (decided_rows,) = applied(staircase, open_table(path))
    plain = pl.DataFrame({"f3": [1, 0], "f1": [0, 1], "f2": [1, 1], "f4": [0, None]})
    assert decided_rows.frame.select(ADDED).equals(decided(staircase, plain).select(ADDED))


def test_more_questions_than_bits_may_be_unknown() -> None:
    """Rows with the same result are written once, also if 70 answers make them differ."""
    inputs = [f"q{number}" for number in range(70)]
    questions = tuple(Question(name, 1) for name in inputs)
    totals = tuple(range(71))
    risks = tuple(Risk(0.1 + 0.01 * total) for total in totals)
    staircase = build_staircase(
        ScoringList(questions, (*[None] * 70, Stage(totals, risks))), StoppingPolicy(0.05, 0.95)
    )
    rows = [["1"] * 70, ["", *["1"] * 69], [*["1"] * 69, ""], ["", *["0"] * 68, ""]] * 2
    frame = pl.DataFrame(rows, schema=dict.fromkeys(inputs, pl.String), orient="row")
    unknown = decided(staircase, frame)["unknown"].to_list()
    assert unknown == ["", "q0", "q69", "q0; q69"] * 2


def test_the_columns_that_are_added() -> None:
    staircase = build_staircase(TABLE_1, StoppingPolicy(0.1, 0.9, by="point"))
    frame = pl.DataFrame(
        {
            "f3": ["no", "yes", "yes", "?"],
            "f1": ["yes", "no", "no", "no"],
            "f2": ["", "yes", "no", "yes"],
            "f4": ["", "", "yes", ""],
        }
    )
    result = decided(staircase, frame)
    assert result.columns == ["f3", "f1", "f2", "f4", *ADDED]
    assert result.select(ADDED[:4]).rows() == [
        ("rule out", 2, -2, 0.1),
        ("rule in", 3, 2, 0.9),
        ("rule in", 4, 3, 0.9),
        ("unknown", 4, None, None),
    ]
    assert result["unknown"].to_list() == ["", "", "", "f3; f4"]


def test_only_questions_that_are_asked_need_a_column() -> None:
    staircase = build_staircase(TABLE_1, StoppingPolicy(0.2, 0.6, by="point"))
    frame = pl.DataFrame({"f3": [True], "f1": [False]})
    assert decided(staircase, frame)["decision"].to_list() == ["rule in"]


def test_a_table_without_rows_gets_its_columns() -> None:
    staircase = build_staircase(MARBURG, StoppingPolicy(0.1, 0.2))
    frame = pl.DataFrame(schema={q.input: pl.String for q in MARBURG.questions})
    assert decided(staircase, frame).columns == [*frame.columns, *ADDED]


# Refusals -----------------------------------------------------------------------------------------

AGE = Question("age", 2, Condition(">=", 50))
SEX = Question("sex", 1, Condition("in", None, ("f",), ("f", "m")))


def test_a_list_without_questions_gives_every_row_the_base_rate(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age\n5\n6\n")
    staircase = build_staircase(ScoringList((), (Stage((0,), (Risk(0.3),)),)))
    (found,) = applied(staircase, open_table(path))
    assert found.added["probability"].to_list() == [0.3, 0.3]
    assert found.added["unknown"].to_list() == ["", ""]


def two_questions() -> ScoringList:
    stages = (
        Stage((0,), (Risk(0.3),)),
        Stage((0, 2), (Risk(0.2), Risk(0.5))),
        Stage((0, 1, 2, 3), (Risk(0.05), Risk(0.2), Risk(0.5), Risk(0.95))),
    )
    return ScoringList((AGE, SEX), stages)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("age,sax\n5,f\n", "t.csv: there is no column 'sex'; did you mean 'sax'?"),
        ("x,y\n5,f\n", "there is no column 'age'; it has 'x', 'y'."),
        ("AGE,sex\n5,f\n", "there is no column 'age'; did you mean 'AGE'?"),
        ("a g e ,sex\n5,f\n", "there is no column 'age'; did you mean 'a g e '?"),
        ("age,sex\n5,f\nold,m\n", "t.csv, column 'age', row 2 (line 3): 'old' is not a number"),
        ("age;sex\n5;f\n5,5;m\n", "column 'age', row 2 (line 3): '5,5' has a comma"),
        ("age,sex\ninf,f\n", "column 'age', row 1 (line 2): 'inf' is not a number"),
        ("age,sex\n1e999,f\n", "column 'age', row 1 (line 2): inf is not a finite number"),
    ],
)
def test_every_complaint_names_its_place(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content)
    staircase = build_staircase(two_questions())
    with pytest.raises(TableError) as refusal:
        list(applied(staircase, open_table(path)))
    assert complaint in str(refusal.value)


def test_a_prefix_keeps_columns_apart() -> None:
    staircase = build_staircase(two_questions())
    frame = pl.DataFrame({"age": [60], "sex": ["f"], "stage": ["III"]})
    result = decided(staircase, frame, prefix="list_")
    assert result["stage"].to_list() == ["III"]
    assert result["list_stage"].to_list() == [2]
    with pytest.raises(TableError, match="'list_cases' already"):
        decided(staircase, result, prefix="list_")


def test_a_name_that_is_taken_puts_one_prefix_before_all_that_are_added() -> None:
    staircase = build_staircase(two_questions())
    frame = pl.DataFrame({"age": [60], "sex": ["f"], "Stage": ["III"]})
    once = decided(staircase, frame)
    assert once.columns[3:] == [f"scorecard_{name}" for name in ADDED]
    assert decided(staircase, once).columns[-len(ADDED) :] == [f"scorecard__{one}" for one in ADDED]


def test_not_a_number_is_unknown_and_infinity_is_refused() -> None:
    staircase = build_staircase(two_questions())
    frame = pl.DataFrame({"age": [float("nan"), None], "sex": ["f", "f"]})
    assert decided(staircase, frame)["unknown"].to_list() == ["age", "age"]
    endless = pl.DataFrame({"age": [1.0, float("inf")], "sex": ["f", "f"]})
    with pytest.raises(TableError, match="column 'age', row 2: inf is not a finite number"):
        decided(staircase, endless)


def test_one_column_answers_all_its_questions() -> None:
    ages = (Question("age", 2, Condition(">=", 65)), Question("age", 1, Condition(">=", 50)))
    stages = (stage(p0=0.5), stage(p0=0.3, p2=0.6), stage(p0=0.1, p1=0.4, p2=0.5, p3=0.9))
    staircase = build_staircase(ScoringList(ages, stages), StoppingPolicy(0.1, 0.9, by="point"))
    result = decided(staircase, pl.DataFrame({"age": [40, 50, 64, 65, None]}))
    assert result["total"].to_list() == [0, 1, 1, 3, None]
    assert result["unknown"].to_list() == ["", "", "", "", "age"]
    with pytest.raises(TableError, match=r"age.*several questions ask for it"):
        decided(staircase, pl.DataFrame({"age": ["40", "yes"]}))


def test_without_limits_everybody_ends_with_a_risk(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,sex\n60,f\n5,m\n")
    staircase = build_staircase(two_questions(), StoppingPolicy(0, 1, by="point"))
    (found,) = applied(staircase, open_table(path))
    assert found.decisions == {"final risk": 2}


def test_an_unseen_category_is_a_problem_of_its_row(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,sex\n60,f\n5,x\n,x\n5,m\n")
    staircase = build_staircase(two_questions(), StoppingPolicy(0.1, 0.9, by="point"))
    (found,) = applied(staircase, open_table(path))
    assert found.frame.select("decision", "stage", "unknown").rows() == [
        ("rule in", 2, ""),
        ("problem", None, "sex"),
        ("problem", None, "sex"),
        ("rule out", 2, ""),
    ]
    assert found.decisions == {"rule in": 1, "problem": 2, "rule out": 1}

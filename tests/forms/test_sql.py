"""The query is short and quick to read, is for a database it is run in, and guards every value."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scorecard import check, export
from scorecard.cli import run as command
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Condition, Question, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import dumps
from scorecard.errors import ScorecardError
from scorecard.forms.found import NotRunError, Work, differences
from scorecard.forms.sql.dialects import DIALECTS
from scorecard.forms.sql.make import make
from tests.forms.test_agreement import RUNS, SUBSTITUTED
from tests.lists import TABLE_1, stage

LIST = ScoringList(
    (
        Question("age", 2, Condition(">=", 65), unit="years"),
        Question("sex", 1, Condition("in", categories=("f",), choices=("f", "m"))),
        Question("smoker", -1),
    ),
    (
        stage(p0=0.3),
        stage(p0=0.2, p2=0.43),
        stage(p0=0.04, p1=0.32, p2=0.51, p3=0.62),
        stage(m1=0.01, p0=0.22, p1=0.33, p2=0.52, p3=0.97),
    ),
)
STAIRCASE = build_staircase(LIST, StoppingPolicy(0.05, 0.95, by="point"))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_three_questions_take_fewer_than_sixty_lines(dialect: str) -> None:
    query = make(STAIRCASE, dialect=dialect).decode()
    assert len([line for line in query.splitlines() if not line.startswith("--")]) < 60


def wrong(content: str, dialect: str) -> list[str]:
    work = Work(STAIRCASE)
    try:
        return list(differences(RUNS[dialect][1](content.encode(), work), work))
    except NotRunError as reason:
        pytest.skip(str(reason))


FALSIFIED = {
    "points": ("THEN 2 ELSE 0", "THEN 3 ELSE 0"),
    "cut-off": ("65e0", "66e0"),
    "word": ("unknown", "unknowable"),
    "category": ("IN ('f')", "IN ('F')"),
    "stop": ("low2 <= 0", "low2 <= 1"),
    "risk": ("0.97e0", "0.96e0"),
    "unknown as no": ("THEN '?'", "THEN '0'"),
    "NULL as no": ("IS NULL OR", "IS NULL AND"),
    "a guard": ("LIKE '%!%'", "LIKE '%x%'"),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("fault", FALSIFIED)
def test_a_fault_shows_when_the_query_is_run(dialect: str, fault: str) -> None:
    query, (old, new) = make(STAIRCASE, dialect=dialect).decode(), FALSIFIED[fault]
    assert old in query
    assert wrong(query.replace(old, new), dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_file_says_which_database_it_is_for(tmp_path: Path, dialect: str) -> None:
    model, target = tmp_path / "model.json", tmp_path / "ward.sql"
    scoring_list = replace(TABLE_1, policy=StoppingPolicy(0.1, 0.9, by="point"))
    model.write_bytes(dumps(scoring_list))
    to = ["--to", "sql", "--dialect", dialect]
    assert command(["export", str(model), *to, "-o", str(target)]) == 0
    (verdict,) = check(scoring_list, [target])
    assert verdict.whole
    assert verdict.again == f"scorecard export MODEL --to sql --dialect {dialect} --force"
    target.write_bytes(target.read_bytes().replace(b"THEN -2", b"THEN -1", 1))
    assert check(scoring_list, [target])[0].disagrees


@pytest.mark.parametrize(
    ("asked", "near"), [("mysql", "mariadb"), ("Redshift", "postgresql"), ("snowflake", "duckdb")]
)
def test_another_dialect_is_refused_with_the_nearest(
    tmp_path: Path, asked: str, near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ScorecardError, match=f"the nearest is '{near}'"):
        export(LIST, "sql", dialect=asked)
    model = tmp_path / "model.json"
    model.write_bytes(dumps(LIST))
    assert command(["export", str(model), "--to", "sql", "--dialect", asked]) != 0
    assert "tested in: duckdb, sqlite, postgresql, mariadb" in capsys.readouterr().err


def test_a_dialect_is_for_a_query() -> None:
    with pytest.raises(ScorecardError, match="leave it out"):
        export(LIST, "python", dialect="duckdb")


@pytest.mark.parametrize(
    ("dialect", "name"),
    [("postgresql", "ä" * 32), ("mariadb", "a" * 65), ("mariadb", "a "), ("mariadb", "🫀")],
)
def test_a_name_that_no_column_can_have_is_refused(dialect: str, name: str) -> None:
    """PostgreSQL would cut it off, and read another column that begins alike."""
    staircase = build_staircase(
        ScoringList((Question(name, 1),), (stage(p0=0.4), stage(p0=0.01, p1=0.99)))
    )
    with pytest.raises(ScorecardError, match="'duckdb'"):
        make(staircase, dialect=dialect)
    assert make(staircase)


def test_what_is_no_answer_names_its_input_also_that_of_a_substitute() -> None:
    duckdb = pytest.importorskip("duckdb")
    query = make(build_staircase(SUBSTITUTED, StoppingPolicy(0.05, 0.85, by="point"))).decode()
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE cases (crp TEXT, esr TEXT, sex TEXT, name TEXT)")
        connection.execute("ALTER TABLE cases ADD COLUMN cough TEXT")
        connection.execute("ALTER TABLE cases ADD COLUMN voice TEXT")
        connection.execute(
            "INSERT INTO cases VALUES ('1,5', '1', 'f', 'x', 'no', 'a'),"
            " (NULL, 'high', 'f', 'x', 'no', 'a'), ('60', 'high', 'f', 'x', '?', 'c')"
        )
        told = connection.execute(
            f"SELECT scorecard_problem, scorecard_decision FROM ({query.rstrip().rstrip(';')})"
        ).fetchall()
    assert sorted(told) == [("crp", None), ("esr", None), ("voice", None)]

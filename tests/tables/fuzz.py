"""Thousands of tables made and damaged by chance: none may crash, hang or be misread.

Every table that is accepted is read a second time by other means (Python's csv module, pyarrow,
openpyxl, and rules written down here), and compared cell by cell. `make fuzz` runs it.
"""

from __future__ import annotations

import csv
import io
import os
import random
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import openpyxl
import polars as pl
import pyarrow.parquet as pq

from scorecard.errors import ScorecardError
from scorecard.tables.cases import Cases, read_cases
from scorecard.tables.read_table import open_table
from scorecard.tables.suspicions import doubts

SLOWEST = 60.0  # seconds
FINE = {"accepted", "accepted alone", "refused"}
UNKNOWN = {"", "?", "-", "–", ".", "na", "n/a", "#n/a", "nan", "null", "unknown", "missing"}
UNKNOWN |= {"unbekannt", "fehlt", "k.a."}
YES = {"yes", "true", "ja", "wahr", "y", "t", "j", "1"}
NO = {"no", "false", "nein", "falsch", "n", "f", "0"}
SIGNS = {"+", "-", "–"}
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)

Rows = list[list[object]]


def value_of(chance: random.Random, kind: str) -> str:
    """A cell of a column of this kind."""
    makers: dict[str, Callable[[], str]] = {
        "number": lambda: repr(round(chance.gauss(50, 20), chance.randrange(4))),
        "whole": lambda: str(chance.randrange(200)),
        "codes": lambda: str(chance.randrange(1, 5)),
        "yes": lambda: chance.choice(["yes", "no", "Yes", "NO"]),
        "bits": lambda: chance.choice("01"),
        "word": lambda: chance.choice(["red", "green", " blue ", "a,b", 'say "x"', "ü\x1f", "x;y"]),
        "signs": lambda: chance.choice("+-"),
        "unit": lambda: f"{chance.randrange(100)} mg",
        "percent": lambda: f"{chance.randrange(100)}%",
        "large": lambda: str(chance.randrange(2**52, 2**55)),
        "thousands": lambda: f"{chance.randrange(10**7):,}",
        "bound": lambda: chance.choice(["<0.01", "0.5", "1.25"]),
        "text": lambda: "".join(chance.choices("ab1.,-+ %<\t\"'\n\0é€", k=chance.randrange(6))),
        "extreme": lambda: chance.choice(["1e308", "-1e308", "1e-320", "inf", "1e999", "0"]),
    }
    return makers[kind]()


def made_table(chance: random.Random) -> tuple[list[str], list[list[str]]]:
    kinds = ["number", "whole", "codes", "yes", "bits", "word", "signs", "unit", "percent", "large"]
    rare = ["thousands", "bound", "text", "extreme"]
    width, height = chance.randrange(1, 6), chance.randrange(2, 40)
    chosen = [chance.choice(rare if chance.random() < 0.1 else kinds) for _ in range(width)]
    gaps = [chance.choice([0, 0, 0.2]) for _ in chosen]
    names = [chance.choice([f"x{place}", f"x {place}", "", f"ü{place}"]) for place in range(width)]
    rows = [
        [
            chance.choice(["", "NA", "?"]) if chance.random() < gap else value_of(chance, kind)
            for kind, gap in zip(chosen, gaps, strict=True)
        ]
        + [chance.choice(["yes", "no"])]
        for _ in range(height)
    ]
    return [*names, "ill"], rows


def written(chance: random.Random, folder: Path) -> Path:
    """A table as a file of some kind, half of them damaged."""
    names, rows = made_table(chance)
    kind = chance.choice(["csv", "csv", "csv", "tsv", "parquet", "xlsx"])
    path = folder / f"t.{kind}"
    if kind == "parquet":
        named = [name or f"column {place}" for place, name in enumerate(names, 1)]
        frame = pl.DataFrame(rows, schema=named, orient="row", infer_schema_length=None)
        frame.write_parquet(path)
    elif kind == "xlsx":
        book = openpyxl.Workbook()
        for row in [names, *rows]:
            book.active.append([_typed(re.sub(r"[\0-\x1f]", "", cell)) for cell in row])
        book.save(path)
    else:
        text = io.StringIO(newline="")
        separator = "\t" if kind == "tsv" else chance.choice(",;|")
        ends = chance.choice(["\n", "\r\n"])
        quoting = chance.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
        csv.writer(text, delimiter=separator, lineterminator=ends, quoting=quoting).writerows(
            [names, *rows]
        )
        path.write_bytes(chance.choice([b"", b"\xef\xbb\xbf"]) + text.getvalue().encode())
    if chance.random() < 0.5:
        path.write_bytes(damaged(chance, path.read_bytes()))
    return path


def _typed(text: str) -> object:
    return float(text) if NUMBER.fullmatch(text) and abs(float(text)) < 1e300 else text or None


def damaged(chance: random.Random, content: bytes) -> bytes:
    data = bytearray(content)
    for _ in range(chance.randrange(1, 5)):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0:
                data[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[place : place + chance.randrange(1, 30)]
            case 2:
                data[place:place] = chance.choice([b'"', b"\n", b",", b"\r", b"\0", b";", b"\xff"])
            case _:
                data = data[: max(place, 1)]
    return bytes(data)


# The second reading -------------------------------------------------------------------------------


def second_reading(path: Path) -> tuple[list[str], Rows]:
    """Names and rows by other means than ours."""
    if path.suffix == ".parquet":
        table = pq.read_table(path)
        columns = [column.to_pylist() for column in table.columns]
        return table.column_names, [list(row) for row in zip(*columns, strict=True)]
    if path.suffix == ".xlsx":
        sheet = openpyxl.load_workbook(path, data_only=True).worksheets[0]
        first, *others = ([cell.value for cell in row] for row in sheet.iter_rows())
        named = max(place for place, cell in enumerate(first, 1) if cell is not None)
        rows = [row[:named] for row in others if any(cell is not None for cell in row)]
        return ["" if cell is None else _excel_text(cell) for cell in first[:named]], rows
    separator = open_table(path).separator or ","
    text = path.read_bytes().decode("utf-8-sig")
    names, *found = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    return names, [row or [""] for row in found if row or len(names) == 1]


def _excel_text(cell: object) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def expected(cell: object, kind: pl.DataType, unit: str, signs: bool) -> object:
    """What a cell means in a column of this kind."""
    if cell is None or isinstance(cell, (bool, int, float)):
        return cell if kind != pl.String or cell is None else _excel_text(cell)
    word = str(cell).strip()
    if word.lower() in UNKNOWN and not (signs and word in SIGNS):
        return None
    if kind == pl.Float64:
        bare = word.removesuffix(unit).removeprefix(unit).strip() if unit else word
        return float(bare) if NUMBER.fullmatch(bare) else f"no number: {word!r}"
    if kind == pl.Boolean:
        short = word[0] if re.fullmatch(r"[01]\.0*", word) else word.lower()
        return True if short in YES else False if short in NO else f"neither: {word!r}"
    return word


def misread(path: Path, cases: Cases) -> list[str]:
    """Every cell that is not what the second reading says."""
    names, rows = second_reading(path)
    named = [name if name.strip() else f"column {place}" for place, name in enumerate(names, 1)]
    ill = named.index("ill")
    kept = [row for row in rows if expected(row[ill], pl.String(), "", False) is not None]
    found = [] if len(kept) == cases.inputs.height else [f"{cases.inputs.height} rows, {len(kept)}"]
    outcome = [expected(row[ill], pl.Boolean(), "", False) for row in kept]
    found += ["outcome"] if outcome != cases.outcome.to_list() else []
    for column in cases.inputs.get_columns():
        place = named.index(column.name)
        words = {str(row[place]).strip() for row in rows if row[place] is not None}
        signs = "+" in words and words <= {"+", "-", "–"} | {
            w for w in words if w.lower() in UNKNOWN
        }
        unit = cases.units.get(column.name, "")
        for row, value in zip(kept, column.to_list(), strict=False):
            wanted = expected(row[place], column.dtype, unit, signs)
            if wanted != value:
                found.append(f"{column.name!r}: {row[place]!r} became {value!r}, not {wanted!r}")
    return found


def tried(seed: int, folder: Path) -> str:
    """What became of one table: accepted, refused, or what went wrong."""
    chance = random.Random(seed)
    try:
        path = written(chance, folder)
    except Exception:
        return f"the fuzzer itself: {traceback.format_exc(limit=2)}"
    started = time.monotonic()
    try:
        cases = read_cases(path, "ill")
        list(doubts(cases))
    except ScorecardError as error:
        return "refused" if "\n" not in str(error) else f"two lines: {error}"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"traceback: {traceback.format_exc(limit=-3)}"
    if time.monotonic() - started > SLOWEST:
        return "hang"
    try:
        second_reading(path)
    except Exception:  # damaged where only the other reader looks; there is nothing to compare
        return "accepted alone"
    wrong = misread(path, cases)
    return f"misread: {wrong[0]}" if wrong else "accepted"


def main(arguments: Sequence[str] = ()) -> int:
    """Try so many tables, and print what became of them."""
    count = int(os.environ.get("FUZZ_TABLES", "10000"))
    first = int(arguments[0]) if arguments else 0
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            end = tried(seed, Path(folder))
            ends[end.split(":")[0]] += 1
            if end not in FINE:
                sys.stdout.write(f"seed {seed}: {end}" + "\n")
    told = ", ".join(f"{number} {end}" for end, number in ends.most_common())
    sys.stdout.write(f"{told}\n")
    return 0 if set(ends) <= FINE else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

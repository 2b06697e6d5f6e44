# Written by scorecard 0.2.0.dev0, language en, sha256 of what follows:
# b5d1df79c00c49c5f12028bc6e0e44cb8570dc2fb5de126f99dcc1bff43f95ae
"""Breast mass: malignant?

Outcome: malignant; Population: a breast mass with a fine-needle aspirate; Source: Wisconsin
  breast cancer (UCI); Note: An illustration, not a clinical tool; the source names no units.
Add the points of each yes in order and stop where told; follow an unknown both ways.
  1. Largest perimeter ≥ 110       +3   biopsy at 3 or more
  2. Largest concave points ≥ 0.14 +3   benign at 0 or less, else refer
Rule out at a risk of at most 5, rule in at one of at least 85 of 100; kept by the total's own
  risk and, in cross-checking, by all who stop on that side; at least 10 cases behind a stop.
  Each risk is that of patients with this total after this question. Risks expected in new
  patients: learned from all cases, corrected by cross-checking. Counts are of the cases that
  chose the questions. 569 cases, 212 with the outcome. In cross-checking 10 of 335 with ▼ had
  the outcome (limit: at most 5 of 100). In cross-checking 173 of 191 with ▲ had the outcome
  (limit: at least 85 of 100). In cross-checking 526 of 569 cases ended with ▼ or ▲ (1.7
  questions on average); each was judged by a list that had not seen it. Not validated elsewhere.
table: cases.csv; table sha256: fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6;
  rows: 569; cases: 569, 212 positive; psl-scorecard: 0.2.0.dev0; numpy: 2.4.6; scikit-learn:
  1.9.1; python: 3.11.7
List sha256:8a130cc33232b3cf724d7d8d1d21a3501548e9b30e1039e394a5a2e3bd7c6827, scorecard
  0.2.0.dev0
"""

import argparse
import csv
import json
import math
import re
import sys
import zlib
from collections import namedtuple
from functools import lru_cache
from itertools import chain

# --- The list -------------------------------------------------------------------------------------

MODEL = 'sha256:8a130cc33232b3cf724d7d8d1d21a3501548e9b30e1039e394a5a2e3bd7c6827'

# What the decisions are called on the card.
NAMES = {'rule out': 'benign', 'rule in': 'biopsy', 'undecided': 'refer'}

# In the order in which they are asked. `test` is the cut-off, or the categories that mean yes.
Question = namedtuple("Question", "input points condition test choices unit text")
QUESTIONS = (
    Question('worst_perimeter', 3, '>=', 110, (), '', 'Largest perimeter ≥ 110'),
    Question('worst_concave_points', 3, '>=', 0.14, (), '', 'Largest concave points ≥ 0.14'),
)

# What the card calls an input is a name of it, too.
LABELS = {'Largest perimeter': 'worst_perimeter', 'Largest concave points': 'worst_concave_points'}

# So many of them decide. Later ones only sharpen the risk of who is undecided, if that is wanted.
DECIDING = 2

# By number of answers and total: what to do, and the risk with its range and the cases behind it.
Box = namedtuple("Box", "decision risk lower upper cases positives")
BOXES = {
    (0, 0): Box('go on', 0.37258347978910367, 0.3327290425963131, 0.4137683446075898, 569, 212),
    (1, 0): Box('go on', 0.07950528080438625, 0.04410240359433425, 0.1995010754989386, 367, 28),
    (1, 3): Box('rule in', 0.9054997130213935, 0.7124106129661858, 0.9521198151873832, 202, 184),
    (2, 0): Box(
        'rule out', 0.027106638186944875, 0.006715869015598677, 0.12021655215193851, 333, 9,
    ),
    (2, 3): Box('undecided', 0.5780393134797204, 0.2480964714415164, 0.8262816601207256, 34, 19),
}

RESULT = ("decision", "stage", "total", "probability", "lower", "upper")

# --- Deciding -------------------------------------------------------------------------------------


def evaluate(answers, sharpen=False):
    """The result for a dict of input: value, True, False or None; what is left out is unknown.

    With `sharpen` the questions that only sharpen the risk are used as well.
    """
    return decide(read_case(by_input(answers), sharpen), sharpen)


def by_input(answers):
    """The same answers by the names of their inputs, where some came as the card calls them."""
    inputs = [question.input for question in QUESTIONS]
    named = {}
    for name, value in answers.items():
        name = LABELS.get(name, name)
        if name not in inputs:
            raise ValueError(f"{name!r} came, expected an input: {', '.join(inputs)}")
        if name in named:
            raise ValueError(f"{name!r} came twice, by its name and by its label")
        named[name] = value
    return named


def decide(answers, sharpen=False):
    """The result for answers (True, False or None) to the first questions, in their order."""
    low_stage, low_total = follow(answers, sharpen, unknown_to_highest=False)
    high_stage, high_total = follow(answers, sharpen, unknown_to_highest=True)
    low, high = BOXES[low_stage, low_total], BOXES[high_stage, high_total]
    if low.decision == high.decision:
        decision = low.decision
    else:  # the unknown answers matter
        decision = "go on" if "go on" in (low.decision, high.decision) else "unknown"
    return {
        "decision": decision,
        "stage": max(low_stage, high_stage),
        "total": low_total if low_total == high_total else None,
        "probability": low.risk if low.risk == high.risk else None,
        "lower": low.lower,
        "upper": high.upper,
        "totals": (low_total, high_total),
        "name": NAMES.get(decision, decision),
    }


def follow(answers, sharpen, unknown_to_highest):
    """Add up points until a box says stop: number of answers used, and their total.

    An unknown answer counts so that the total becomes the highest or the lowest possible.
    """
    stage = total = 0
    for question, yes in zip(questions(sharpen), answers):
        decision = BOXES[stage, total].decision
        goes_on = decision == "undecided" if stage >= DECIDING else decision == "go on"
        if not goes_on:
            break
        if yes is None:
            yes = (question.points > 0) == unknown_to_highest
        stage += 1
        total += question.points if yes else 0
    return stage, total


def questions(sharpen):
    return QUESTIONS if sharpen else QUESTIONS[:DECIDING]


# --- Reading what was said ------------------------------------------------------------------------

ANSWERS = {'ja': True, 'true': True, 'wahr': True, 'yes': True, 'falsch': False, 'false': False,
           'nein': False, 'no': False,}
UNKNOWN = {'', '#n/a', '-', '.', '?', 'fehlt', 'k.a.', 'missing', 'n/a', 'na', 'nan', 'null',
           'unbekannt', 'unknown', '–',}
is_number = re.compile('[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?').fullmatch


def read(question, value):
    """True, False, or None for unknown; ValueError names the input."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return {"missing": True, "present": False}.get(question.condition)
    if not isinstance(value, (str, int, float)) or value in (math.inf, -math.inf):
        raise ValueError(f"{question.input!r}: {value!r} came, expected a value, yes, no or None")
    return READERS[question.condition](question, value)


def read_case(values, sharpen=False):
    """The answers of a case, a dict of input: value."""
    return [read_at(place, values) for place in range(len(questions(sharpen)))]


def read_at(place, values):
    """The answer to a question, by the value of its input."""
    question = QUESTIONS[place]
    return read(question, values.get(question.input))


def read_number(question, value):
    if isinstance(value, bool):
        return value  # the answer itself
    text = str(value).strip()
    if is_number(text) and math.isfinite(float(text)):
        return (float(text) >= question.test) == (question.condition == ">=")
    word = text.lower()
    if word in UNKNOWN:
        return None
    if word in ANSWERS:
        return ANSWERS[word]
    raise refusal(question, value, "a number with decimal point")


READERS = {
    ">=": read_number,
}


def refusal(question, value, expected):
    return ValueError(f"{question.input!r}: {value!r} came, expected {expected} or unknown")


# --- One case, a table of cases -------------------------------------------------------------------


def describe(answers, sharpen=False):
    """The last answer and where it leads, as one line."""
    found = decide(answers, sharpen)
    risk, lower, upper = [
        "?" if found[key] is None else f"{found[key]:.1%}"
        for key in ("probability", "lower", "upper")
    ]
    total = " to ".join(map(str, sorted(set(found["totals"]))))
    line = f"Total {total}, risk {risk} ({lower} to {upper}): {found['name']}"
    if answers:
        word = {True: "yes", False: "no", None: "unknown"}[answers[-1]]
        line = f"{QUESTIONS[len(answers) - 1].text}: {word}. {line}"
    return line


def ask(sharpen=False):
    """Put as many questions to a person as are needed; the answers, and if some only sharpen."""
    answers = []
    while True:
        decision = decide(answers, sharpen)["decision"]
        if decision != "go on":
            return answers, sharpen
        question = QUESTIONS[len(answers)]
        said = input(f"{question.text}? (yes, no, a value, or ? for unknown) ")
        try:
            answer = read(question, said)
        except ValueError as error:
            print(error)
            continue
        answers.append(answer)


def apply(source, target, sharpen=False):
    """Add the result to every row of a CSV stream, or its problem; how many have one."""
    first = source.readline().lstrip("\ufeff")
    rows = csv.reader(chain([first], source), delimiter=max(",;\t", key=first.count))
    names = next(rows, [])
    places = range(len(questions(sharpen)))
    inputs = [question.input for question in questions(sharpen)]
    columns = {name: column_of(name, names) for name in inputs}

    @lru_cache(9999)
    def result_cells(answers):
        result = decide(answers, sharpen)
        return [result[key] for key in RESULT]

    writer = csv.writer(target, rows.dialect, lineterminator="\n")
    added = [f"card_{name}" if name in names else name for name in (*RESULT, "problem")]
    writer.writerow(names + added)
    problems = 0
    for row in filter(None, rows):
        try:
            if len(row) != len(names):
                raise ValueError(f"{len(row)} fields came, expected {len(names)}")
            values = {name: row[at] for name, at in columns.items()}
            answers = tuple([read_at(place, values) for place in places])
            writer.writerow([*row, *result_cells(answers), ""])
        except ValueError as error:
            problems += 1
            empty = [""] * (len(names) - len(row) + len(RESULT))
            writer.writerow([*row, *empty, error])
    return f"{problems} rows have a problem, named in their last column" if problems else None


def column_of(name, names):
    """Where an input stands in a table: under its own name, or as the card calls it."""
    called = [label for label, meant in LABELS.items() if meant == name]
    found = [at for at, title in enumerate(names) if title == name]
    found = found or [at for at, title in enumerate(names) if title in called]
    if len(found) != 1:
        raise ValueError(f"expected one column {name!r}; the columns are {', '.join(names)}")
    return found[0]


# --- Has this file been changed? ------------------------------------------------------------------

LETTERS = {"1": True, "0": False, "?": None}
# Question, what is said, the answer it is.
READINGS = ((0, '110', '1'), (0, '109.99999999999999', '0'), (0, '110.00000000000001', '1'),
            (0, 'unknown', '?'), (1, '0.14', '1'), (1, '0.13999999999999999', '0'),
            (1, '0.14000000000000004', '1'),)
# By decision: answers to the first questions, and the total or totals they lead to.
WALKS = {'rule in': '1:3', 'rule out': '00:0', 'undecided': '01:3', 'go on': '?:0:3',
         'unknown': '0?:0:3 ??:0:3',}
CHECKSUM = 3581272812


def selftest():
    """Say if this file does not do what it did when it was written."""
    wrong = []
    for place, said, letter in READINGS:
        if read(QUESTIONS[place], said) is not LETTERS[letter]:
            wrong.append((QUESTIONS[place].input, said))
    for decision, walks in WALKS.items():
        for walk in walks.split():
            letters, *totals = walk.split(":")
            found = decide([LETTERS[letter] for letter in letters])
            ends = [found["decision"], found["stage"], *sorted(set(found["totals"]))]
            if ends != [decision, len(letters), *map(int, totals)]:
                wrong.append(walk)
    boxes = {key: tuple(box) for key, box in BOXES.items()}
    asked = tuple(map(tuple, QUESTIONS))
    content = ascii((asked, DECIDING, LABELS, boxes))
    if wrong or zlib.crc32(content.encode()) != CHECKSUM:
        return f"this file has been changed {wrong[:1]}"
    print("ok")


# --- The command line -----------------------------------------------------------------------------


def arguments():
    usage = "%(prog)s [TABLE.csv [-o FILE] | --INPUT ANSWER ... [--explain] [--json] | --selftest]"
    parser = argparse.ArgumentParser(usage=usage, allow_abbrev=False)
    sharpen = "also use the questions that only sharpen the risk of who is undecided"
    parser.add_argument("--sharpen", action="store_true", help=sharpen)
    parser.add_argument("table", nargs="?", help="cases to add results to; - is standard input")
    parser.add_argument("-o", "--output", help="a new file for the table with results")
    parser.add_argument("--version", action="version", version=MODEL)
    for flag in ("--explain", "--json", "--selftest"):
        parser.add_argument(flag, action="store_true")
    for name in dict.fromkeys(question.input for question in QUESTIONS):
        taken = name in ("output", "version", "help", "sharpen", "explain", "json", "selftest")
        parser.add_argument(f"--{'input-' * taken}{name}", dest=f"={name}", metavar="ANSWER")
    return vars(parser.parse_args())


def run(given):
    """What was asked for; a text to end with if something is wrong."""
    if given["selftest"]:
        return selftest()
    if given["table"]:
        text = {"encoding": "utf-8", "newline": ""}
        source = 0 if given["table"] == "-" else given["table"]
        target, mode = (given["output"], "x") if given["output"] else (1, "w")
        with open(source, **text) as rows, open(target, mode, **text) as out:
            return apply(rows, out, given["sharpen"])
    said = {key[1:]: word for key, word in given.items() if key[0] == "=" and word is not None}
    answers, sharpen = read_case(said, given["sharpen"]), given["sharpen"]
    if not said:
        answers, sharpen = ask(sharpen)
    result = decide(answers, sharpen)
    if given["json"]:
        print(json.dumps(result))
    else:
        first = 0 if given["explain"] else result["stage"]
        for stage in range(first, result["stage"] + 1):
            print(describe(answers[:stage], sharpen))


def main():
    try:
        return run(arguments())
    except (ValueError, OSError, csv.Error) as error:
        return str(error)
    except (EOFError, KeyboardInterrupt):
        print()  # behind the question that was not answered
        return "stopped before there was a result"


if __name__ == "__main__":
    sys.exit(main())

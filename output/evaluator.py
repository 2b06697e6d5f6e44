"""Breast mass: malignant?

Outcome: malignant; Population: a breast mass with a fine-needle aspirate; Source: Wisconsin
  breast cancer (UCI); Note: An illustration, not a clinical tool.
Add the points of each yes in order and stop where told; follow an unknown both ways.
  1. Mean concave points ≥ 0.049    +3
  2. Largest area ≥ 928.5           +3   rule in at 6 or more
  3. Largest texture ≥ 23.35        +2   rule out at 0 or less
  4. Largest symmetry ≥ 0.278       +1
  5. Spread of radius ≥ 0.643       +2
  6. Largest concave points ≥ 0.131 +1   else undecided
Rule out at a risk of at most 5, rule in at one of at least 95 of 100; shown by the total's own
  estimate and, with 90 % confidence, by all who stop there together; at least 10 cases behind a
  stop. Each risk is that of the cases who get to the box. Held-out figures: from cases that did
  not choose the questions. 190 cases, 71 with the outcome. Not externally validated.
table: cases.csv; table sha256: fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6;
  rows: 569; cases: 569, 212 positive; psl-scorecard: 0.1.0; numpy: 2.4.6; scikit-learn: 1.9.1;
  python: 3.11.7
List sha256:d224858f7a50028e4ba2bce8248a57ce49bc006e6e51fe7155e90d2918e68ef2, scorecard 0.1.0
"""

import argparse
import csv
import json
import math
import re
import sys
import zlib
from functools import lru_cache
from itertools import chain

MODEL = 'sha256:d224858f7a50028e4ba2bce8248a57ce49bc006e6e51fe7155e90d2918e68ef2'
NAMES = {'rule out': 'benign', 'rule in': 'malignant', 'undecided': 'refer'}
NOT_ASKED = ()
# Input, points, condition, cut-off or categories, all known values, unit, the question in words.
QUESTIONS = (
    ('mean_concave_points', 3, '>=', 0.049, (), '', 'Mean concave points ≥ 0.049'),
    ('worst_area', 3, '>=', 928.5, (), '', 'Largest area ≥ 928.5'),
    ('worst_texture', 2, '>=', 23.35, (), '', 'Largest texture ≥ 23.35'),
    ('worst_symmetry', 1, '>=', 0.278, (), '', 'Largest symmetry ≥ 0.278'),
    ('radius_error', 2, '>=', 0.643, (), '', 'Spread of radius ≥ 0.643'),
    ('worst_concave_points', 1, '>=', 0.131, (), '', 'Largest concave points ≥ 0.131'),
)
# By number of answers and total: decision, risk, lower, upper, cases, positives.
STEPS = {
    (0, 0): ('go on', 0.3736842105263158, 0.3047279508899647, 0.4466488312979434, 190, 71),
    (1, 0): ('go on', 0.047619047619047616, 0.013057332036604589, 0.11713896079725875, 105, 5),
    (1, 3): ('go on', 0.7764705882352941, 0.6583279684156552, 0.8694172490028629, 85, 66),
    (2, 0): ('go on', 0.029411764705882353, 0.004026449132770904, 0.09736389947265522, 102, 3),
    (2, 3): ('go on', 0.4444444444444444, 0.24927775072612374, 0.6528005579340042, 36, 16),
    (2, 6): ('rule in', 1.0, 0.9120439047442115, 1.0, 52, 52),
    (3, 0): ('rule out', 0.0, 0.0, 0.09651277941601083, 54, 0),
    (3, 2): ('go on', 0.0625, 0.006707385566126647, 0.21454357624728393, 48, 3),
    (3, 3): ('go on', 0.07142857142857142, 0.006707385566126647, 0.43280656767632064, 14, 1),
    (3, 5): ('go on', 0.6818181818181818, 0.3814228972533974, 0.9009272489932418, 22, 15),
    (4, 2): ('go on', 0.03571428571428571, 8.939351195182114e-05, 0.25829338880779784, 28, 1),
    (4, 3): ('go on', 0.08695652173913043, 0.003214899162432661, 0.3695588931575456, 23, 2),
    (4, 4): ('go on', 0.09090909090909091, 0.003214899162432661, 0.544067148093351, 11, 1),
    (4, 5): ('go on', 0.3333333333333333, 0.013138726159438065, 0.8805396464401574, 6, 2),
    (4, 6): ('go on', 0.8125, 0.4368605064575009, 0.9825735295178142, 16, 13),
    (5, 2): ('go on', 0.03571428571428571, 7.44796009361325e-05, 0.26378779734869034, 28, 1),
    (5, 3): ('go on', 0.08695652173913043, 0.0029289374910605073, 0.3758989567278736, 23, 2),
    (5, 4): ('go on', 0.1, 0.0029289374910605073, 0.5895875247774736, 10, 1),
    (5, 5): ('go on', 0.3333333333333333, 0.011975272773757638, 0.8861429380778487, 6, 2),
    (5, 6): ('go on', 0.7647058823529411, 0.3929323576845668, 0.966620693772742, 17, 13),
    (5, 7): ('go on', 0.7647058823529411, 0.3929323576845668, 1.0, 0, 0),
    (5, 8): ('go on', 0.7647058823529411, 0.3929323576845668, 1.0, 0, 0),
    (6, 2): ('undecided', 0.03571428571428571, 6.874508014812205e-05, 0.2661826396146591, 28, 1),
    (6, 3): ('undecided', 0.07142857142857142, 0.0034190452130381578, 0.44140607517237584, 19, 2),
    (6, 4): ('undecided', 0.07142857142857142, 0.0034190452130381578, 0.5008606022093256, 9, 0),
    (6, 5): ('undecided', 0.2222222222222222, 0.007436828830718623, 0.7356206645931984, 9, 2),
    (6, 6): ('undecided', 0.3333333333333333, 0.011498116699023087, 0.8885144144105703, 6, 2),
    (6, 7): ('undecided', 0.9230769230769231, 0.5053283356014359, 0.9998519395459082, 13, 12),
    (6, 8): ('undecided', 0.9230769230769231, 0.5053283356014359, 1.0, 0, 0),
    (6, 9): ('undecided', 0.9230769230769231, 0.5053283356014359, 1.0, 0, 0),
}
ANSWERS = {'ja': True, 'true': True, 'wahr': True, 'yes': True, 'falsch': False, 'false': False,
           'nein': False, 'no': False,}
SHORT = {**ANSWERS, '1': True, 'j': True, 't': True, 'y': True, '0': False, 'f': False, 'n': False,}
UNKNOWN = {'', '#n/a', '-', '.', '?', 'fehlt', 'k.a.', 'missing', 'n/a', 'na', 'nan', 'null',
           'unbekannt', 'unknown', '–',}
is_number = re.compile('[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?').fullmatch
RESULT = ("decision", "stage", "total", "probability", "lower", "upper")
# For --selftest: question, what is said, the answer it is; by decision the answers and totals.
LETTERS = {"1": True, "0": False, "?": None}
READINGS = ((0, '0.049', '1'), (0, '0.048999999999999995', '0'), (0, '0.04900000000000001', '1'),
            (0, 'unknown', '?'), (1, '928.5', '1'), (1, '928.4999999999999', '0'),
            (1, '928.5000000000001', '1'), (2, '23.35', '1'), (2, '23.349999999999998', '0'),
            (2, '23.350000000000005', '1'), (3, '0.278', '1'), (3, '0.27799999999999997', '0'),
            (3, '0.2780000000000001', '1'), (4, '0.643', '1'), (4, '0.6429999999999999', '0'),
            (4, '0.6430000000000001', '1'), (5, '0.131', '1'), (5, '0.13099999999999998', '0'),
            (5, '0.13100000000000003', '1'),)
WALKS = {'rule in': '11:6', 'rule out': '000:0',
         'undecided': '001000:2 001001:3 001101:4 001011:5 001111:6 010111:7 011011:8 011111:9',
         'go on': '?:0:3 0?:0:3 00?:0:2', 'unknown': '???:0:6',}
CHECKSUM = 1786990826


def evaluate(answers):
    """The result for a dict of input: value, True, False or None; what is left out is unknown."""
    inputs = [question[0] for question in QUESTIONS]
    for name in set(answers).difference(inputs, NOT_ASKED):
        raise ValueError(f"{name!r} came, expected an input: {', '.join(inputs)}")
    return decide([read(question, answers.get(question[0])) for question in QUESTIONS])


def read(question, value):
    """True, False, or None for unknown, for what was said; ValueError names the input."""
    name, _, kind, test, choices, unit, _ = question
    number, text, turned = kind in (">=", "<"), str(value).strip(), kind[0] in "<n"
    if number and is_number(text) and math.isfinite(at := float(text)):
        return (at >= test) != turned
    category, word = kind in ("in", "not in"), text.lower()
    if_missing = {"missing": True, "present": False}.get(kind)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return if_missing
    if isinstance(value, bool) and (number or category):
        return value
    if not isinstance(value, (str, int, float)) or value in (math.inf, -math.inf):
        raise ValueError(f"{name!r}: {value!r} came, expected a value, yes, no or None")
    for said in (str(value), text) if category else ():
        if said in test or said in choices:
            return (said in test) != turned
    if word in UNKNOWN:
        return if_missing
    if if_missing is not None or (category and not choices and word not in ANSWERS):
        return turned if if_missing is None else not if_missing
    short = word[0] if word.rstrip("0") in ("1.", "0.") else word  # 1.00 is 1
    if kind in ("yes", "no") and short in SHORT:
        return SHORT[short] != turned
    if (number or choices) and word in ANSWERS:
        return ANSWERS[word]
    known = f"one of {choices or test}" if category else "yes, no"
    expected = "a number with decimal point" + (unit and f" in {unit}") if number else known
    raise ValueError(f"{name!r}: {value!r} came, expected {expected} or unknown")


def decide(answers):
    """The result for answers (True, False or None) to the first questions, in their order."""
    ends = []
    for highest in (False, True):  # unknown answers go both ways, and both must agree
        stage = total = 0
        for (_, points, *_), yes in zip(QUESTIONS, answers):
            if STEPS[stage, total][0] != "go on":
                break
            stage += 1
            total += points if yes or (yes is None and (points > 0) == highest) else 0
        ends.append((stage, total, *STEPS[stage, total]))
    stages, totals, decisions, risks, (lower, _), (_, upper), *_ = zip(*ends)
    total, risk = [both[0] if both[0] == both[1] else None for both in (totals, risks)]
    open_end = "go on" if "go on" in decisions else "unknown"
    decision = decisions[0] if decisions[0] == decisions[1] else open_end
    result = dict(zip(RESULT, (decision, max(stages), total, risk, lower, upper)))
    return {**result, "totals": totals, "name": NAMES.get(decision, decision)}


def describe(answers):
    """The last answer and where it leads, as one line."""
    found, words = decide(answers), {True: "yes", False: "no", None: "unknown"}
    risk, *ends = ["?" if found[key] is None else f"{found[key]:.1%}" for key in RESULT[3:]]
    asked = f"{QUESTIONS[len(answers) - 1][6]}: {words[answers[-1]]}. " if answers else ""
    total = " to ".join(map(str, sorted(set(found["totals"]))))
    return f"{asked}Total {total}, risk {risk} ({' to '.join(ends)}): {found['name']}"


def ask():
    """Put as many questions to a person as are needed; the answers."""
    answers = []
    while decide(answers)["decision"] == "go on":
        said = input(f"{QUESTIONS[len(answers)][6]}? (yes, no, a value, or ? for unknown) ")
        try:
            answers.append(read(QUESTIONS[len(answers)], said))
        except ValueError as error:
            print(error)
    return answers


def apply(source, target):
    """Add the result to every row of a CSV stream, or its problem; how many have one."""
    first = source.readline().lstrip("\ufeff")
    rows = csv.reader(chain([first], source), delimiter=max(",;\t", key=first.count))
    names, problems = next(rows, []), 0
    for name in [question[0] for question in QUESTIONS if names.count(question[0]) != 1]:
        raise ValueError(f"expected one column {name!r}; the columns are {', '.join(names)}")
    added = [f"card_{name}" if name in names else name for name in (*RESULT, "problem")]
    columns = [(question, names.index(question[0])) for question in QUESTIONS]
    cells = lru_cache(9999)(lambda answers: [*map(decide(answers).get, RESULT), ""])
    writer = csv.writer(target, rows.dialect, lineterminator="\n")
    writer.writerow(names + added)
    for row in filter(None, rows):
        try:
            if len(row) != len(names):
                raise ValueError(f"{len(row)} fields came, expected {len(names)}")
            answers = tuple([read(question, row[at]) for question, at in columns])
            writer.writerow([*row, *cells(answers)])
        except ValueError as error:
            problems += 1
            writer.writerow([*row, *[""] * (len(names) - len(row) + len(RESULT)), error])
    return f"{problems} rows have a problem, named in their last column" if problems else None


def selftest():
    """Say if this file does not do what it did when it was written."""
    wrong = [one for one in READINGS if read(QUESTIONS[one[0]], one[1]) is not LETTERS[one[2]]]
    for decision, walk in ((key, walk) for key in WALKS for walk in WALKS[key].split()):
        letters, *totals = walk.split(":")
        found = decide([LETTERS[letter] for letter in letters])
        ends = [found["decision"], found["stage"], *sorted(set(found["totals"]))]
        wrong += [] if ends == [decision, len(letters), *map(int, totals)] else [walk]
    changed = wrong or zlib.crc32(ascii((QUESTIONS, STEPS)).encode()) != CHECKSUM
    return f"this file has been changed {wrong[:1]}" if changed else print("ok")


def main():
    usage = "%(prog)s [TABLE.csv [-o FILE] | --INPUT ANSWER ... [--explain] [--json] | --selftest]"
    parser = argparse.ArgumentParser(usage=usage, allow_abbrev=False)
    parser.add_argument("table", nargs="?", help="cases to add results to; - is standard input")
    parser.add_argument("-o", "--output", help="a new file for the table with results")
    parser.add_argument("--version", action="version", version=MODEL)
    for flag in ("--explain", "--json", "--selftest"):
        parser.add_argument(flag, action="store_true")
    for name in dict.fromkeys(question[0] for question in QUESTIONS):
        taken = name in ("output", "version", "help", "explain", "json", "selftest")
        parser.add_argument(f"--{'input-' * taken}{name}", dest=f"={name}", metavar="ANSWER")
    given, text = vars(parser.parse_args()), {"encoding": "utf-8", "newline": ""}
    said = {key[1:]: word for key, word in given.items() if key[0] == "=" and word is not None}
    try:
        if given["selftest"]:
            return selftest()
        if given["table"]:
            source = 0 if given["table"] == "-" else given["table"]
            target, mode = (given["output"], "x") if given["output"] else (1, "w")
            with open(source, **text) as rows, open(target, mode, **text) as out:
                return apply(rows, out)
        answers = [read(q, said.get(q[0])) for q in QUESTIONS] if said else ask()
        result = decide(answers)
        stages = range(0 if given["explain"] else result["stage"], result["stage"] + 1)
        lines = [describe(answers[:stage]) for stage in stages]
        print(json.dumps(result) if given["json"] else "\n".join(lines))
    except (ValueError, OSError, csv.Error) as error:
        return str(error)
    except (EOFError, KeyboardInterrupt):
        print()  # behind the question that was not answered
        return "stopped before there was a result"


if __name__ == "__main__":
    sys.exit(main())

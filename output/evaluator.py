# Written by scorecard 0.2.0.dev0, language en, sha256 of what follows:
# 29f7d1985345e3c30568a8fbfca0e93ee0a4d264a9969f8d0f281ea765670e18
"""Breast mass: malignant?

evaluate(answers)        the decision and the risk for a dict of input: value
next_question(answers)   what to ask after these answers, None where one stops
selftest()               whether this file does what it did when it was written
As a program it asks, or reads a table (option help). The list and its limits in words,
and where they come from, are in ABOUT.
"""

import math
import re
import zlib
from collections import namedtuple

# --- The list -------------------------------------------------------------------------------------

MODEL = 'sha256:a28c9cdfa116b0d13f6d8e2df9ada4e02f670c0bf99eac025e805e9312f3a3f2'

# For people: nothing below reads it.
ABOUT = {
    'outcome': 'malignant',
    'population': 'a breast mass with a fine-needle aspirate',
    'source': 'Wisconsin breast cancer (UCI)',
    'note': 'An illustration, not a clinical tool; the source names no units.',
    'list': (
        '1. Largest perimeter ≥ 110       +3',
        '2. Largest concave points ≥ 0.14 +3   benign at 0 or less, biopsy at 6 or more',
        '3. Largest texture ≥ 23.5        +2',
        '4. Spread of area ≥ 33           +2   biopsy at 7 or more, else refer',
    ),
    'figures': (
        (
            'Rule out at a risk of at most 5, rule in at one of at least 90 of 100; kept by the '
            "total's own risk and, in cross-validation, by all who stop on that side; at least 10 "
            'cases behind a stop.'
        ),
        'Each risk is that of patients with this total after this question.',
        (
            'Risks expected in new patients: learned from all cases, corrected by '
            'cross-validation. Counts are of the cases that chose the questions. 569 cases, 212 '
            'with the outcome.'
        ),
        'In cross-validation 10 of 335 with ▼ had the outcome (limit: at most 5 of 100).',
        'In cross-validation 181 of 194 with ▲ had the outcome (limit: at least 90 of 100).',
        (
            'In cross-validation 529 of 569 cases ended with ▼ or ▲ (1.9 questions on average); '
            'each was judged by a list that had not seen it.'
        ),
        'Not validated elsewhere.',
    ),
    'notes': (
        (
            'After 4 of 6 questions no answer leads to a decision any more; further ones only '
            'sharpen the risk: Largest concave points and Largest area.'
        ),
        'A risk within a limit but without ▼ or ▲: too uncertain to stop there.',
    ),
    'provenance': {
        'table': 'cases.csv',
        'table sha256': 'fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6',
        'rows': '569',
        'cases': '569, 212 positive',
        'number of questions': (
            'cross-validated log loss 0.138 after 6, the best; 0.660 without questions'
        ),
        'warnings': 'questions that depend on few cases',
        'psl-scorecard': '0.2.0.dev0',
        'numpy': '2.4.6',
        'scikit-learn': '1.9.1',
        'python': '3.11.7',
    },
    'made by': 'scorecard 0.2.0.dev0',
}

# What the decisions are called on the card.
NAMES = {'rule out': 'benign', 'rule in': 'biopsy', 'undecided': 'refer', 'unknown': 'refer'}

# In the order in which they are asked. `test` is the cut-off, or the categories that mean yes.
Question = namedtuple("Question", "input points condition test choices unit text")
QUESTIONS = (
    Question('worst_perimeter', 3, '>=', 110, (), '', 'Largest perimeter ≥ 110'),
    Question('worst_concave_points', 3, '>=', 0.14, (), '', 'Largest concave points ≥ 0.14'),
    Question('worst_texture', 2, '>=', 23.5, (), '', 'Largest texture ≥ 23.5'),
    Question('area_error', 2, '>=', 33, (), '', 'Spread of area ≥ 33'),
    Question('worst_concave_points', 2, '>=', 0.16, (), '', 'Largest concave points ≥ 0.16'),
    Question('worst_area', 2, '>=', 720, (), '', 'Largest area ≥ 720'),
)

# What the card calls an input is a name of it, too.
LABELS = {
    'Largest perimeter': 'worst_perimeter',
    'Largest concave points': 'worst_concave_points',
    'Largest texture': 'worst_texture',
    'Spread of area': 'area_error',
    'Largest area': 'worst_area',
}

# The lowest and the highest number that is like those the list has seen, and what is said of others;
# they change no decision.
SEEN = {
    'worst_perimeter': (38.7, 288.0, 'outside what the list has seen (58.1 to 212); unit?'),
    'worst_concave_points': (-0.135, 0.405, 'outside what the list has seen (0 to 0.27); unit?'),
    'worst_texture': (9.88, 55.4, 'outside what the list has seen (14.8 to 41.9); unit?'),
    'area_error': (5.55, 266.0, 'outside what the list has seen (8.32 to 180); unit?'),
    'worst_area': (167.0, 4290.0, 'outside what the list has seen (250 to 2940); unit?'),
}

# So many of them decide. Later ones only sharpen the risk of who is undecided, if that is wanted.
DECIDING = 4

# Inputs that several questions ask for. One value answers them all; a case cannot give yes or no
# for them, because that would not say to which question.
ASKED_AGAIN = ('worst_concave_points',)

# What follows for later questions about the same input, counted from 0: (question, its answer)
# leads to {later question: answer}. Who is 65 or older is 50 or older.
SETTLED = {(1, False): {4: False}}

# By number of answers and total: what to do, and the risk with its range and the cases behind it.
Box = namedtuple("Box", "decision risk lower upper cases positives")
BOXES = {
    (0, 0): Box('go on', 0.37258347978910367, 0.3327290425963131, 0.4137683446075898, 569, 212),
    (1, 0): Box('go on', 0.07950528080438625, 0.04410240359433425, 0.1995010754989386, 367, 28),
    (1, 3): Box('go on', 0.9054997130213935, 0.7124106129661858, 0.9521198151873832, 202, 184),
    (2, 0): Box(
        'rule out', 0.027106638186944875, 0.006715869015598677, 0.12021655215193851, 333, 9,
    ),
    (2, 3): Box('go on', 0.5830877471625433, 0.32371909438017515, 0.7934333137464682, 74, 43),
    (2, 6): Box('rule in', 0.987017833024611, 0.8534317246139561, 0.9994184545803603, 162, 160),
    (3, 3): Box('go on', 0.18816081098246867, 0.012283627548758395, 0.5687056857398928, 21, 3),
    (3, 5): Box('go on', 0.7634568637720479, 0.417770104975187, 0.9245580945138274, 53, 40),
    (4, 3): Box('undecided', 0.11865552019886778, 0.004836947724769088, 0.6539481080986764, 15, 2),
    (4, 5): Box('undecided', 0.5554136912128946, 0.25504255777327434, 0.8567634549165072, 37, 21),
    (4, 7): Box('rule in', 0.9176002884263388, 0.45954784433373197, 0.9971750038407269, 22, 20),
    (5, 3): Box('undecided', 0.10978930758964746, 0.005507990431733279, 0.717856881971269, 13, 2),
    (5, 5): Box('undecided', 0.4198898529495782, 0.07137068540044317, 0.7207551788858675, 25, 7),
    (5, 7): Box('undecided', 0.8745834062601878, 0.48587527048852097, 1.0, 14, 14),
    (6, 3): Box('undecided', 0.18249311364600518, 0.0, 0.610526628400753, 23, 3),
    (6, 5): Box('undecided', 0.18249311364600518, 0.0, 0.610526628400753, 23, 3),
    (6, 7): Box('undecided', 0.66686858097159, 0.1890022347720277, 1.0, 29, 20),
    (6, 9): Box('undecided', 0.66686858097159, 0.1890022347720277, 1.0, 29, 20),
}

RESULT = (
    "decision", "stage", "total", "probability", "lower", "upper", "cases", "positives",
)

# --- Deciding -------------------------------------------------------------------------------------


def evaluate(answers, sharpen=False, extra=False):
    """The result for a dict of input: value, True, False or None; what is left out is unknown.

    With `sharpen` the questions that only sharpen the risk are used as well; with `extra` other
    names than those of inputs may be there, and are not looked at. `outside` of the result has
    a remark by input on each number that is far from all that the list has seen.
    """
    values = by_input(answers, extra)
    return {**decide(read_case(values, sharpen), sharpen), "outside": outside_seen(values, sharpen)}


def outside_seen(values, sharpen=False):
    """By input the remark on a number that is outside what the list has seen."""
    found = {}
    for question in questions(sharpen):
        if question.condition in (">=", "<") and question.input in SEEN:
            low, high, remark = SEEN[question.input]
            number = number_of(question, values.get(question.input))
            if number is not None and not low <= number <= high:
                found[question.input] = remark
    return found


def next_question(answers, sharpen=False, extra=False):
    """The Question to ask after these answers, None where one stops.

    As for `evaluate`, but an input that is left out has not been asked for yet.
    """
    values, known = by_input(answers, extra), []
    while goes_on(known, sharpen):
        question = QUESTIONS[len(known)]
        if question.input not in values:
            return question
        known.append(read_at(len(known), values))
    return None


def goes_on(answers, sharpen=False):
    """Whether there is a question after these answers."""
    decision = decide(answers, sharpen)["decision"]
    sharpens = sharpen and DECIDING <= len(answers) < len(QUESTIONS)
    return decision == "go on" or (sharpens and decision == "undecided")


def by_input(answers, extra=False):
    """The same answers by the names of their inputs, where some came as the card calls them."""
    inputs = [question.input for question in QUESTIONS]
    named = {}
    for name, value in answers.items():
        name = LABELS.get(name, name)
        if name not in inputs:
            if extra:
                continue
            raise ValueError(f"{name!r} came, expected an input: {', '.join(inputs)}")
        if name in named:
            raise ValueError(f"{name!r} came twice, by its name and by its label")
        named[name] = plain(value)
    return named


def plain(value):
    """A scalar of numpy or pandas as Python has it; None for NaN, NA and NaT."""
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if getattr(value, "ndim", None) == 0:
        value = value.item()
    return None if isinstance(value, float) and math.isnan(value) else value


def decide(answers, sharpen=False):
    """The result for answers (True, False or None) to the first questions, in their order."""
    answers = [plain(answer) for answer in answers]
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
        "lower": outer(min, low.lower, high.lower),
        "upper": outer(max, low.upper, high.upper),
        "cases": low.cases if low[-2:] == high[-2:] else None,
        "positives": low.positives if low[-2:] == high[-2:] else None,
        "totals": tuple(sorted((low_total, high_total))),
        "name": NAMES.get(decision, decision),
        "outside": {},
    }


def outer(end, low, high):
    """The end of a range over both ways of an unknown answer; None where one has no range."""
    return None if None in (low, high) else end(low, high)


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
YES = {word for word, answer in ANSWERS.items() if answer} | {"y", "j"}
UNKNOWN = {'', '#n/a', '-', '.', '?', 'fehlt', 'k.a.', 'missing', 'n/a', 'na', 'nan', 'null',
           'unbekannt', 'unknown', '–',}
is_number = re.compile('[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?').fullmatch


def read(question, value):
    """True, False, or None for unknown; ValueError names the input."""
    if value is None:
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
    return read_value(question, values.get(question.input))


def read_value(question, value):
    """The same for a case, where one value answers all questions about its input."""
    if question.input in ASKED_AGAIN and is_answer(question, value):
        raise refusal(question, value, "its value, for several questions ask for it,")
    return read(question, value)


def is_answer(question, value):
    """Whether this is yes or no where a number or a category is expected."""
    if question.condition in ("missing", "present"):
        return False
    known = question.choices + (question.test if isinstance(question.test, tuple) else ())
    is_category = str(value) in known or str(value).strip() in known
    return isinstance(value, bool) or (str(value).strip().lower() in ANSWERS and not is_category)


def read_number(question, value):
    if isinstance(value, bool):
        return value  # the answer itself
    number = number_of(question, value)
    if number is not None:
        return (number >= question.test) == (question.condition == ">=")
    word = str(value).strip().lower()
    if word in UNKNOWN:
        return None
    if word in ANSWERS:
        return ANSWERS[word]
    raise refusal(question, value, "a number with decimal point")


def number_of(question, value):
    """The number that was said, None if it is none."""
    text = str(value).strip()
    return float(text) if is_number(text) and math.isfinite(float(text)) else None


READERS = {
    ">=": read_number,
}


def refusal(question, value, expected):
    return ValueError(f"{question.input!r}: {value!r} came, expected {expected} or unknown")


# --- Has this file been changed? ------------------------------------------------------------------

LETTERS = {"1": True, "0": False, "?": None}
# Question, what is said, the answer it is.
READINGS = ((0, '110', '1'), (0, '109.99999999999999', '0'), (0, '110.00000000000001', '1'),
            (0, 'unknown', '?'), (1, '0.14', '1'), (1, '0.13999999999999999', '0'),
            (1, '0.14000000000000004', '1'), (2, '23.5', '1'), (2, '23.499999999999996', '0'),
            (2, '23.500000000000004', '1'), (3, '33', '1'), (3, '32.99999999999999', '0'),
            (3, '33.00000000000001', '1'), (4, '0.16', '1'), (4, '0.15999999999999998', '0'),
            (4, '0.16000000000000003', '1'), (5, '720', '1'), (5, '719.9999999999999', '0'),
            (5, '720.0000000000001', '1'),)
# By decision: answers to the first questions, and the total or totals they lead to.
WALKS = {'rule out': '00:0', 'rule in': '11:6 0111:7', 'undecided': '0100:3 0101:5',
         'go on': '?:0:3 0?:0:3', 'unknown': '??:0:6',}
CHECKSUM = 866873772


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
            ends = [found["decision"], found["stage"], *dict.fromkeys(found["totals"])]
            if ends != [decision, len(letters), *map(int, totals)]:
                wrong.append(walk)
    boxes = {key: tuple(box) for key, box in BOXES.items()}
    asked = tuple(map(tuple, QUESTIONS))
    content = ascii((asked, DECIDING, ASKED_AGAIN, SETTLED, LABELS, SEEN, boxes))
    if wrong or zlib.crc32(content.encode()) != CHECKSUM:
        return f"this file has been changed {wrong[:1]}"
    print("ok")


# --- The command line -----------------------------------------------------------------------------
# All above works without it, as a module: import evaluate and next_question.


def describe(answers, sharpen=False):
    """The last answer and where it leads, as one line."""
    found = decide(answers, sharpen)
    risk, lower, upper = [
        "?" if found[key] is None else f"{found[key]:.1%}"
        for key in ("probability", "lower", "upper")
    ]
    total = " to ".join(map(str, dict.fromkeys(found["totals"])))
    line = f"Total {total}, risk {risk} ({lower} to {upper}): {found['name']}"
    if answers:
        word = {True: "yes", False: "no", None: "unknown"}[answers[-1]]
        line = f"{QUESTIONS[len(answers) - 1].text}: {word}. {line}"
    return line


def ask(sharpen=False):
    """Put as many questions to a person as are needed.

    The answers, whether some only sharpen, and by input what was said.
    """
    answers, replies = [], {}
    values = {}
    while True:
        decision = decide(answers, sharpen)["decision"]
        if decision == "undecided" and not sharpen:
            print(describe(answers))
            sharpen = input("Go on, only for a sharper risk? (yes or no) ").strip().lower() in YES
        can_go_on = decision == "undecided" and sharpen and len(answers) < len(QUESTIONS)
        if decision != "go on" and not can_go_on:
            return answers, sharpen, replies
        question = QUESTIONS[len(answers)]
        settled = already_settled(answers, values)
        if settled:
            answers += settled
            print(describe(answers, sharpen))
            continue
        said = input(f"{question.text}? (yes, no, a value, or ? for unknown) ")
        try:
            answer = read(question, said)
        except ValueError as error:
            print(error)
            continue
        replies[question.input] = said
        answers.append(answer)
        is_presence = question.condition in ("missing", "present")
        if answers[-1] is not None and not is_presence and not is_answer(question, said):
            values[question.input] = said


def already_settled(answers, values):
    """What earlier answers and values say about the next question: an answer, or nothing."""
    place = len(answers)
    question = QUESTIONS[place]
    if question.input in values:
        return [read(question, values[question.input])]
    follows = [SETTLED.get(earlier, {}) for earlier in enumerate(answers)]
    return [later[place] for later in follows if place in later][:1]


def apply(source, target, sharpen=False):
    """Add the result to every row of a CSV stream, or its problem; how many have one."""
    import csv
    from functools import lru_cache
    from itertools import chain

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
    writer.writerow(names + added_names(names))
    problems = 0
    for row in filter(None, rows):
        try:
            if len(row) != len(names):
                raise ValueError(f"{len(row)} fields came, expected {len(names)}")
            values = {name: row[at] for name, at in columns.items()}
            answers = tuple([read_at(place, values) for place in places])
            outside = "; ".join(outside_seen(values, sharpen))
            writer.writerow([*row, *result_cells(answers), outside, ""])
        except ValueError as error:
            problems += 1
            empty = [""] * (len(names) - len(row) + len(RESULT) + 1)
            writer.writerow([*row, *empty, error])
    return f"{problems} rows have a problem, named in their last column" if problems else None


def added_names(names):
    """What the results are called; all begin with scorecard_ where one of their names is taken."""
    added, taken = [*RESULT, "outside", "problem"], {name.lower() for name in names}
    prefix = "scorecard_"
    while any(name.startswith(prefix) for name in taken):
        prefix += "_"
    return [prefix + name for name in added] if taken.intersection(added) else added


def column_of(name, names):
    """Where an input stands in a table: under its own name, or as the card calls it."""
    called = [label for label, meant in LABELS.items() if meant == name]
    found = [at for at, title in enumerate(names) if title == name]
    found = found or [at for at, title in enumerate(names) if title in called]
    if len(found) != 1:
        raise ValueError(f"expected one column {name!r}; the columns are {', '.join(names)}")
    return found[0]


def arguments():
    import argparse

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
    import json
    import sys

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
        answers, sharpen, said = ask(sharpen)
    result = decide(answers, sharpen)
    result["outside"] = outside_seen(said, sharpen)
    for name, remark in result["outside"].items():
        print(f"{name}: {remark}", file=sys.stderr)
    if given["json"]:
        print(json.dumps(result))
    else:
        first = 0 if given["explain"] else result["stage"]
        for stage in range(first, result["stage"] + 1):
            print(describe(answers[:stage], sharpen))


def main():
    import csv

    try:
        return run(arguments())
    except (ValueError, OSError, csv.Error) as error:
        return str(error)
    except (EOFError, KeyboardInterrupt):
        print()  # behind the question that was not answered
        return "stopped before there was a result"


if __name__ == "__main__":
    raise SystemExit(main())

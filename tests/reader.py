"""A second implementation: a list applied by what the pages under examples/ say, and nothing else.

Written from document-format.md, decision-table.md and statistics.md; it shares no line with the
program. What it cannot do (fitted curves, corrected risks) the pages leave to the decision table.
"""

import functools
import itertools
import re

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.stats import beta, binom

YES, NO = {"yes", "true", "ja", "wahr"}, {"no", "false", "nein", "falsch"}
INPUT_YES, INPUT_NO = YES | {"y", "t", "j", "1"}, NO | {"n", "f", "0"}
UNKNOWN = {"", "#n/a", "-", ".", "?", "fehlt", "k.a.", "missing", "n/a", "na", "nan", "null"}
UNKNOWN |= {"unbekannt", "unknown", "–"}
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
FIGURES = ("probability", "lower", "upper", "cases", "positives")
DECIDED = {"rule out", "rule in"}


def read(question, text):
    """True, False or None for the text of a case; ValueError where it is refused."""
    condition, text = question["condition"], text or ""
    kind, word = condition["kind"], text.strip().lower()
    categories, choices = condition.get("categories", []), condition.get("choices", [])
    for said in (text, text.strip()):
        if said in (*categories, *choices):
            return (said in categories) == (kind == "in")
    if kind in ("missing", "present"):
        return (word in UNKNOWN) == (kind == "missing")
    if word in UNKNOWN:
        return None
    if kind in ("yes", "no"):
        word = re.sub(r"^([01])\.0*$", r"\1", word)
        if word in INPUT_YES | INPUT_NO:
            return (word in INPUT_YES) == (kind == "yes")
    elif word in YES | NO:
        if kind in (">=", "<") or choices:
            return word in YES
    elif kind in ("in", "not in") and not choices:
        return kind == "not in"
    elif kind in (">=", "<") and NUMBER.fullmatch(text.strip()) and np.isfinite(float(text)):
        return (float(text) >= condition["cutoff"]) == (kind == ">=")
    raise ValueError(text)


def answer(question, case):
    """The answer, by the substitute where the question's own is unknown."""
    found, other = read(question, case.get(question["input"])), question.get("if_unknown")
    return read(other, case.get(other["input"])) if found is None and other else found


def estimated(cases, positives, totals, level):
    """Rising risks of those who get to each total, and their ranges; nothing without cases."""
    seen = cases > 0
    if not seen.any():
        return {}
    rates = isotonic_regression(positives[seen] / cases[seen], weights=cases[seen]).x
    risks = np.interp(totals, np.array(totals)[seen], rates)
    half = (1 - level) / len(totals) / 2
    lower = np.nan_to_num(beta.ppf(half, positives, cases - positives + 1), nan=0.0)
    upper = np.nan_to_num(beta.ppf(1 - half, positives + 1, cases - positives), nan=1.0)
    lower, upper = np.maximum.accumulate(lower), np.minimum.accumulate(upper[::-1])[::-1]
    ends = {"lower": np.minimum(lower, risks).tolist(), "upper": np.maximum(upper, risks).tolist()}
    return {"probability": risks.tolist()} | (ends if (lower <= upper).all() else {})


def boxes_at(model, number, counts, reached):
    """What is known of every total that so many answers can give; None where nothing is."""
    totals = {0}
    for question in model["questions"][:number]:
        totals |= {total + question["points"] for total in totals}
    boxes = {total: dict.fromkeys(FIGURES) for total in sorted(totals)}
    if reached:
        cases, positives = np.array([counts.get(total, (0, 0)) for total in boxes], float).T
        found = estimated(cases, positives, [*boxes], model["risk_source"].get("level") or 0.95)
        for place, box in enumerate(boxes.values()):
            box |= {name: values[place] for name, values in found.items()}
    for one in () if reached else model["stages"][number] or ():
        boxes[one["total"]] |= one
    for total, box in boxes.items() if model.get("evidence") else ():
        if box["probability"] is not None:
            box["cases"], box["positives"] = counts.get(total, (0, 0))
    return boxes


def stops(boxes, by, limit, sign, policy):
    """The totals at which one stops on a side; sign −1: out, going up; 1: in, going down."""
    passed, shown, cases, positives = [], [], 0, 0
    for total in sorted(boxes, reverse=sign > 0):
        box = boxes[total]
        figure = box["upper" if sign < 0 else "lower"] if by == "bounds" else box["probability"]
        if figure is None or sign * (figure - limit) < 0:
            break
        passed.append(total)
        cases, positives = cases + (box["cases"] or 0), positives + (box["positives"] or 0)
        below, above = binom.cdf(positives, cases, limit), binom.sf(positives - 1, cases, limit)
        is_shown = (below if sign < 0 else above) <= 1 - policy["confidence"]
        shown = passed[:] if is_shown and cases >= max(1, policy["min_cases"]) else shown
    if by == "group":
        return shown
    counted = all(box["cases"] is not None for box in boxes.values())
    return [] if counted and cases < policy["min_cases"] else passed


def built(model, policy):
    """After each number of answers the totals one can have, with what to do there."""
    evidence, points = model.get("evidence"), [one["points"] for one in model["questions"]]
    counted = evidence or any(stage and "cases" in stage[0] for stage in model["stages"])
    by = "group" if policy["by"] == "error-control" else policy["by"]
    by = "point" if by == "group" and not counted else by
    walking = [(0, one["answers"], one["cases"], one["positives"]) for one in evidence or ()]
    found, totals = [], {0}
    while totals:
        number, counts = len(found), {}
        for total, _, *those in walking:
            counts[total] = np.add(counts.get(total, (0, 0)), those).tolist()
        known = boxes_at(model, number, counts, evidence and policy["estimate"] == "reached")
        usual = "go on" if number < len(points) else "undecided"
        boxes = {total: known[total] | {"decision": usual} for total in totals}
        for decision, limit, sign in (("rule in", "rule_in", 1), ("rule out", "rule_out", -1)):
            for total in stops(boxes, by, policy[limit], sign, policy):
                boxes[total]["decision"] = decision
        found.append(boxes)
        totals = following(boxes, points, number)
        walking = [
            (total + points[number] * (answers[number] == "1"), answers, *those)
            for total, answers, *those in walking
            if boxes[total]["decision"] == "go on" and answers[number] != "?"
        ]
    return ended(found, points, policy["curtail"])


def following(boxes, points, number):
    """The totals that one can have after the next question; none if nobody goes on."""
    on = [total for total, box in boxes.items() if box["decision"] == "go on"]
    return {total + more for total in on for more in (0, points[number])}


def ended(found, points, curtail):
    """What no answer can change is decided at once, and what decides nobody is not asked."""
    anybody = any(box["decision"] in DECIDED for boxes in found for box in boxes.values())
    ways = {}
    for number, boxes in reversed([*enumerate(found)]):
        for total, box in boxes.items():
            ends = {box["decision"]}
            if box["decision"] == "go on":
                ends = ways[number + 1, total] | ways[number + 1, total + points[number]]
                bare = curtail == "decided" and box["cases"] is None and ends <= DECIDED
                if anybody and len(ends) == 1 and (bare or curtail == "all"):
                    box |= {"decision": min(ends), "certain": True}
            ways[number, total] = ends
    kept, totals = [], {0}
    while totals:
        kept.append({total: found[len(kept)][total] for total in totals})
        totals = following(kept[-1], points, len(kept) - 1)
    said = [{box["decision"] for box in boxes.values()} for boxes in kept]
    last = max((number for number, here in enumerate(said) if here & DECIDED), default=0)
    if last and curtail != "never":
        kept = kept[: last + 1]
        for box in kept[-1].values():
            box["decision"] = box["decision"].replace("go on", "undecided")
    return kept


def joined(boxes):
    """The boxes of a row, where totals that one decision and too few cases make alike share one."""
    alike = [((b["decision"], "certain" in b), b | {"of": [t]}) for t, b in sorted(boxes.items())]
    runs = [[box for _, box in run] for _, run in itertools.groupby(alike, lambda one: one[0])]
    for run in runs:
        if any(box["cases"] is None for box in run):
            continue
        same = itertools.groupby(run, lambda box: box["probability"])
        run[:] = [functools.reduce(together, some) for _, some in same]
        while len(run) > 1 and (poor := [at for at in range(len(run)) if not has_figure(run[at])]):
            at = min(poor, key=lambda at: run[at]["cases"])
            apart = [abs(run[at]["probability"] - run[to]["probability"]) if 0 <= to < len(run)
                     else np.inf for to in (at - 1, at + 1)]  # fmt: skip
            low = at - (apart[0] <= apart[1])
            run[low : low + 2] = [together(*run[low : low + 2])]
    none = dict.fromkeys(FIGURES[:3])
    return {total: box if box["cases"] is None or has_figure(box) else box | none
            for run in runs for box in run for total in box["of"]}  # fmt: skip


def together(one, other):
    """One box of two neighbours: the mean risk of their cases, the outer ends of their ranges."""
    cases = one["cases"] + other["cases"]
    share, step = other["cases"] / max(cases, 1), other["probability"] - one["probability"]
    ranged = one["lower"] is not None and other["lower"] is not None
    return one | {
        "probability": one["probability"] + share * step,
        "lower": one["lower"] if ranged else None, "upper": other["upper"] if ranged else None,
        "cases": cases, "positives": one["positives"] + other["positives"],
        "of": one["of"] + other["of"],
    }  # fmt: skip


def has_figure(box):
    """Whether there are ten cases, and they do not contradict the risk, one time in a thousand."""
    n, x, p = box["cases"], box["positives"], box["probability"]
    return n >= 10 and min(binom.cdf(x, n, p), binom.sf(x - 1, n, p)) >= 0.001


def apply(model, policy, case):
    """What is decided about a case: texts by input name."""
    found = built(model, policy)
    figures = [joined(boxes) for boxes in found]
    asked = model["questions"][: len(found) - 1]
    answers = [answer(question, case) for question in asked]
    ends = []
    for highest in (False, True):
        total = stage = 0
        while found[stage][total]["decision"] == "go on":
            value, yes = asked[stage]["points"], answers[stage]
            total += value * ((value > 0) == highest if yes is None else yes)
            stage += 1
        ends.append(figures[stage][total] | {"stage": stage, "total": total})
    low, high = ends
    outer_ends = (min, "lower"), (max, "upper")
    ranges = [(outer, name, low[name], high[name]) for outer, name in outer_ends]
    told = {name: None if None in both else outer(both) for outer, name, *both in ranges}
    told["stage"] = max(low["stage"], high["stage"])
    same = all(low[name] == high[name] for name in ("cases", "positives"))
    told |= {name: low[name] if same else None for name in ("cases", "positives")}
    for name in ("decision", "total", "probability"):
        told[name] = low[name] if low[name] == high[name] else None
    return told | {"decision": told["decision"] or "unknown"}

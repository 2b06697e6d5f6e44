"""A second implementation: a list applied by what the pages under examples/ say, and nothing else.

Written from document-format.md, decision-table.md and statistics.md; it shares no line with the
program. What it cannot do (fitted curves, corrected risks) the pages leave to the decision table.
"""

import math
import re
from itertools import accumulate

from scipy.stats import beta, binom

YES, NO = {"yes", "true", "ja", "wahr"}, {"no", "false", "nein", "falsch"}
INPUT_YES, INPUT_NO = YES | {"y", "t", "j", "1"}, NO | {"n", "f", "0"}
UNKNOWN = {"", "#n/a", "-", ".", "?", "fehlt", "k.a.", "missing", "n/a", "na", "nan", "null"}
UNKNOWN |= {"unbekannt", "unknown", "–"}
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)


def read(question, text):
    """True, False or None for the text of a case; ValueError where it is refused."""
    condition = question["condition"]
    kind, word = condition["kind"], (text or "").strip().lower()
    categories = condition.get("categories", [])
    known = [*categories, *condition.get("choices", [])]
    for said in (text, (text or "").strip()):
        if said in known:
            return (said in categories) == (kind == "in")
    if word in UNKNOWN:
        return kind == "missing" if kind in ("missing", "present") else None
    if kind in ("missing", "present"):
        return kind == "present"
    if kind in ("yes", "no"):
        word = re.sub(r"^([01])\.0*$", r"\1", word)
        if word not in INPUT_YES | INPUT_NO:
            raise ValueError(text)
        return (word in INPUT_YES) == (kind == "yes")
    if known and not condition.get("choices") and word not in YES | NO:
        return kind == "not in"
    if word in YES | NO and (kind in (">=", "<") or condition.get("choices")):
        return word in YES
    number = text.strip()
    if kind in (">=", "<") and NUMBER.fullmatch(number) and math.isfinite(float(number)):
        return (float(number) >= condition["cutoff"]) == (kind == ">=")
    raise ValueError(text)


def possible_totals(points):
    stages = [{0}]
    for value in points:
        stages.append(stages[-1] | {total + value for total in stages[-1]})
    return [sorted(totals) for totals in stages]


def isotonic(totals, counts):
    seen = [total for total in totals if counts.get(total, (0, 0))[0]]
    blocks = []
    for total in seen:
        blocks.append([*counts[total], [total]])
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][0] >= blocks[-1][1] / blocks[-1][0]:
            cases, positives, those = blocks.pop()
            blocks[-1] = [blocks[-1][0] + cases, blocks[-1][1] + positives, blocks[-1][2] + those]
    rates = {total: block[1] / block[0] for block in blocks for total in block[2]}
    risks = {}
    for total in totals if seen else ():
        low = max((one for one in seen if one <= total), default=seen[0])
        high = min((one for one in seen if one >= total), default=seen[-1])
        part = (total - low) / (high - low) if low < total < high else 0.0
        risks[total] = rates[low] + part * (rates[high] - rates[low])
    return risks


def ranges(totals, counts, risks, level):
    half = (1 - level) / len(totals) / 2
    found = [counts.get(total, (0, 0)) for total in totals]
    lower = [beta.ppf(half, p, n - p + 1) if p else 0.0 for n, p in found]
    upper = [beta.ppf(1 - half, p + 1, n - p) if p < n else 1.0 for n, p in found]
    lower = list(accumulate(lower, max))
    upper = list(accumulate(upper[::-1], min))[::-1]
    if any(low > high for low, high in zip(lower, upper, strict=True)):
        return dict.fromkeys(totals, (None, None))
    rows = zip(totals, lower, upper, strict=True)
    return {t: (min(low, risks[t]), max(high, risks[t])) for t, low, high in rows}


def stops(boxes, totals, by, limit, sign, policy):
    """The totals at which one stops on a side; sign −1: out, going up; +1: in, going down."""
    passed, kept, pooled, positives = [], [], 0, 0
    counted = all(boxes[total]["cases"] is not None for total in totals)
    for total in totals:
        box = boxes[total]
        figure = box["upper" if sign < 0 else "lower"] if by == "bounds" else box["probability"]
        if figure is None or sign * (figure - limit) < 0:
            break
        passed.append(total)
        pooled, positives = pooled + (box["cases"] or 0), positives + (box["positives"] or 0)
        if by == "group" and pooled >= max(1, policy["min_cases"]):
            tail = binom.cdf(positives, pooled, limit)
            tail = tail if sign < 0 else binom.sf(positives - 1, pooled, limit)
            kept = passed[:] if tail <= 1 - policy["confidence"] else kept
    if by == "group":
        return kept
    return passed if not counted or pooled >= policy["min_cases"] else []


def boxes_of(model, policy):
    """Per stage and total the figures and the decision, and how many questions are asked."""
    questions, stages, evidence = model["questions"], model["stages"], model.get("evidence")
    points = [question["points"] for question in questions]
    counted = evidence or any(stage and "cases" in stage[0] for stage in stages)
    by = "group" if policy["by"] == "promise" else policy["by"]
    by = "point" if by == "group" and not counted else by
    reached = policy["estimate"] == "reached" and evidence
    low, high = policy["rule_out"], policy["rule_in"]
    walking = [(0, one["answers"], one["cases"], one["positives"]) for one in evidence or ()]
    found, totals = [], [0]
    for number in range(len(points) + 1):
        counts = {}
        for total, _, cases, positives in walking:
            before = counts.get(total, (0, 0))
            counts[total] = before[0] + cases, before[1] + positives
        possible = possible_totals(points)[number]
        risks = isotonic(possible, counts) if reached else {}
        level = model["figures"].get("level") or 0.95
        spans = ranges(possible, counts, risks, level) if risks else {}
        stored = {one["total"]: one for one in stages[number] or ()}
        boxes = {}
        for total in totals:
            one = stored.get(total, {}) if not reached else {"probability": risks.get(total)}
            span = spans.get(total, (one.get("lower"), one.get("upper")))
            there = (
                counts.get(total, (0, 0)) if evidence else (one.get("cases"), one.get("positives"))
            )
            there = there if one.get("probability") is not None else (None, None)
            boxes[total] = {
                "probability": one.get("probability"),
                "lower": span[0],
                "upper": span[1],
            }
            boxes[total] |= {"cases": there[0], "positives": there[1], "decision": "go on"}
        for total in stops(boxes, totals[::-1], by, high, 1, policy):
            boxes[total]["decision"] = "rule in"
        for total in stops(boxes, totals, by, low, -1, policy):
            boxes[total]["decision"] = "rule out"
        found.append(boxes)
        on = {total for total in totals if boxes[total]["decision"] == "go on"}
        if not on or number == len(points):
            break
        totals = sorted(on | {total + points[number] for total in on})
        walking = [
            (total + points[number] * (answers[0] == "1"), answers[1:], cases, positives)
            for total, answers, cases, positives in walking
            if total in on and answers[0] != "?"
        ]
    return ended(found, points, policy["curtail"])


def ended(found, points, curtail):
    """Curtailment, what can be reached then, and the last question that matters."""
    decided = {"rule out", "rule in"}
    for box in found[-1].values():
        if len(found) > len(points) and box["decision"] == "go on":
            box["decision"] = "undecided"
    anybody = any(box["decision"] in decided for boxes in found for box in boxes.values())
    ways = {}
    for number, boxes in reversed([*enumerate(found)]):
        for total, box in boxes.items():
            ways[number, total] = {box["decision"]}
            if box["decision"] == "go on":
                further = ways[number + 1, total] | ways[number + 1, total + points[number]]
                ways[number, total] = further
                settled = decided | ({"undecided"} if curtail == "all" else set())
                bare = curtail == "all" or (curtail == "decided" and box["cases"] is None)
                if anybody and bare and len(further) == 1 and further <= settled:
                    box["decision"] = min(further)
    reachable, last = {0}, 0
    for number, boxes in enumerate(found):
        for total in set(boxes) - reachable:
            del boxes[total]
        last = number if any(box["decision"] in decided for box in boxes.values()) else last
        on = {total for total, box in boxes.items() if box["decision"] == "go on"}
        if number < len(points):
            reachable = on | {total + points[number] for total in on}
    found = [boxes for boxes in found if boxes]
    if curtail != "never" and last and last < len(found) - 1:
        found = found[: last + 1]
        for box in found[-1].values():
            box["decision"] = "undecided" if box["decision"] == "go on" else box["decision"]
    return found


def apply(model, policy, case):
    """What is decided about a case: texts by input name."""
    found = boxes_of(model, policy)
    asked = model["questions"][: len(found) - 1]
    answers = [read(question, case.get(question["input"])) for question in asked]
    for place, other in enumerate(question.get("if_unknown") for question in asked):
        if answers[place] is None and other:
            answers[place] = read(other, case.get(other["input"]))
    ends = []
    for highest in (False, True):
        total = stage = 0
        while found[stage][total]["decision"] == "go on":
            value, yes = asked[stage]["points"], answers[stage]
            total += value * ((value > 0) == highest if yes is None else yes)
            stage += 1
        ends.append((found[stage][total], stage, total))
    (low, low_stage, low_total), (high, high_stage, high_total) = ends
    same = low["probability"] == high["probability"]
    return {
        "decision": low["decision"] if low["decision"] == high["decision"] else "unknown",
        "stage": max(low_stage, high_stage),
        "total": low_total if low_total == high_total else None,
        "probability": low["probability"] if same else None,
        "lower": low["lower"],
        "upper": high["upper"],
    }

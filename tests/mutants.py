# ruff: noqa: E501, T201 (a fault and what it replaces are read side by side; it is a command)
"""Deliberate faults in the code, each of which its tests have to find: `make mutants`.

Every fault is put into a copy of the tree, alone, and the tests that are named for its file are run
there until one fails. A fault that no test notices survives, and is told. A fault whose text is no
longer in the file stops the run: who moved the line moves the fault.

`python -m tests.mutants core/policy learning/` tries those of these files only.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SECONDS = 300  # of computing; who needs more hangs, and that is noticed
LEFT_OUT = (".git", ".venv", ".venv-bench", "*.pyc", ".mypy_cache", ".ruff_cache", "dist")

# Loaded once, before the copies of the process are made that try a fault each.
HEAVY = ("numpy", "polars", "scipy.stats", "sklearn.base", "hypothesis", "msgspec", "jinja2")

ALREADY_LOADED = "ignore::pytest.PytestAssertRewriteWarning"

Faults = tuple[str, list[tuple[str, str]]]
"""The tests, separated by blanks, and what is written in place of what."""

FAULTS: dict[str, Faults] = {
    "scorecard/core/question.py": (
        "tests/core/test_question.py tests/core/test_model.py tests/forms/test_decision_table.py",
        [
            ("(number >= cutoff) == (kind", "(number > cutoff) == (kind"),
            (
                'return self.condition.kind == "missing" if self',
                'return self.condition.kind == "present" if self',
            ),
            (
                "if self.condition.is_presence else None\n\n    def _read(",
                "if self.condition.is_presence else False\n\n    def _read(",
            ),
            (
                "return value if self.takes_answers else self._compare(int(value))",
                "return not value if self.takes_answers else self._compare(int(value))",
            ),
            ('return said == (self.condition.kind == "yes")', "return said"),
            ('return (number == 1) == (kind == "yes")', "return number == 1"),
            (
                'return (value in condition.categories) == (condition.kind == "in")',
                "return value in condition.categories",
            ),
            ('return condition.kind == "not in"', "return False"),
            ("near if near >= number else", "near if near > number else"),
            (
                "return replace(self, points=-self.points, condition",
                "return replace(self, points=self.points, condition",
            ),
            ("if inputs.count(name) > 1", "if inputs.count(name) > 2"),
            (
                "if bound <= condition.cutoff if reached else bound >= condition.cutoff:",
                "if bound >= condition.cutoff if reached else bound <= condition.cutoff:",
            ),
            (
                "if not abs(number) <= sys.float_info.max:",
                "if abs(number) > sys.float_info.max * 2:",
            ),
        ],
    ),
    "scorecard/core/policy.py": (
        "tests/core/test_policy.py tests/core/test_build_staircase.py",
        [
            ("elif is_large and cases >= 1 and", "elif cases >= 1 and"),
            ("if is_large or not has_counts else None", "if is_large else None"),
            (
                "return figure <= self.limit if self.rules_out else figure >= self.limit",
                "return figure < self.limit if self.rules_out else figure >= self.limit",
            ),
            (
                "return figure <= self.limit if self.rules_out else figure >= self.limit",
                "return figure <= self.limit if self.rules_out else figure > self.limit",
            ),
            (
                "tail = at_most if self.rules_out else at_least",
                "tail = at_least if self.rules_out else at_most",
            ),
            ("self.limit) <= 1 - confidence", "self.limit) <= 1 - 0.9"),
            ("self.limit) <= 1 - confidence", "self.limit) <= (1 - confidence) / 2"),
            (
                "None if self.miss_cost is None else 1 / (self.miss_cost + 1)",
                "None if self.miss_cost is None else 1 / self.miss_cost",
            ),
            ("return low > 0, high < 1", "return low >= 0, high <= 1"),
            (
                "if not 0 <= self.rule_out < self.rule_in <= 1:",
                "if not 0 <= self.rule_out <= self.rule_in <= 1:",
            ),
            ("if not 0.5 <= self.confidence < 1:", "if not 0 <= self.confidence < 1:"),
            (
                "cases_for_zero(1 - high, self.confidence) if high < 1",
                "cases_for_zero(high, self.confidence) if high < 1",
            ),
            (
                "figure = risk.upper if self.rules_out else risk.lower",
                "figure = risk.lower if self.rules_out else risk.upper",
            ),
            ("elif is_large and cases >= 1 and limit", "elif cases >= 1 and limit"),
            ("stop = box.total if is_large or not has_counts else None", "stop = box.total"),
            ("is_large = cases >= policy.min_cases", "is_large = cases > policy.min_cases"),
            (
                "_is_shown_by(boxes[::-1], _Limit(high, rules_out=False), policy, times)",
                "_is_shown_by(boxes, _Limit(high, rules_out=False), policy, times)",
            ),
        ],
    ),
    "scorecard/core/build_staircase.py": (
        "tests/core/test_build_staircase.py tests/core/test_unknown.py tests/cli/test_limits.py",
        [
            ("out is not None and box.total <= out:", "out is not None and box.total < out:"),
            (
                "everywhere = [here.get(total, (0, 0)) for total in possible]",
                "possible = tuple(here)\n    everywhere = [here[total] for total in possible]",
            ),
            ("about.level or DEFAULT_LEVEL", "DEFAULT_LEVEL"),
            (
                "calibrated(about.calibration, possible, everywhere, about.strength)",
                'calibrated("isotonic", possible, everywhere, about.strength)',
            ),
            (
                "calibrated(about.calibration, possible, everywhere, about.strength)",
                "calibrated(about.calibration, possible, everywhere, 0.0)",
            ),
            (
                "going_on = {box.total for box in stages[-1] if not box.stops}",
                "going_on = {box.total for box in stages[-1]}",
            ),
            (
                'if policy.estimate == "reached" and scoring_list.evidence is None:',
                'if policy.estimate == "all" and scoring_list.evidence is None:',
            ),
            (
                "settled = len(possible) == 1 and possible <= decisions",
                "settled = len(possible) <= 2 and possible <= decisions",
            ),
            ('settled and (curtail == "all" or not is_counted)', "settled"),
            (
                "ends[number + 1][box.total] | ends[number + 1][box.total + points]",
                "ends[number + 1][box.total + points]",
            ),
            ('if curtail == "never" or not last or last', "if not last or last"),
            (
                "replace(shown, cases=cases, positives=positives)",
                "replace(shown, cases=cases, positives=cases)",
            ),
            (
                "dropped = scoring_list.questions[len(steps) - 1 :]",
                "dropped = scoring_list.questions[len(steps) :]",
            ),
            ("if out is not None and box.total <= out:", "if out is not None and box.total < out:"),
            ("into is not None and box.total >= into", "into is not None and box.total > into"),
            (
                'limits = {name: changes[name] for name in ("rule_out", "rule_in") if name in changes}',
                'limits = {name: changes[name] for name in ("rule_out",) if name in changes}',
            ),
            ("walking = still_there(walking, number, going_on)", "pass"),
        ],
    ),
    "scorecard/core/calibration.py": (
        "tests/core/test_calibration.py tests/learning/test_bands.py tests/core/test_recalibration.py",
        [
            ("each = 1 - (1 - level) / len(counts) / 2", "each = 1 - (1 - level) / len(counts)"),
            ("each = 1 - (1 - level) / len(counts) / 2", "each = 1 - (1 - level) / 2"),
            ("elif line[1] < 0:", "elif line[1] < -1:"),
        ],
    ),
    "scorecard/core/error_control.py": (
        "tests/core/test_error_control.py",
        [
            ("if low_end == high_end:", "if low_end:"),
            ("one.high_end or _end_at(one.high[stage]", "one.high_end or _end_at(one.low[stage]"),
            ("inside = still_there(inside, stage, going_on)", "pass"),
            ("asked = state.last_stop or len(fold.points)", "asked = len(fold.points)"),
            (">= ENOUGH_DECIDED * tallies.cases", "> 0"),
            ("RATIOS = (20, 10, 5, 3)", "RATIOS = (20, 10, 5, 2)"),
            ("if one <= risk), default=0.0)", "if one <= 1.2 * risk), default=0.0)"),
            (
                "ins = [high + (1 - g) * (1 - high) for g in STRICTNESS]",
                "ins = [high + g * (1 - high) for g in STRICTNESS]",
            ),
            ("policy = replace(policy, confidence=max(policy.confidence, SURER))", "pass"),
            (
                "return max(passing, key=lambda one: self._gain(self.cells[one]))",
                "return passing[0]",
            ),
            (
                "efforts = cell[4] if self.unit is None else cell[5] / self.unit",
                "efforts = cell[4]",
            ),
            (
                "    return sum(one.cases for one in patterns), sum(one.positives for one in patterns)",
                "    return sum(one.cases for one in patterns), sum(one.cases for one in patterns) / 2",
            ),
        ],
    ),
    "scorecard/learning/options.py": (
        "tests/learning/test_weighing.py tests/learning/test_search.py tests/learning/test_cross_validation.py",
        [
            ("return log2(cases) / cases if", "return log2(cases) / cases / 2 if"),
            ("(bool(self.panels) or len(found) > 1)", "len(found) > 1"),
        ],
    ),
    "scorecard/learning/cross_validation.py": (
        "tests/learning/test_cross_validation.py tests/learning/test_weighing.py tests/cli/test_costs.py",
        [
            ("FEWER_FOR_LESS = 2.0", "FEWER_FOR_LESS = 99.0"),
            ("if mean > CLEARLY_WORSE * error", "if mean > 0"),
        ],
    ),
    "scorecard/core/binomial.py": (
        "tests/core/test_binomial.py",
        [
            (
                "incomplete_beta(1.0 - rate, cases - positives, positives + 1.0)",
                "incomplete_beta(1.0 - rate, cases - positives, positives)",
            ),
            (
                "incomplete_beta(rate, positives, cases - positives + 1.0)",
                "incomplete_beta(rate, positives, cases - positives)",
            ),
            (
                "_quantile(confidence, positives + 1.0, cases - positives)",
                "_quantile(1.0 - confidence, positives + 1.0, cases - positives)",
            ),
            (
                "_quantile(1.0 - confidence, positives, cases",
                "_quantile((1.0 - confidence) / 2, positives, cases",
            ),
            ("return ceil(needed - 1e-9)", "return int(needed)"),
            ("- (a + b + c + d) / 2, 0.0)", ", 0.0)"),
            ("log(1.0 - confidence) / log1p(-limit)", "log(confidence) / log1p(-limit)"),
        ],
    ),
    "scorecard/core/staircase.py": (
        "tests/core/test_build_staircase.py tests/core/test_unknown.py tests/core/test_error_control.py tests/forms/card/test_folding.py tests/test_reader.py",
        [
            ("cases >= FEW_CASES and not", "cases > FEW_CASES and not"),
            ("second.upper if has_range", "first.upper if has_range"),
            ("share = more / (cases + more)", "share = cases / (cases + more)"),
            ("< 1 - LEVEL", "< 0"),
            ("return box.decision, box.curtailed", "return box.decision, False"),
            (
                "if box.stops and not is_sharpening:",
                "if box.stops:",
            ),
            (
                'max(self._totals("rule out"), default=None)',
                'min(self._totals("rule out"), default=None)',
            ),
            (
                'min(self._totals("rule in"), default=None)',
                'max(self._totals("rule in"), default=None)',
            ),
            ("max(low_stage, high_stage),", "min(low_stage, high_stage),"),
            ('return self._end("lower", min)', 'return self._end("lower", max)'),
            ('return self._end("upper", max)', 'return self._end("upper", min)'),
            ("low.probability != high.probability:", "False:"),
            (
                'is_sharpening = step.number >= len(self.steps) and box.decision == "undecided"',
                "is_sharpening = step.number >= len(self.steps)",
            ),
        ],
    ),
    "scorecard/core/model.py": (
        "tests/core/test_model.py",
        [
            ("not lower <= self.probability <= upper:", "not lower <= upper:"),
            ("if next_total <= total:", "if next_total < total:"),
            (
                "after is not None and after < before:",
                "after is not None and after < before - 0.1:",
            ),
            ("if len(self.stages) != count + 1:", "if len(self.stages) < count + 1:"),
            (
                "if stage is not None and stage.totals != totals:",
                "if stage is not None and len(stage.totals) != len(totals):",
            ),
            ("shift -= min(0, question.points)", "shift -= max(0, question.points)"),
            ("one.turned() if one.points < 0 else one", "one"),
            ("if not 0 <= number <= 1:", "if not 0 <= number:"),
        ],
    ),
    "scorecard/core/performance.py": (
        "tests/core/test_performance.py",
        [
            (
                "found = [self.at(number, decision) for number in range(stage + 1)]",
                "found = [self.at(number, decision) for number in range(stage)]",
            ),
        ],
    ),
    "scorecard/core/recalibration.py": (
        "tests/core/test_recalibration.py tests/core/test_error_control.py tests/core/test_build_staircase.py",
        [
            (
                "Risk(risk, min(low, risk), max(high, risk), *n)",
                "Risk(risk, low, max(high, risk), *n)",
            ),
            ("added_cases = PSEUDO_CASES * design_effect", "added_cases = PSEUDO_CASES"),
            ("positives + added_cases * curve[total])", "positives + added_cases * 0.5)"),
            ("isotonic(list(here), added) or []", "[p / n for n, p in added]"),
            ("lines[min(number, len(lines) - 1)] if number else (1.0, 0.0)", "(1.0, 0.0)"),
            ("_clipped(slope * t + constant)", "_clipped(slope * t)"),
            ("own[min(number, len(own) - 1)]", "own[number] if number < len(own) else []"),
        ],
    ),
    "scorecard/learning/rounding.py": (
        "tests/learning/test_rounding.py",
        [
            (
                "nearest = size * min(max((low + high + size) // (2 * size), first), last)",
                "nearest = size * first",
            ),
            ("return middle if below < middle <= above else above", "return middle"),
            ("middle = below / 2 + above / 2", "middle = (below + above) / 2"),
            ("abs(2 * nearest - low - high), nearest)", "abs(nearest - high), nearest)"),
        ],
    ),
    "scorecard/learning/risks.py": (
        "tests/core/test_walk.py tests/learning/test_risks.py tests/tables/test_apply.py",
        [
            ("if number % MOST_DIGITS == MOST_DIGITS - 1:", "if False:"),
            ("known, stage, parts = reached == number", "known, stage, parts = reached >= 0"),
            (
                "goes_on = (reached == number) & (answers[:, number] >= 0)",
                "goes_on = answers[:, number] >= 0",
            ),
            ("np.where(answers < 0, np.minimum(values, 0), 0)", "np.where(answers < 0, 0, 0)"),
            ("np.where(answers < 0, np.maximum(values, 0), 0)", "np.where(answers < 0, 0, 0)"),
            ("np.where(given < 0, share, given)", "np.where(given < 0, 0.5, given)"),
            ("+= parts * (1 - chance)", "+= parts * chance"),
        ],
    ),
    "scorecard/learning/sample.py": (
        "tests/learning/test_risks.py tests/learning/test_classifier.py tests/learning/test_cross_validation.py",
        [
            ("return found.scaled(self.weight_scale)", "return found"),
            ("weights = exact_weights(self.weights)[rows]", "weights = np.ones(len(self))[rows]"),
            (
                "self._patterns(answers, inside), self._patterns(answers, ~inside)",
                "self._patterns(answers, inside), self._patterns(answers, inside)",
            ),
        ],
    ),
    "scorecard/learning/counts.py": (
        "tests/learning/test_risks.py tests/learning/test_search.py",
        [
            ("value[-1] = max(found.with_missing, 0)", "value[-1] = 0"),
            ("(below[-1] - 1) // 2", "(below[-1] - 1) // 4"),
        ],
    ),
    "scorecard/learning/losses.py": (
        "tests/learning/test_losses.py tests/learning/test_search.py tests/core/test_recalibration.py",
        [
            ("p[:-1] * n[1:] < p[1:] * n[:-1]", "p[:-1] * n[1:] < p[1:] * n[1:]"),
            (
                "above = np.cumsum(negatives[::-1], axis=0)[::-1] - 0.5 * negatives",
                "above = negatives",
            ),
            (
                "_logistic([totals], cases, positives, penalty, standard=True)",
                "_logistic([totals], cases, positives, penalty)",
            ),
            ("falls[drop] = only < 0", "pass"),
            ("return nats, slope < 0", "return nats, slope < -9"),
        ],
    ),
    "scorecard/learning/cutoffs.py": (
        "tests/learning/test_search.py tests/learning/test_lazy.py",
        [
            ("self.gains[:] = self.gains.max()", "self.gains[:] = self.gains.max() + 1"),
        ],
    ),
    "scorecard/tables/apply.py": (
        "tests/tables/test_apply.py",
        [
            (
                "numbers >= float_not_below(cutoff), known), known",
                "numbers > float_not_below(cutoff), known), known",
            ),
            (
                '(reached(cutoff) == (question.condition.kind == ">=")).astype',
                "reached(cutoff).astype",
            ),
            (
                "answers.append(UNKNOWN if answer is None else int(answer))",
                "answers.append(0 if answer is None else int(answer))",
            ),
            (
                "bound = min(max(math.ceil(cutoff), -_BEYOND), _BEYOND)",
                "bound = min(max(math.floor(cutoff), -_BEYOND), _BEYOND)",
            ),
            (
                "asked = [stages > place for place in range(len(answers))]",
                "asked = [stages >= place for place in range(len(answers))]",
            ),
        ],
    ),
    "scorecard/tables/delimited.py": (
        "tests/tables/test_delimited.py",
        [
            ("if found[best] > 1:", "if found[best] > 2:"),
        ],
    ),
    "scorecard/tables/suspicions.py": (
        "tests/tables/test_suspicions.py tests/tables/test_leaks.py",
        [
            ("return None if area is None else max(area, 1 - area)", "return area"),
            ("if order >= TELLING:", "if order > 1:"),
            ("if min(count, positive.size - count) < FEWEST:", "if count < FEWEST:"),
            ("if gaps == 0 or known < 2 * FEWEST:", "if gaps == 0:"),
            ("if chance >= LEVEL / cases.inputs.width:", "if chance >= 1:"),
            ("rarer <= RARER * other", "rarer <= other"),
            ("FEWEST_BESIDE:", "FEWEST:"),
            ("FAR * next_share", "next_share"),
            ("same.mean() >= TOGETHER", "same.mean() >= 0"),
            ("(numbers > last).mean() <= TOGETHER", "(numbers > last).mean() <= 1"),
            ("pure = _pure_side(column, cases.outcome) > 0", "pure = True"),
            ("if one not in inputs and one != cases.outcome.name", "if one not in inputs"),
            ("looks = np.isin(numbers, CODES) if", "looks = numbers > inf if"),
        ],
    ),
    "scorecard/forms/decision_table.py": (
        "tests/forms/test_decision_table.py tests/forms/test_agreement.py",
        [
            (
                "None if condition.cutoff is None else float_not_below(condition.cutoff)",
                "None if condition.cutoff is None else round(condition.cutoff, 2)",
            ),
            (
                '"lower": None if risk is None else risk.lower',
                '"lower": None if risk is None else risk.upper',
            ),
            (
                '"positives": None if box.counts is None else box.counts[1]',
                '"positives": None if box.counts is None else box.counts[0]',
            ),
            ('"rule out": about.rule_out,', '"rule out": about.rule_in,'),
            ('"points": question.points,', '"points": abs(question.points),'),
            ('"yes": sorted(YES_WORDS),', '"yes": sorted(YES_WORDS)[1:],'),
            ('"unknown": sorted(UNKNOWN_WORDS),', '"unknown": sorted(UNKNOWN_WORDS)[1:],'),
            ('"rule_out": low,', '"rule_out": high,'),
            ('"not_asked": inputs_of(staircase.dropped),', '"not_asked": [],'),
            ('"confidence": policy.confidence,', '"confidence": 0.9,'),
        ],
    ),
    "scorecard/forms/sql/make.py": (
        "tests/forms/test_agreement.py",
        [
            (
                'f"{number} BETWEEN {engine.literal(cutoff)} AND',
                'f"{number} > {engine.literal(cutoff)} AND 0 <',
            ),
            ('"high": "<> \'0\'" if points > 0', '"high": "= \'1\'" if points > 0'),
            ('_when(is_unknown, "?"), f"ELSE', '_when(is_unknown, "0"), f"ELSE'),
            (
                "yield f\"{total} <= {step['rule_out_at']}\"",
                "yield f\"{total} < {step['rule_out_at']}\"",
            ),
            (
                "yield f\"{total} >= {step['rule_in_at']}\"",
                "yield f\"{total} > {step['rule_in_at']}\"",
            ),
            (
                'turned = condition["kind"] in ("<", "not in", "no")',
                'turned = condition["kind"] in ("<", "not in")',
            ),
        ],
    ),
    "scorecard/forms/excel/make.py": (
        "tests/forms/test_agreement.py::test_the_workbook_agrees_on_examples",
        [
            (
                'number = f"IF({value}>={cutoff},{yes},{no})"',
                'number = f"IF({value}>{cutoff},{yes},{no})"',
            ),
            ('yes, no = (0, 1) if kind in ("<", "not in", "no") else (1, 0)', "yes, no = (1, 0)"),
        ],
    ),
    "templates/python/evaluator.py.j2": (
        "tests/forms/test_agreement.py::test_an_example_agrees tests/forms/test_python_file.py",
        [
            ("(number >= question.test) == (question", "(number > question.test) == (question"),
            ("yes = (question.points > 0) == unknown_to_highest", "yes = False"),
            ("not low <= number <= high", "not low < number <= high"),
            ('"stage": max(low_stage, high_stage),', '"stage": low_stage,'),
            ('"lower": outer(min, low.lower, high.lower),', '"lower": low.lower,'),
            ('"name": NAMES.get(decision, decision),', '"name": decision,'),
            (
                'return {"missing": True, "present": False}.get(question.condition)',
                'return {"missing": False, "present": True}.get(question.condition)',
            ),
            (
                "return value  # the answer itself\n    number = number_of(question, value)",
                "return not value\n    number = number_of(question, value)",
            ),
            ("if is_unknown and other and other", "if other and other"),
            (
                "DECIDING <= len(answers) < len(QUESTIONS)",
                "DECIDING < len(answers) < len(QUESTIONS)",
            ),
        ],
    ),
    "templates/javascript/evaluator.js.j2": (
        "tests/forms/test_python_file.py",
        [
            ("if (isUnknown && other && ", "if (other && "),
            ("deciding <= answers.length", "deciding < answers.length"),
        ],
    ),
    "scorecard/core/fitted.py": (
        "tests/test_api.py",
        [
            ('yield f"x{place}", str(name)', 'yield f"x{place}", f"x{place}"'),
            ('is_binned or "OneToOneFeatureMixin" in kinds', "is_binned"),
            ("return is_ufunc or (", "return (is_ufunc and False) or ("),
            ("    for part in parts:\n", "    for part in parts[:0]:\n"),
        ],
    ),
    "scorecard/evaluation/verdict.py": (
        "tests/evaluation/test_verdict.py",
        [
            ("rules = (_doubtful, _too_few, ", "rules = (_too_few, "),
            ("shown.rarer >= FEWEST and upper", "shown.rarer >= FEWEST or upper"),
            ("if lower <= 0.5 or value < POOR:", "if lower <= 0.5:"),
            ('if verdict == "broken":', 'if verdict == "kept":'),
            ("not found[1] <= 1 <= found[2]:", "found[1] <= 1 <= found[2]:"),
            ("if shown.chose_it:", "if not shown.chose_it:"),
            ("if shown.rarer < ENOUGH:", "if shown.rarer > ENOUGH:"),
            ("(positives - 1) * (both_above", "positives * (both_above"),
        ],
    ),
    "templates/shared/_evaluator.js.j2": (
        "tests/forms/test_agreement.py",
        [
            (
                'return (number >= cutoff) === (kind === ">=");',
                'return (number > cutoff) === (kind === ">=");',
            ),
            (
                "if (words.unknown.includes(short)) return null;",
                "if (words.unknown.includes(short)) return false;",
            ),
            (
                'if (words.yes_no_inputs_no.includes(short)) return kind === "no";',
                "if (words.yes_no_inputs_no.includes(short)) return false;",
            ),
            (
                'return categories.includes(category) === (kind === "in");',
                "return categories.includes(category);",
            ),
        ],
    ),
    "scorecard/words/numbers.py": (
        "tests/words/test_wording.py",
        [
            ("if probability < 1 / self.per:", "if probability <= 0:"),
            ("if probability > (self.per - 1) / self.per:", "if probability >= 1:"),
            ("if cases >= FEW_CASES:", "if cases > FEW_CASES:"),
            ('return f"+{points}" if points > 0 else', 'return f"{points}" if points > 0 else'),
        ],
    ),
    "scorecard/words/wording.py": (
        "tests/words/test_wording.py tests/forms/card/test_contents.py",
        [
            ('f"≤ {self.total(step.rule_out_at)}"', 'f"< {self.total(step.rule_out_at)}"'),
            ('f"≥ {self.total(step.rule_in_at)}"', 'f"> {self.total(step.rule_in_at)}"'),
            (
                'sign = {">=": "≥", "<": "<"}[condition.kind]',
                'sign = {">=": "≥", "<": "≤"}[condition.kind]',
            ),
            ("base is not None and base < RARE else 100", "base is not None and base < 0 else 100"),
        ],
    ),
    "scorecard/forms/card/rows.py": (
        "tests/forms/card/test_contents.py",
        [
            ('"rule out": "out"', '"rule out": "in"'),
            ('StopView("out", f"▼ ', 'StopView("out", f"▲ '),
            ("most = upper_bound(risk.positives", "most = lower_bound(risk.positives"),
            ("self.wording.bound(most, ROUND_CEILING)", "self.wording.bound(most, ROUND_FLOOR)"),
            (
                "self.wording.span(min(risks), max(risks)",
                "self.wording.span(min(risks), min(risks)",
            ),
            (
                'word("card more", points=points) if again else points',
                'word("card more", points=points)',
            ),
            (
                'highest.decision == "rule out" and highest.total == step.rule_out_at',
                'highest.decision == "rule out" and lowest.total == step.rule_out_at',
            ),
            (
                'yield StopView("out", f"▼ {self.wording.out_text(step)}")',
                'yield StopView("out", f"▼ {self.wording.in_text(step)}")',
            ),
        ],
    ),
    "scorecard/forms/card/read_path.py": (
        "tests/forms/card/test_path.py",
        [
            ("if question != taken:", "if False:"),
        ],
    ),
    "scorecard/forms/handout/calculator.py": (
        "tests/forms/handout/test_view.py",
        [
            ("1 + max(self.most, other.most)", "1 + min(self.most, other.most)"),
            (
                "return (min(risks), max(risks)) if risks else ()",
                "return (min(risks),) if risks else ()",
            ),
            ("turned = question.condition.kind in TURNED", "turned = False"),
        ],
    ),
    "scorecard/forms/card/contents.py": (
        "tests/forms/card/test_contents.py",
        [
            (
                'return " · ".join(filter(None, (self.edition, printable(self._options.identity))))',
                "return self.edition",
            ),
        ],
    ),
    "templates/card/_parts.html.j2": (
        "tests/forms/card/test_make.py",
        [
            (
                '{{ card.source }} · <span class="identity">{{ card.identity }}</span></p>{% endif %}',
                '<span class="identity">{{ card.identity }}</span></p>{% endif %}',
            ),
        ],
    ),
    "scorecard/documents/json_document.py": (
        "tests/documents/test_json_document.py",
        [
            ("came.lower() == _digest(asked):", "True:"),
            (
                "[question.input, tree_of(question.condition), question.points, *instead]",
                "[question.input, tree_of(question.condition), question.points]",
            ),
            (
                "if came is not None and came.lower() != content_hash(scoring_list):",
                "if came is not None and False:",
            ),
        ],
    ),
    "scorecard/forms/check.py": (
        "tests/forms/test_check.py::test_what_a_verdict_comes_to tests/forms/test_check.py tests/forms/test_forged.py",
        [
            (
                "self.tried_out and (self.disagreements > 0 or not self.same_list)",
                "self.tried_out and self.disagreements > 0",
            ),
            (
                "return self.disagrees or bool(in_part or (self.not_read and not self.in_folder))",
                "return self.disagrees or bool(in_part)",
            ),
            (
                "return self.disagrees or bool(in_part or (self.not_read and not self.in_folder))",
                "return self.disagrees or bool(self.not_read and not self.in_folder)",
            ),
            ("    if content == right:", "    if right is not None:"),
            (
                "self.tried_out and not self.disagrees and not self.in_part",
                "self.tried_out and not self.disagrees",
            ),
            (
                "    if content == right:\n        return replace(unread, same_list=True",
                '    if content[:4] == (right or b"")[:4]:\n        return replace(unread, same_list=True',
            ),
            ("named = due if origin is None else others.get(origin.list, due)", "named = due"),
            (
                "    if due.decisions_only or right is None:\n        return replace(verdict, in_part=reason)",
                "    if right is None or reason:\n        return replace(verdict, in_part=reason)",
            ),
        ],
    ),
    "scorecard/forms/origin.py": (
        "tests/forms/test_printed.py::test_what_is_missing_added_or_changed_is_told_with_its_line",
        [
            ("    if due is None:", "    if found is None and due is None:"),
        ],
    ),
    "scorecard/core/walk.py": (
        "tests/core/test_walk.py tests/core/test_cost.py tests/core/test_recalibration.py",
        [
            ("pays = answer is not None and used not in paid", "pays = answer is not None"),
            ("pays = answer is not None and used not in paid", "pays = used not in paid"),
            ("max(found.get(key, 0.0), float(question.cost or 0))", "float(question.cost or 0)"),
            ("used = ways[-1] if by_substitute[place] else ways[0]", "used = ways[0]"),
            ('            if unknown == "ends":\n                break\n', ""),
            ("share = yes.get(total, yes[None])", "share = yes[None]"),
            ("((value, share), (0, 1.0 - share))", "((value, share), (0, share))"),
            (
                '            if unknown == "ends":\n                break',
                '            if unknown == "never":\n                break',
            ),
            ('answer = (value > 0) == (unknown == "highest")', "answer = value > 0"),
            (
                "return [one for one in walking if len(one.totals) > stage and one.totals[stage] in totals]",
                "return [one for one in walking if len(one.totals) > stage]",
            ),
            (
                "        if len(reached) > stage:\n            before",
                "        if reached:\n            reached = (*reached, *[reached[-1]] * 9)\n            before",
            ),
            (
                "share = yes.get(total, yes[None])\n    return tuple",
                "share = yes[None]\n    return tuple",
            ),
            (
                "found.append(_yes_shares(crowd) if shares is None else shares[number])",
                "found.append(_yes_shares(crowd))",
            ),
            ('        if answers[0] != "?":', "        if answers:"),
            ("yes / cases if cases > 0 else 0.5", "yes / cases if cases > 0 else 0.0"),
        ],
    ),
    "scorecard/learning/search.py": (
        "tests/learning/test_search.py tests/learning/test_reference.py tests/learning/test_weighing.py tests/cli/test_costs.py",
        [
            ("for some in (free, others):", "for some in (others, free):"),
            ("elif len(before) < plan.repeats:", "elif before:"),
            (
                "by_chance = chance_gain(cases) if criterion.unit == cases else 0.0",
                "by_chance = 0.0",
            ),
        ],
    ),
    "scorecard/project/build.py": (
        "tests/cli/test_build.py",
        [
            ("made = same and all(record.knows(name) for name in record.made)", "made = same"),
            (
                "same = all(digest(card_toml.parent / name) == one for name, one in record.read.items())",
                "same = True",
            ),
            (
                "return self.made.get(name) == [key, digest(self.folder / name)]",
                'return self.made.get(name, [""])[0] == key',
            ),
            (
                "agree = agree and not any(one.fails for one in verdicts)",
                "agree = agree and not all(one.fails for one in verdicts)",
            ),
            (
                "key = _hash(digest(self.record.folder / LEARNED), limits, asdict(labels))",
                "key = _hash(digest(self.record.folder / LEARNED), asdict(labels))",
            ),
        ],
    ),
}


def faults(only: Sequence[str] = ()) -> Iterator[tuple[str, str, str, str]]:
    """File, text, what is put in its place, tests; the text has to be in the file, once."""
    moved = []
    for file, (tests, changes) in FAULTS.items():
        if only and not any(part in file for part in only):
            continue
        text = (ROOT / file).read_text(encoding="utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                moved.append(f"{file} has {old!r} {text.count(old)} times, expected once.")
            yield file, old, new, tests
    if moved:
        raise SystemExit("\n".join(moved))


class FirstFailure:
    """Notes the first test that fails, or the file that cannot be loaded.

    Tests with examples of their own come first: they take no time beside those that search for some.
    """

    name = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: hasattr(getattr(item, "obj", None), "hypothesis"))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.name = self.name or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.name = self.name or report.nodeid


@dataclass(frozen=True)
class Run:
    """How tests ended: what they returned, the first of them that failed, seconds of computing."""

    code: int
    failed: str
    seconds: float = 0.0

    @property
    def is_green(self) -> bool:
        return self.code == 0

    @property
    def by(self) -> str:
        return self.failed or f"ended with {self.code}"


def tried(copy: Path, file: str, old: str, new: str, tests: Sequence[str]) -> Run:
    """The tests with the fault in the copy; the file is as before afterwards."""
    path = copy / file
    right = path.read_text(encoding="utf-8")
    path.write_text(right.replace(old, new), encoding="utf-8")
    try:
        return _in_a_process_of_its_own(copy, tests)
    finally:
        path.write_text(right, encoding="utf-8")


def _in_a_process_of_its_own(copy: Path, tests: Sequence[str]) -> Run:
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        code = 9
        try:
            run = _run_tests(copy, tests)
            os.write(there, run.failed.encode())
            code = run.code
        finally:
            os._exit(code)  # nothing of this process is to be tidied up twice
    os.close(there)
    with os.fdopen(here, encoding="utf-8") as told:
        failed = told.read()
    _, code, used = os.wait4(child, 0)
    return Run(code, failed, used.ru_utime + used.ru_stime)


def _run_tests(copy: Path, tests: Sequence[str]) -> Run:
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    os.environ |= {"PYTHONPATH": str(copy), "HYPOTHESIS_PROFILE": "unshrunk"}
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    failure = FirstFailure()
    options = ["-x", "-q", "-p", "no:cacheprovider", "-W", ALREADY_LOADED]
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        code = int(pytest.main([*options, *tests], plugins=[failure]))
    return Run(code, failure.name)


def _copied(folder: str) -> Path:
    """A copy of the tree; from now on the code is loaded from there, by each try anew."""
    copy = Path(folder, "tree")
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
    for name in HEAVY:
        import_module(name)
    assert not [name for name in sys.modules if name.partition(".")[0] == "scorecard"]
    sys.path[:] = [one for one in sys.path if Path(one or ".").resolve() != ROOT]
    sys.modules.pop("tests", None)
    return copy


def main() -> int:
    wanted = list(faults(sys.argv[1:]))
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy = _copied(folder)
        sound: dict[str, bool] = {}
        for number, (file, old, new, tests) in enumerate(wanted, 1):
            run = tried(copy, file, old, new, tests.split())
            # What fails without the fault as well has not noticed it.
            proof = run.failed or tests
            if not run.is_green and proof not in sound:
                named = [run.failed] if run.failed else tests.split()
                sound[proof] = tried(copy, file, old, old, named).is_green
            if not run.is_green and not sound[proof]:
                raise SystemExit(f"This fails without any fault: {proof}")
            survivors += [f"{file}: {new!r} in place of {old!r}"] if run.is_green else []
            told = "SURVIVED" if run.is_green else f"caught by {run.by}"
            print(f"{number:>3} {run.seconds:4.0f} s {file}: {new}: {told}", flush=True)
    print(f"{len(wanted) - len(survivors)} of {len(wanted)} faults caught")
    for survivor in survivors:
        print(f"survived: {survivor}")
    return int(len(survivors) > 2)


if __name__ == "__main__":
    sys.exit(main())

"""Numbers to words: every figure, sign and sentence that is printed, without any layout.

A card has one language and one denominator ("of 100" or "of 1000"), so both live in a `Wording`.
Decisions are made on unrounded values elsewhere; what is rounded here is rounded so that a printed
inequality is true as printed: limits and ranges outward, "<1" and ">99" instead of 0 and 100.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from scorecard.core.climbing import DEFAULT_LEVEL
from scorecard.core.evidence import Validation, ValidationKind
from scorecard.core.model import About, Question, Risk, ScoringList
from scorecard.core.policy import By, Estimate, StoppingPolicy
from scorecard.core.staircase import Box, Decision, Note, Staircase, Step
from scorecard.words.language import Language, language_named

MINUS = "−"
NEVER = "–"
GROUP_SPACE = "\N{NO-BREAK SPACE}"  # between thousands: 150 000 cannot be taken for 15 000
SYMBOLS: dict[Decision, str] = {
    "rule out": "▼",
    "rule in": "▲",
    "undecided": "◆",
    "go on": "→",
    "unknown": "?",
}
CURTAILED_MARK = "°"
FEW_CASES = 10
FEW_MARK = "*"
UNSEEN = "0/0"
RARE = 0.02  # below this base rate everything is told "of 1000"

# What the decisions are called where the data chose the limits: nobody said what to do there.
GROUPS: dict[Decision, str] = {
    "rule out": "low risk",
    "rule in": "high risk",
    "undecided": "in between",
}

# Which words stand for a choice: the keys are written out, so that a search for one finds its use.
RULES: dict[By, str] = {
    "group": "by group",
    "point": "by point",
    "bounds": "by bounds",
    "promise": "by promise",
}
ORIGINS = {
    "cross-checked": "cross-checked figures",
    "held-out": "held-out figures",
    "training": "training figures",
    "published": "published figures",
}
UNSEEN_LEGENDS: dict[Estimate, str] = {"reached": "unseen reached", "all": "unseen all"}
USED: dict[Estimate, str] = {"reached": "used reached", "all": "used all"}
TESTED: dict[ValidationKind, str] = {"held-out": "tested held-out", "other table": "tested other"}
VALIDATED: dict[ValidationKind, str] = {
    "held-out": "validated held-out",
    "other table": "validated other",
}
# By whether anybody is meant to stop on the low side, and on the high side.
LIMITS = {
    (True, True): "limits",
    (True, False): "limits out",
    (False, True): "limits in",
    (False, False): "limits none",
}
GROUP_LIMITS = {
    (True, True): "limits groups",
    (True, False): "limits low group",
    (False, True): "limits high group",
}
SHORT_LIMITS = {
    (True, True): "card short limits",
    (True, False): "card short limit out",
    (False, True): "card short limit in",
}
NOBODY = {"rule out": "nobody rule out", "rule in": "nobody rule in"}
NOBODY_GROUP = {"rule out": "nobody group rule out", "rule in": "nobody group rule in"}


def printable(text: str) -> str:
    """User text on one line, without control, bidirectional-override and other unseen characters.

    Line breaks and tabs become spaces. Letters that join (in Arabic or Indic scripts) need the two
    joiners, so these stay.
    """
    kept = (" " if c in _LINE_BREAKS else c for c in text if not _is_unseen(c))
    return re.sub(r" {2,}", " ", "".join(kept)).strip()


_LINE_BREAKS = frozenset("\t\n\v\f\r\x85\u2028\u2029")
_JOINERS = frozenset("\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")


def _is_unseen(character: str) -> bool:
    if character in _LINE_BREAKS or character in _JOINERS:
        return False
    return unicodedata.category(character) in {"Cc", "Cf", "Cs"}


@dataclass(frozen=True, slots=True)
class Wording:
    """How one list is put into words: a language, and the denominator of all its risks.

    `groups` if its limits are those that the data chose: then one ends with a low or a high risk,
    and nobody is told to rule anything out.

    Examples
    --------
    >>> english = Wording(language_named("en"))
    >>> english.risk(0.004), english.risk(0.254), english.points(-2)
    ('<1', '25', '−2')
    """

    language: Language
    per: int = 100
    groups: bool = False

    @classmethod
    def of(cls, what: Staircase | ScoringList, language: Language | str = "en") -> Wording:
        """The wording for a list under its limits, or under those it was made for.

        Risks are told "of 1000" if the base rate is known and below 2 %.
        """
        scoring_list = what.scoring_list if isinstance(what, Staircase) else what
        base, policy = scoring_list.base_rate, what.policy
        found = language_named(language) if isinstance(language, str) else language
        return cls(
            found,
            1000 if base is not None and base < RARE else 100,
            policy is not None and policy.chosen_by == "data" and any(policy.has_limit),
        )

    # Words --------------------------------------------------------------------------------------

    def word(self, key: str, **parts: object) -> str:
        """A fixed word or sentence with its parts filled in."""
        text = self.language.words[key]
        return text.format(**parts) if parts else text

    def sentence(self, *parts: str) -> str:
        """Parts joined by semicolons, ending in one full stop."""
        return "; ".join(part for part in parts if part).rstrip(".") + "."

    # Numbers ------------------------------------------------------------------------------------

    def number(self, value: int | float) -> str:
        """A number as a person writes it: 0.1, 150 000, −3, 2.5e−9; never float noise."""
        exact = Decimal(repr(value) if isinstance(value, float) else value)
        if exact and not -7 < exact.adjusted() < 15:
            digits, _, exponent = f"{exact.normalize():e}".partition("e")
            text = f"{digits}e{int(exponent)}"
        else:
            text = _plain(exact)
        return text.replace("-", MINUS).replace(".", self.language.decimal_mark)

    def times(self, factor: float) -> str:
        """How many times something counts: 10, 2.5."""
        return self.number(int(factor) if float(factor).is_integer() else factor)

    def points(self, points: int) -> str:
        """Points with their sign: +3, −2."""
        return f"+{points}" if points > 0 else self.total(points)

    def total(self, total: int) -> str:
        """A total; only negative ones have a sign."""
        return self.number(total)

    def totals(self, low: int, high: int) -> str:
        """One total or several: 3, 3–5; with a minus sign "−2 to 1", not "−2–1"."""
        first, last = self.total(low), self.total(high)
        if low == high:
            return first
        return f"{first}–{last}" if low >= 0 else self.word("to", low=first, high=last)

    def percent(self, share: float) -> str:
        """A level or share, for instance 95 %: as exact as it was given."""
        return f"{self.number(_number_of(_exact(share) * 100))}\N{NO-BREAK SPACE}%"

    # Risks --------------------------------------------------------------------------------------

    def risk(self, probability: float) -> str:
        """The bare number "x" of "x of 100": whole, or "<1" or ">99"; never 0 or 100."""
        return self._rounded(probability, ROUND_HALF_UP)

    def risk_of(self, probability: float) -> str:
        """The risk with its denominator: "5 of 100"."""
        return self.word("of", number=self.risk(probability), per=self.number(self.per))

    def range(self, risk: Risk) -> str:
        """The range behind a risk, ends rounded outward: "2–9"; empty if there is none."""
        if risk.lower is None or risk.upper is None:
            return ""
        return self.span(risk.lower, risk.upper)

    def span(self, lowest: float, highest: float, outward: bool = True) -> str:
        """From one risk to another: "2–9", "up to 9", "from 39"; never "<1–9" or "39–>99"."""
        low = self._rounded(lowest, ROUND_FLOOR if outward else ROUND_HALF_UP)
        high = self._rounded(highest, ROUND_CEILING if outward else ROUND_HALF_UP)
        if low == high:
            return low
        if low.isdecimal() and high.isdecimal():
            return f"{low}–{high}"
        if not low.isdecimal() and not high.isdecimal():
            return self.word("to", low=low, high=high)
        return self.word("up to", high=high) if high.isdecimal() else self.word("from", low=low)

    def limit(self, probability: float, rules_out: bool) -> str:
        """A limit "of 100", with one decimal if it needs one, rounded outward."""
        outward = ROUND_CEILING if rules_out else ROUND_FLOOR
        scaled = (_exact(probability) * self.per).quantize(Decimal("0.1"), outward)
        return self.number(_number_of(scaled))

    def limit_of(self, probability: float, rules_out: bool) -> str:
        """The limit with its denominator: "5 of 100"."""
        limit = self.limit(probability, rules_out)
        return self.word("of", number=limit, per=self.number(self.per))

    def _rounded(self, probability: float, rounding: str) -> str:
        # Compared unrounded, so that "<1" and ">99" are true as printed.
        if probability < 1 / self.per:
            return "<1"
        if probability > (self.per - 1) / self.per:
            return f">{self.number(self.per - 1)}"
        return self.number(int((_exact(probability) * self.per).to_integral_value(rounding)))

    # Counts -------------------------------------------------------------------------------------

    def count(self, count: int | float) -> str:
        """A number of cases; effective numbers of weighted cases with one decimal."""
        return self.number(count if isinstance(count, int) else _number_of(_tenths(count)))

    def counts(self, risk: Risk | None) -> str:
        """Positives and cases behind a risk, "3/120"; empty if they are not known."""
        if risk is None or risk.cases is None or risk.positives is None:
            return ""
        return f"{self.count(risk.positives)}/{self.count(risk.cases)}"

    def counts_in_words(self, positives: int | float, cases: int | float) -> str:
        """ "3 of 120 cases"."""
        return self.word("counts", positives=self.count(positives), cases=self.count(cases))

    def few_mark(self, risk: Risk | None) -> str:
        """The mark of a figure with fewer than 10 cases behind it, else nothing."""
        few = risk is not None and risk.cases is not None and risk.cases < FEW_CASES
        return FEW_MARK if few else ""

    def few_legend(self) -> str:
        """What the mark means."""
        return f"{FEW_MARK} {self.word('few', number=FEW_CASES)}"

    def is_unseen(self, risk: Risk | None) -> bool:
        """Whether cases were counted and none got there: the figure stands on others."""
        return risk is not None and risk.cases == 0

    def unseen_legend(self, estimate: Estimate) -> str:
        return self.word(UNSEEN_LEGENDS[estimate], counts=UNSEEN)

    def curtailed_legend(self) -> str:
        return self.word("curtailed", mark=CURTAILED_MARK)

    # Questions ----------------------------------------------------------------------------------

    def condition(self, question: Question) -> str:
        """What has to hold: "≥ 115 µm", "is female", "yes", "not measured"."""
        condition = question.condition
        if condition.cutoff is not None:
            sign = {">=": "≥", "<": "<"}[condition.kind]
            return f"{sign} {self.number(condition.cutoff)} {printable(question.unit)}".rstrip()
        if condition.is_categorical:
            key = "is" if condition.kind == "in" else "is not"
            return self.word(key, categories=self.joined(condition.categories))
        return self.word(condition.kind)

    def question(self, question: Question) -> str:
        """The whole question: "Age ≥ 65 years", "Sex is female", "Smoker", "Smoker: no"."""
        label = printable(question.label)
        if question.condition.kind == "yes":
            return label
        colon = ":" if question.condition.kind == "no" else ""
        return f"{label}{colon} {self.condition(question)}"

    def joined(self, texts: Sequence[str], last: str = "or") -> str:
        """ "a", "a or b", "a, b or c"; an empty text is shown as quotes."""
        shown = [printable(text) or "“”" for text in texts]
        if len(shown) < 2:
            return "".join(shown)
        return f"{', '.join(shown[:-1])} {self.word(last)} {shown[-1]}"

    # Decisions ----------------------------------------------------------------------------------

    def decision(self, decision: Decision, about: About | None = None) -> str:
        """What the list calls a decision, or the usual word."""
        own = {"rule out": "rule_out", "rule in": "rule_in", "undecided": "undecided"}
        name = own.get(decision)
        usual = GROUPS.get(decision, decision) if self.groups else decision
        return (printable(getattr(about, name)) if about and name else "") or self.word(usual)

    def out_text(self, step: Step) -> str:
        """Where to stop with "rule out": "≤ 0", or "–" for nowhere."""
        return NEVER if step.rule_out_at is None else f"≤ {self.total(step.rule_out_at)}"

    def in_text(self, step: Step) -> str:
        """Where to stop with "rule in": "≥ 3", or "–" for nowhere."""
        return NEVER if step.rule_in_at is None else f"≥ {self.total(step.rule_in_at)}"

    def undecided_text(self, step: Step) -> str:
        """The totals that stay undecided: "1 to 2", or "–" for none."""
        between = step.undecided_between
        if between is None:
            return NEVER
        low, high = self.total(between[0]), self.total(between[1])
        return low if low == high else self.word("to", low=low, high=high)

    def after(self, stage: int) -> str:
        """ "After question 2", or "Before the first question"."""
        return self.word("after", number=stage) if stage else self.word("start")

    def box_symbol(self, box: Box) -> str:
        """The sign of a stop, with a mark where no later answer can change it; go on has none."""
        if not box.stops:
            return ""
        return SYMBOLS[box.decision] + (CURTAILED_MARK if box.curtailed else "")

    # Sentences ----------------------------------------------------------------------------------

    def limits_sentence(self, staircase: Staircase) -> str:
        """Which limits, kept by which figure, at which confidence."""
        policy = staircase.policy
        minimum = (
            self.word("min cases", number=policy.min_cases)
            if policy.min_cases > 1
            and any(policy.has_limit)
            and _has_counts(staircase.scoring_list)
            else ""
        )
        return self.sentence(self._limits(staircase), self._by(staircase), minimum)

    def estimate_sentence(self, staircase: Staircase) -> str:
        """Whose risk is told: of those who get to a box, or of all with its total."""
        return self.word(staircase.estimate)

    def undecided_sentence(self, staircase: Staircase) -> str:
        """What to do when undecided if a cost ratio was given; else empty."""
        policy = staircase.policy
        if policy.miss_cost is None or policy.cost_limit is None or staircase.by == "bounds":
            return ""
        return self.word(
            "undecided cost",
            cost=self.times(policy.miss_cost),
            limit=self.limit(policy.cost_limit, rules_out=True),
            per=self.number(self.per),
        )

    def figures_sentence(self, scoring_list: ScoringList) -> str:
        """Where the figures come from, with the number of cases if it is known."""
        origin = self.word(ORIGINS[scoring_list.figures.origin])
        cases = cases_behind(scoring_list)
        if cases is None:
            return origin
        behind = self.word(
            "cases behind", cases=self.count(cases[0]), positives=self.count(cases[1])
        )
        return f"{origin} {behind}"

    def validation_sentence(self, scoring_list: ScoringList) -> str:
        """Where the list was validated, in the words of who says so, or that it was not."""
        said = printable(scoring_list.about.validation)
        if said:
            return self.sentence(self.word("validated", validation=said))
        if any(one.kind == "other table" for one in scoring_list.validations):
            return ""
        return self.word("not validated")

    def cross_check_sentences(self, staircase: Staircase) -> list[str]:
        """How cases ended that were judged by lists that had not seen them; empty without."""
        tally = staircase.cross_checked
        if tally is None:
            return []
        sides = [
            self.word(
                key,
                positives=self.count(counts[1]),
                cases=self.count(counts[0]),
                limit=self.limit_of(limit, rules_out=rules_out),
            )
            for key, counts, limit, rules_out in (
                ("cross-checked out", tally.ruled_out, staircase.policy.rule_out, True),
                ("cross-checked in", tally.ruled_in, staircase.policy.rule_in, False),
            )
            if counts[0]
        ]
        decided = self.word(
            "cross-checked decided",
            decided=self.count(tally.ruled_out[0] + tally.ruled_in[0]),
            cases=self.count(tally.cases),
            mean=self.mean(tally.mean_questions),
        )
        return [*sides, decided] if sides else []

    def validation_sentences(self, staircase: Staircase) -> list[str]:
        """What tests of the finished list on new cases have shown, each with its own limits."""
        return [
            self._validation(one, staircase.policy) for one in staircase.scoring_list.validations
        ]

    def short_validations(self, staircase: Staircase) -> str:
        """The tests under these very limits, one after the other in few words, and what is sure."""
        told = []
        for one in staircase.scoring_list.validations:
            if one.policy != staircase.policy:
                continue
            bounds = [
                self.word(key, bound=self._bound(bound, rounding))
                for key, bound, rounding in (
                    ("tested out", one.missed_at_most, ROUND_CEILING),
                    ("tested in", one.found_at_least, ROUND_FLOOR),
                )
                if bound is not None
            ]
            told += [
                self.word(
                    TESTED[one.kind],
                    cases=self.count(one.tally.cases),
                    bounds=", ".join(bounds),
                    per=self.number(self.per),
                    confidence=self.percent(one.policy.confidence),
                )
            ] * bool(bounds)
        return " ".join(told)

    def _validation(self, validation: Validation, in_force: StoppingPolicy) -> str:
        tally, policy = validation.tally, validation.policy
        source, confidence = printable(validation.source), self.percent(policy.confidence)
        told = [
            self.word(
                VALIDATED[validation.kind], cases=self.count(tally.cases), source=source or NEVER
            )
        ]
        if policy != in_force:
            told.append(self.word("validated limits", limits=self.short_limits(policy)))
        for key, (cases, positives), bound, rounding in (
            ("validated out", tally.ruled_out, validation.missed_at_most, ROUND_CEILING),
            ("validated in", tally.ruled_in, validation.found_at_least, ROUND_FLOOR),
        ):
            if bound is not None:
                told.append(
                    self.word(
                        key,
                        positives=self.count(positives),
                        cases=self.count(cases),
                        confidence=confidence,
                        bound=self._bound(bound, rounding),
                        per=self.number(self.per),
                    )
                )
        if len(told) == 1 + (policy != in_force):
            told.append(self.word("validated nobody"))
        return " ".join(told)

    def short_limits(self, policy: StoppingPolicy) -> str:
        """ "▼ at most 5, ▲ at least 95 of 100", or only one of them; empty without limits."""
        if not any(policy.has_limit):
            return ""
        low, high = policy.limits
        return self.word(
            SHORT_LIMITS[policy.has_limit],
            out=self.limit(low, rules_out=True),
            into=self.limit(high, rules_out=False),
            per=self.number(self.per),
        )

    def _bound(self, bound: float, rounding: str) -> str:
        """A bound rounded outward, so that the sentence is true as printed."""
        return self.number(int((_exact(bound) * self.per).to_integral_value(rounding)))

    def mean(self, questions: float) -> str:
        """A mean number of questions, with one decimal."""
        return self.number(_number_of(_tenths(questions)))

    def legend(self, staircase: Staircase) -> str:
        """What the figures in the boxes mean."""
        counted = any(self.counts(box.risk) for step in staircase.steps for box in step.boxes)
        key = "legend" if counted else "legend without counts"
        return self.word(key, per=self.number(self.per))

    def notes(self, staircase: Staircase) -> list[str]:
        """Everything the staircase has to say, as sentences, in its order."""
        return [self.note(note, staircase) for note in staircase.notes]

    def note(self, note: Note, staircase: Staircase) -> str:
        """One note as a sentence."""
        facts = dict(note.facts)
        if note.kind == "estimates-differ":
            return self._differing_estimates(facts, staircase)
        if note.kind == "nobody":
            return self._nobody(facts, staircase)
        if note.kind in ("ends-early", "only-sharpen"):
            dropped = [question.label for question in staircase.dropped]
            facts["dropped"] = self.joined(dropped, last="and")
            facts["count"] = len(staircase.scoring_list.questions)
        if "stage" in facts:
            facts["after"] = self.after(_whole(facts["stage"]))
        return self.word(note.kind, **facts)

    def _limits(self, staircase: Staircase) -> str:
        policy, per = staircase.policy, self.number(self.per)
        if staircase.by == "bounds" and policy.miss_cost is not None:
            limit = self.limit(policy.limits[0], rules_out=True)
            return self.word(
                "limits by cost", limit=limit, per=per, cost=self.times(policy.miss_cost)
            )
        low, high = policy.limits
        key = (GROUP_LIMITS if self.groups else LIMITS)[policy.has_limit]
        out, into = self.limit(low, rules_out=True), self.limit(high, rules_out=False)
        return self.word(key, out=out, into=into, per=per)

    def _by(self, staircase: Staircase) -> str:
        if not any(staircase.policy.has_limit):
            return ""
        level = staircase.scoring_list.figures.level or DEFAULT_LEVEL
        return self.word(
            RULES[staircase.by],
            confidence=self.percent(staircase.policy.confidence),
            level=self.percent(level),
        )

    def _differing_estimates(self, facts: dict[str, object], staircase: Staircase) -> str:
        here = facts["probability"], facts["decision"]
        there = facts["other_probability"], facts["other_decision"]
        reached, everybody = (here, there) if staircase.estimate == "reached" else (there, here)
        about = staircase.scoring_list.about
        return self.word(
            "estimates-differ",
            after=self.after(_whole(facts["stage"])),
            total=self.total(_whole(facts["total"])),
            reached=self._risk_or_none(reached[0]),
            decision_reached=self.decision(reached[1], about),  # type: ignore[arg-type]
            all=self._risk_or_none(everybody[0]),
            decision_all=self.decision(everybody[1], about),  # type: ignore[arg-type]
            used=self.word(USED[staircase.estimate]),
        )

    def _risk_or_none(self, probability: object) -> str:
        return (
            self.risk_of(probability) if isinstance(probability, float) else self.word("no figure")
        )

    def _nobody(self, facts: dict[str, object], staircase: Staircase) -> str:
        decision: Decision = "rule out" if facts["decision"] == "rule out" else "rule in"
        limit = facts["limit"]
        assert isinstance(limit, float | int)
        parts = [
            self.word(
                NOBODY[decision],
                decision=self.decision(decision, staircase.scoring_list.about),
                limit=self.limit_of(limit, rules_out=decision == "rule out"),
            )
        ]
        if facts["group"] is not None:
            group = self.number(_whole(facts["group"]))
            parts.append(self.word(NOBODY_GROUP[decision], group=group))
        if facts["cases"] is not None:
            parts.append(self.word("nobody cases", cases=self.number(_whole(facts["cases"]))))
        return self.sentence(*parts)


def cases_behind(scoring_list: ScoringList) -> tuple[int | float, int | float] | None:
    """All cases and positives behind a list's figures, or `None` if they are not known."""
    if scoring_list.evidence is not None:
        patterns = scoring_list.evidence.patterns
        return sum(p.cases for p in patterns), sum(p.positives for p in patterns)
    for stage in (scoring_list.stages[0], scoring_list.stages[-1]):
        if stage is not None and stage.risks[0].cases is not None:
            return (
                sum(risk.cases or 0 for risk in stage.risks),
                sum(risk.positives or 0 for risk in stage.risks),
            )
    return None


def _has_counts(scoring_list: ScoringList) -> bool:
    return cases_behind(scoring_list) is not None


def _exact(value: float) -> Decimal:
    """The number a person would write: 0.29 × 100 is 29, not 28.999999999999996."""
    return Decimal(repr(float(value)))


def _number_of(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def _tenths(count: float) -> Decimal:
    return _exact(count).quantize(Decimal("0.1"), ROUND_HALF_UP)


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value


def _plain(exact: Decimal) -> str:
    """Plain digits, in groups of three from 10 000 on."""
    whole, point, decimals = f"{exact:f}".partition(".")
    if len(whole.lstrip("-")) > 4:
        whole = f"{int(whole):,}".replace(",", GROUP_SPACE)
    return f"{whole}{point}{decimals}"

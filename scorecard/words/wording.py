"""A list in words: every sign and sentence that is printed about it, without any layout."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scorecard.core.build_staircase import DEFAULT_LEVEL
from scorecard.core.evidence import Counts, Seen, range_of
from scorecard.core.model import About, Question, ScoringList
from scorecard.core.policy import By, Estimate, StoppingPolicy
from scorecard.core.question import plain_number, with_substitutes
from scorecard.core.staircase import Box, Decision, Note, Staircase, Step
from scorecard.words.language import Language, language_named
from scorecard.words.numbers import Numbers

NEVER = "–"
SYMBOLS: dict[Decision, str] = {
    "rule out": "▼",
    "rule in": "▲",
    "undecided": "◆",
    "go on": "→",
    "unknown": "?",
}
CURTAILED_MARK = "°"
RARE = 0.02  # below this base rate everything is told "of 1000"

# Which words stand for a choice: the keys are written out, so that a search for one finds its use.
RULES: dict[By, str] = {
    "group": "by group",
    "point": "by point",
    "bounds": "by bounds",
    "error-control": "by error-control",
}
ORIGINS = {
    "cross-validated": "cross-validated figures",
    "held-out": "held-out figures",
    "training": "training figures",
    "published": "published figures",
}
USED: dict[Estimate, str] = {"reached": "used reached", "all": "used all"}
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
class Wording(Numbers):
    """How one list is put into words: a language, and the denominator of all its risks.

    `names` are those of the policy: under limits that the data chose one ends with a low or a high
    risk, and nobody is told to rule anything out; without limits one ends with a plain risk.

    Examples
    --------
    >>> english = Wording(language_named("en"))
    >>> english.risk(0.004), english.risk(0.254), english.points(-2)
    ('<1', '25', '−2')
    """

    names: Mapping[str, str] = field(default_factory=dict)

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
            policy.limits if policy else (0.0, 1.0),
            policy.names if policy else {},
        )

    # Marks ---------------------------------------------------------------------------------------

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
        if question.condition.kind == "no":
            label = self.word("term", term=label)
        return f"{label} {self.condition(question)}"

    def outside_seen(self, question: Question, seen: Seen) -> str:
        """What is said of a number far from all: "outside what the list has seen (7 to 24); …"."""
        ends = (plain_number(float(f"{one:.3g}"), "seen") for one in (seen.low, seen.high))
        low, high = map(self.number, ends)
        span = f"{self.word('to', low=low, high=high)} {printable(question.unit)}".rstrip()
        return self.word("outside seen", range=span)

    def remarks(self, staircase: Staircase) -> dict[str, str]:
        """By input what is said of a number that is outside what the list has seen."""
        asked = (*staircase.questions, *staircase.sharpening_questions)
        found = (
            (one, range_of(staircase.scoring_list.seen, one)) for one in with_substitutes(asked)
        )
        return {one.input: self.outside_seen(one, seen) for one, seen in found if seen}

    def instead(self, question: Question) -> str:
        """What is asked where the question is unknown; empty if nothing is."""
        other = question.instead
        return self.word("if unknown", question=self.question(other)) if other else ""

    def whole_question(self, question: Question) -> str:
        """The question with its substitute: "CRP ≥ 50 (if unknown: Fever)"."""
        instead = self.instead(question)
        return f"{self.question(question)} ({instead})" if instead else self.question(question)

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
        usual = self.names.get(decision, decision)
        return (printable(getattr(about, name)) if about and name else "") or self.word(usual)

    def told(self, decision: Decision, about: About | None = None) -> str:
        """A decision with its sign; what to do when undecided is an action, not its name."""
        name, usual = self.decision(decision, about), self.decision(decision)
        if decision == "undecided" and name != usual:
            name = f"{self.word('term', term=usual)} {name}"
        if decision == "unknown":  # both ways end differently: then one does what ◆ says
            name = f"{self.word('term', term=name)} {self.told('undecided', about)}"
        return f"{SYMBOLS[decision]} {name}"

    def unknown_rule(self, staircase: Staircase) -> str:
        """What to do where an answer is not known; where nobody stops early, one reads a risk."""
        if not staircase.deciding_questions:
            return self.word("unknown rule risk")
        if any(step.undecided_between for step in staircase.steps):
            return self.word("unknown rule undecided")
        return self.word("unknown rule")

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
        origin = self.word(ORIGINS[scoring_list.risk_source.origin])
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

    def short_limits(self, policy: StoppingPolicy) -> str:
        """ "▼ at most 5 %, ▲ at least 95 %", or only one of them; empty without limits."""
        if not any(policy.has_limit):
            return ""
        low, high = policy.limits
        return self.word(
            SHORT_LIMITS[policy.has_limit],
            out=self.limit_percent(low, rules_out=True),
            into=self.limit_percent(high, rules_out=False),
        )

    def legend(self, staircase: Staircase) -> str:
        """What the figures in the boxes mean."""
        counted = any(box.counts for step in staircase.steps for box in step.boxes)
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
        if note.kind == "unknown-with-outcome":
            facts = self._unknown_with_outcome(note, staircase)
        if note.kind == "decided-despite-unknown":
            facts = self._two_counts(note, "out", "into")
        if "stage" in facts:
            facts["after"] = self.after(_whole(facts["stage"]))
        return self.word(note.kind, **facts)

    def _unknown_with_outcome(self, note: Note, staircase: Staircase) -> dict[str, object]:
        label = printable(staircase.questions[_whole(note["question"])].label)
        return {"label": label, **self._two_counts(note, "missing", "known")}

    def _two_counts(self, note: Note, *names: str) -> dict[str, object]:
        """Cases and positives of two groups, as the words of a sentence."""
        return {
            f"{name}{what}": self.count(count)
            for name in names
            for what, count in zip(("", "_positives"), _counts(note[name]), strict=True)
        }

    def _limits(self, staircase: Staircase) -> str:
        policy, per = staircase.policy, self.number(self.per)
        if staircase.by == "bounds" and policy.miss_cost is not None:
            limit = self.limit(policy.limits[0], rules_out=True)
            return self.word(
                "limits by cost", limit=limit, per=per, cost=self.times(policy.miss_cost)
            )
        low, high = policy.limits
        key = (GROUP_LIMITS if policy.tells_groups else LIMITS)[policy.has_limit]
        out, into = self.limit(low, rules_out=True), self.limit(high, rules_out=False)
        return self.word(key, out=out, into=into, per=per)

    def _by(self, staircase: Staircase) -> str:
        if not any(staircase.policy.has_limit):
            return ""
        level = staircase.scoring_list.risk_source.level or DEFAULT_LEVEL
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
        # More cases like these would show it; how many more is nothing that few cases can tell.
        if facts["few"]:
            parts.append(self.word("nobody few"))
        if facts["group"] is not None:
            group = self.number(_whole(facts["group"]))
            parts.append(self.word(NOBODY_GROUP[decision], group=group))
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


def _counts(value: object) -> Counts:
    assert isinstance(value, tuple)
    return value


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value

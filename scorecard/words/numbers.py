"""How figures are written in a language: risks, ranges, limits and counts.

A card has one language and one denominator ("8 of 100" and "8 %", or "8 of 1000" and "0.8 %").
Decisions are made on unrounded values elsewhere; what is rounded here is rounded so that a printed
inequality is true as printed: limits and ranges outward, "<1" and ">99" instead of 0 and 100, and
no risk across a limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from scorecard.core.evidence import Counts
from scorecard.core.model import Risk
from scorecard.core.staircase import FEW_CASES
from scorecard.words.language import Language

MINUS = "−"
PERCENT = "\N{NO-BREAK SPACE}%"
GROUP_SPACE = "\N{NO-BREAK SPACE}"  # between thousands: 150 000 cannot be taken for 15 000


@dataclass(frozen=True, slots=True)
class Numbers:
    """A language, the denominator of all risks, and the limits that none is rounded across."""

    language: Language
    per: int = 100
    limits: tuple[float, float] = (0.0, 1.0)

    # Words --------------------------------------------------------------------------------------

    def word(self, key: str, **parts: object) -> str:
        """A fixed word or sentence with its parts filled in."""
        text = self.language.words[key]
        return text.format(**parts) if parts else text

    def sentence(self, *parts: str) -> str:
        """Parts joined by semicolons, ending in one full stop."""
        given = filter(None, parts)
        text = next(given, "")
        for part in given:
            text = self.word("both", first=text, second=part)
        return text.rstrip(".") + "."

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
        return f"{self.number(_number_of(_exact(share) * 100))}{PERCENT}"

    # Risks --------------------------------------------------------------------------------------

    def risk(self, probability: float, percent: bool = False) -> str:
        """The bare number "x" of "x of 100": whole, or "<1" or ">99"; never 0 or 100.

        With `percent` "x %", of 1000 with one decimal.

        With limits of 5 and 85 of 100 a risk of 0.0534 is "6" and one of 0.8465 is "84": "85" where
        one does not stop would contradict "at least 85".
        """
        ways = (ROUND_HALF_UP, ROUND_FLOOR, ROUND_CEILING)
        kept = (way for way in ways if self._keeps_its_side(probability, way))
        shown = self._rounded(probability, next(kept, ROUND_HALF_UP), percent)
        return f"{shown}{PERCENT}" if percent else shown

    def _keeps_its_side(self, probability: float, rounding: str) -> bool:
        exact = _exact(probability)
        shown = (exact * self.per).to_integral_value(rounding) / self.per
        low, high = map(_exact, self.limits)
        return (exact <= low) == (shown <= low) and (exact >= high) == (shown >= high)

    def risk_of(self, probability: float) -> str:
        """The risk with its denominator: "5 of 100"."""
        return self.word("of", number=self.risk(probability), per=self.number(self.per))

    def range(self, risk: Risk, percent: bool = False) -> str:
        """The range behind a risk, ends rounded outward: "2–9"; empty if there is none."""
        if risk.lower is None or risk.upper is None:
            return ""
        return self.span(risk.lower, risk.upper, percent=percent)

    def span(
        self, lowest: float, highest: float, outward: bool = True, percent: bool = False
    ) -> str:
        """From one risk to another: "2–9", "up to 9", "from 39"; never "<1–9" or "39–>99"."""
        low = self._rounded(lowest, ROUND_FLOOR if outward else ROUND_HALF_UP, percent)
        high = self._rounded(highest, ROUND_CEILING if outward else ROUND_HALF_UP, percent)
        is_open, is_ended, unit = low[0] not in "<>", high[0] not in "<>", PERCENT * percent
        if low == high:
            return low + unit
        if is_open and is_ended:
            return f"{low}–{high}{unit}"
        if not is_open and not is_ended:
            return self.word("to", low=low, high=high + unit)
        return (
            self.word("up to", high=high + unit) if is_ended else self.word("from", low=low + unit)
        )

    def limit(self, probability: float, rules_out: bool) -> str:
        """A limit "of 100", with one decimal if it needs one, rounded outward."""
        outward = ROUND_CEILING if rules_out else ROUND_FLOOR
        scaled = (_exact(probability) * self.per).quantize(Decimal("0.1"), outward)
        return self.number(_number_of(scaled))

    def limit_percent(self, probability: float, rules_out: bool) -> str:
        """The limit in percent: "5 %", rounded outward to what risks are told to."""
        outward = ROUND_CEILING if rules_out else ROUND_FLOOR
        exact = Decimal("0.1") if self.per == 100 else Decimal("0.01")
        return self.percent(float((_exact(probability) * 100).quantize(exact, outward) / 100))

    def limit_of(self, probability: float, rules_out: bool) -> str:
        """The limit with its denominator: "5 of 100"."""
        limit = self.limit(probability, rules_out)
        return self.word("of", number=limit, per=self.number(self.per))

    def _rounded(self, probability: float, rounding: str, percent: bool = False) -> str:
        written = self._in_percent if percent else self.number
        # Compared unrounded, so that "<1" and ">99" are true as printed.
        if probability < 1 / self.per:
            return f"<{written(1)}"
        if probability > (self.per - 1) / self.per:
            return f">{written(self.per - 1)}"
        return written(int((_exact(probability) * self.per).to_integral_value(rounding)))

    def _in_percent(self, number: int) -> str:
        """So many of 100 or of 1000: "8", or "0.8" and "8.0" beside it."""
        decimals = 0 if self.per == 100 else 1
        shown = f"{Decimal(number) * 100 / self.per:.{decimals}f}"
        return shown.replace(".", self.language.decimal_mark)

    # Counts -------------------------------------------------------------------------------------

    def count(self, count: int | float) -> str:
        """A number of cases; effective numbers of weighted cases with one decimal."""
        return self.number(count if isinstance(count, int) else _number_of(_tenths(count)))

    def cost(self, cost: float, unit: str) -> str:
        """A cost with three digits that count, and its unit: "12.3 min"."""
        rounded = float(f"{cost:.3g}")
        shown = self.number(int(rounded) if rounded.is_integer() else rounded)
        return f"{shown}\N{NO-BREAK SPACE}{unit}" if unit else shown

    def seen(self, counts: Counts | None, figure: bool = True) -> str:
        """Positives and cases behind a box, "3/120"; empty if they are not known.

        Where there is no `figure` they are too few for one, or contradict it.
        """
        if counts is None:
            return ""
        shown = f"{self.count(counts[1])}/{self.count(counts[0])}"
        return shown if figure else self._too_few(counts[0]) or f"({shown})"

    def seen_in_words(self, counts: Counts | None, figure: bool = True) -> str:
        """The same as "3 of 120"."""
        if counts is None:
            return ""
        cases, positives = map(self.count, counts)
        shown = self.word("of cases", positives=positives, cases=cases)
        return shown if figure else self._too_few(counts[0]) or f"({shown})"

    def _too_few(self, cases: float) -> str:
        if cases >= FEW_CASES:
            return ""
        return self.word("card few seen" if cases else "card nobody seen")

    def counts_in_words(self, positives: int | float, cases: int | float) -> str:
        """ "3 of 120 cases"."""
        return self.word("counts", positives=self.count(positives), cases=self.count(cases))

    def bound(self, bound: float, rounding: str) -> str:
        """A bound rounded outward, so that the sentence is true as printed."""
        return self.number(int((_exact(bound) * self.per).to_integral_value(rounding)))

    def mean(self, questions: float) -> str:
        """A mean number of questions, with one decimal."""
        return self.number(_number_of(_tenths(questions)))

    def mean_questions(self, mean: float) -> str:
        """ "2.3 questions on average", "1 question on average"."""
        shown = self.mean(mean)
        return self.word("mean question" if shown == "1" else "mean questions", mean=shown)


def _exact(value: float) -> Decimal:
    """The number a person would write: 0.29 × 100 is 29, not 28.999999999999996."""
    return Decimal(repr(float(value)))


def _number_of(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def _tenths(count: float) -> Decimal:
    return _exact(count).quantize(Decimal("0.1"), ROUND_HALF_UP)


def _plain(exact: Decimal) -> str:
    """Plain digits, in groups of three from 10 000 on."""
    whole, point, decimals = f"{exact:f}".partition(".")
    if len(whole.lstrip("-")) > 4:
        whole = f"{int(whole):,}".replace(",", GROUP_SPACE)
    return f"{whole}{point}{decimals}"

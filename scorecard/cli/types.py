"""How values are written on the command line: shares, points, cut-offs, assignments."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType  # generic only in newer versions

Parameter = click.Parameter | None
Context = click.Context | None


class Share(ParamType):
    """A share of one: 0.05, 5% or 1/20."""

    name = "share"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> float:
        if isinstance(value, float):
            return value
        text = str(value).strip()
        try:
            number = Fraction(text.removesuffix("%").strip())
        except (ValueError, ZeroDivisionError):
            hint = " Write a decimal point." if "," in text else ""
            self.fail(f"{value!r} is not a share: write 0.05, 5% or 1/20.{hint}", param, ctx)
        share = number / 100 if text.endswith("%") else number
        if not 0 <= share <= 1:
            percent = f" For {text} percent write {text}%." if 1 < number <= 100 else ""
            self.fail(f"{value!r} is not between 0 and 1.{percent}", param, ctx)
        return float(share)


class Points(ParamType):
    """Points a question may have: -3..3, or a list like -2,-1,1,2."""

    name = "points"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            if ".." in value:
                first, last = (int(end) for end in value.split(".."))
                points = tuple(number for number in range(first, last + 1) if number)
            else:
                points = tuple(int(number) for number in value.split(","))
        except ValueError:
            self.fail(f"{value!r} are no points: write -3..3 or a list like 1,2,3.", param, ctx)
        if not points or 0 in points:
            self.fail(f"{value!r}: points are whole numbers other than 0.", param, ctx)
        return points


class Cutoffs(ParamType):
    """auto, exact, bisect, or the largest number of quantiles."""

    name = "auto|exact|bisect|number"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> str | int:
        if value in ("auto", "exact", "bisect"):
            return str(value)
        try:
            return int(value)
        except ValueError:
            self.fail(f"{value!r} is neither auto, exact, bisect nor a whole number.", param, ctx)


class QuestionCount(ParamType):
    """A whole number from 1 on, or auto."""

    name = "number|auto"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> str | int:
        if value == "auto":
            return "auto"
        if isinstance(value, int):
            return value
        try:
            count = int(value)
        except ValueError:
            count = 0
        if count < 1:
            self.fail(f"{value!r} is neither auto nor a whole number from 1 on.", param, ctx)
        return count


class Assignment(ParamType):
    """COLUMN=VALUE; the column may have a = in its name, the value not."""

    name = "column=value"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        column, equals, right = str(value).rpartition("=")
        if not equals or not column:
            self.fail(f"{value!r} is not of the form COLUMN=VALUE.", param, ctx)
        return column, right


class Sign(Assignment):
    """COLUMN=+ or COLUMN=-."""

    name = "column=+|column=-"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> tuple[str, str]:
        column, sign = super().convert(value, param, ctx)
        sign = sign.replace("−", "-")
        if sign not in ("+", "-"):
            self.fail(f"{value!r} is neither {column}=+ nor {column}=-.", param, ctx)
        return column, sign


class Rounding(ParamType):
    """nice, or COLUMN=STEP."""

    name = "nice|column=step"

    def convert(self, value: Any, param: Parameter, ctx: Context) -> tuple[str, float] | str:
        if value == "nice":
            return "nice"
        if isinstance(value, tuple):
            return value
        column, step = Assignment().convert(value, param, ctx)
        try:
            return column, float(step)
        except ValueError:
            self.fail(f"{value!r}: the step {step!r} is not a number.", param, ctx)

"""Options that several commands share, as decorators."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar, cast, get_args

import click
from click.core import ParameterSource

from scorecard.cli.types import Share
from scorecard.core.policy import By, Curtail, Estimate, StoppingPolicy
from scorecard.words.language import languages

Command = TypeVar("Command", bound=Callable[..., Any])

DEFAULTS = {one.name: one.default for one in fields(StoppingPolicy)}
SHARE = Share()


def all_of(options: Iterable[Callable[..., Any]]) -> Callable[[Command], Command]:
    """Several options as one decorator; help shows them in this order."""

    def decorate(command: Command) -> Command:
        decorated: Any = command
        for option in reversed(list(options)):
            decorated = option(decorated)
        return cast("Command", decorated)

    return decorate


model_argument = click.argument("model", type=click.Path())

language_option = click.option(
    "--language",
    metavar="|".join(languages()),
    default="en",
    show_default=True,
    help="Language of the fixed words.",
)

reading_options = all_of(
    [
        click.option(
            "--encoding", default="utf-8", show_default=True, help="Encoding of a text table."
        ),
        click.option(
            "--decimal",
            type=click.Choice([".", ","]),
            default=".",
            show_default=True,
            help="How a text table writes 1.5; its separator is found by itself.",
        ),
    ]
)

_POLICY_OPTIONS = [
    click.option(
        "--rule-out",
        type=SHARE,
        help="Stop with “rule out” at a risk of at most this (0.05 or 5%).",
        default=str(DEFAULTS["rule_out"]),
        show_default=True,
    ),
    click.option(
        "--rule-in",
        type=SHARE,
        help="Stop with “rule in” at a risk of at least this.",
        default=str(DEFAULTS["rule_in"]),
        show_default=True,
    ),
    click.option(
        "--by",
        type=click.Choice(get_args(By)),
        help="What has to keep the limit: the cross-checked rate of all who stop on a side and the"
        " estimate (promise), the rate of all who stop at one stage and the estimate (group), the"
        " estimate alone (point), or the end of its range (bounds).",
        default=str(DEFAULTS["by"]),
        show_default=True,
    ),
    click.option(
        "--estimate",
        type=click.Choice(get_args(Estimate)),
        help="The risk of those who reach a total, or of all cases that have it.",
        default=str(DEFAULTS["estimate"]),
        show_default=True,
    ),
    click.option(
        "--confidence",
        type=SHARE,
        help="Of “promise” and “group”.",
        default=str(DEFAULTS["confidence"]),
        show_default=True,
    ),
    click.option(
        "--min-cases",
        type=click.IntRange(min=0),
        help="Cases that have to be behind a stop.",
        default=str(DEFAULTS["min_cases"]),
        show_default=True,
    ),
    click.option(
        "--miss-cost",
        type=float,
        help="A missed positive costs this many times a false alarm. With --by bounds it replaces"
        " both limits, else it says what to do when undecided.",
    ),
    click.option(
        "--curtail",
        type=click.Choice(get_args(Curtail)),
        help="Stop where no later answer can change the decision.",
        default=str(DEFAULTS["curtail"]),
        show_default=True,
    ),
]


def policy_options(command: Command) -> Command:
    """Give a command the options of a stopping policy, and the policy as `policy`."""

    @wraps(command)
    def with_policy(**given: Any) -> Any:
        chosen = {name: given.pop(name) for name in DEFAULTS}
        _refuse_two_kinds_of_limits(chosen)
        return command(policy=StoppingPolicy(**chosen), **given)

    return cast("Command", all_of(_POLICY_OPTIONS)(with_policy))


def _refuse_two_kinds_of_limits(chosen: dict[str, Any]) -> None:
    source = click.get_current_context().get_parameter_source
    limits = [
        f"--{name.replace('_', '-')}"
        for name in ("rule_out", "rule_in")
        if source(name) is not ParameterSource.DEFAULT
    ]
    if limits and chosen["miss_cost"] is not None and chosen["by"] == "bounds":
        raise click.UsageError(
            f"{' and '.join(limits)} cannot be used together with --miss-cost and --by bounds:"
            " there the cost gives both limits."
        )

"""Refusals of the library in the words of the command line: rule_out=0.9 is --rule-out 0.9."""

from __future__ import annotations

import re

import click

QUOTE = "'"
# Parameters of the classifier that have another name as an option.
LEARNER = {
    "beam_width": "--beam",
    "n_jobs": "--jobs",
    "random_state": "--seed",
    "signs": "--sign",
    "fixed": "--ask-first",
    "round_cutoffs": "--round",
    "positive_label": "--positive",
}


def in_option_names(message: str, command: click.Command) -> str:
    """The message with the names of the command's options in place of Python's."""
    options = {
        option.name: option.opts[-1]
        for option in command.params
        if isinstance(option, click.Option) and option.name
    }
    options |= {name: option for name, option in LEARNER.items() if option in options.values()}
    names = "|".join(sorted(map(re.escape, options), key=len, reverse=True))

    def renamed(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if value is not None:
            return f"{options[name]} {value.strip(QUOTE)}"
        # Without a value only what cannot be a common word: its underscore tells, or its place.
        return options[name] if "_" in name or found.start() == 0 else name

    return re.sub(rf"(?<![\w'-])({names})\b(?:=('[^']*'|[\w.+-]*\w))?", renamed, message)

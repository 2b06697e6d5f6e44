"""How many options there are: each one has to be learned, explained and kept."""

import re

import click

from scorecard.cli import COMMANDS, cli

MOST, MOST_OF_FIT = 140, 30


def options(name: str) -> list[str]:
    """The options of a command as `--help-all` lists them, a line each."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    params = command.get_params(click.Context(command))
    return [max(one.opts, key=len) for one in params if isinstance(one, click.Option)]


NAMED = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def test_every_option_that_a_help_text_names_exists() -> None:
    known = {name: {*options(name), *shorter(name)} for name in COMMANDS}
    anywhere = set().union(*known.values())
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        helps = [one.help or "" for one in command.params if isinstance(one, click.Option)]
        for line in "\n".join([command.help or "", *helps]).splitlines():
            typed = re.match(r"\s*scorecard (\w+)", line)
            named = set(NAMED.findall(line))
            assert named <= (known[typed[1]] if typed else anywhere), f"{name}: {line.strip()}"


def shorter(name: str) -> set[str]:
    """The other names of options, as --never for --drop."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    found = (one for one in command.params if isinstance(one, click.Option))
    return {each for one in found for each in (*one.opts, *one.secondary_opts)}


def test_fit_has_few_options() -> None:
    assert len(options("fit")) <= MOST_OF_FIT


def test_all_commands_together_have_few_options() -> None:
    """What every command has, --quiet, --verbose, --help and --help-all, counts once."""
    found = [option for name in COMMANDS for option in options(name)]
    shared = {"--quiet", "--verbose", "--help", "--help-all"}
    assert len([one for one in found if one not in shared]) + len(shared) <= MOST

"""How many options there are: each one has to be learned, explained and kept."""

import click

from scorecard.cli import COMMANDS, cli

MOST, MOST_OF_FIT = 140, 30


def options(name: str) -> list[str]:
    """The options of a command as `--help-all` lists them, a line each."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    params = command.get_params(click.Context(command))
    return [max(one.opts, key=len) for one in params if isinstance(one, click.Option)]


def test_fit_has_few_options() -> None:
    assert len(options("fit")) <= MOST_OF_FIT


def test_all_commands_together_have_few_options() -> None:
    """What every command has, --quiet, --verbose, --help and --help-all, counts once."""
    found = [option for name in COMMANDS for option in options(name)]
    shared = {"--quiet", "--verbose", "--help", "--help-all"}
    assert len([one for one in found if one not in shared]) + len(shared) <= MOST

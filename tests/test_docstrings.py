"""Every example in a docstring gives what it says."""

import doctest
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import scorecard

MODULES = [
    one.name
    for one in walk_packages(scorecard.__path__, "scorecard.")
    if not one.name.endswith("__main__")
    and ">>>"
    in Path(scorecard.__file__)
    .parent.joinpath(*one.name.split(".")[1:])
    .with_suffix(".py" if not one.ispkg else "")
    .joinpath(*(["__init__.py"] if one.ispkg else []))
    .read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str) -> None:
    assert not doctest.testmod(import_module(name)).failed


def test_every_verb_has_an_example() -> None:
    finder = doctest.DocTestFinder(recurse=False)
    verbs = [name for name in scorecard.__all__ if name.islower() and not name.startswith("_")]
    for name in verbs:
        (found,) = finder.find(getattr(scorecard, name), name)
        assert found.examples, name

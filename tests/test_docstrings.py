"""Every example in a docstring gives what it says."""

import doctest
import inspect
import re
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

VERBS = [name for name in scorecard.__all__ if name.islower() and not name.startswith("_")]


def parameters(thing: object) -> set[str]:
    inner = getattr(thing, "__func__", thing)
    if not inspect.isfunction(inner) and not isinstance(inner, type):
        return set()  # a property, or what scikit-learn adds
    return {*inspect.signature(inner).parameters} - {"self", "cls"}


def documented(text: str) -> set[str]:
    """The names before the colons of the section on parameters."""
    _, _, rest = text.partition("Parameters\n----------\n")
    section = re.split(r"\n\n\S+\n-+\n", rest)[0]
    lines = [line for line in section.splitlines() if line and not line.startswith(" ")]
    return {name.strip("* ") for line in lines for name in line.split(" : ")[0].split(",")}


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str) -> None:
    assert not doctest.testmod(import_module(name)).failed


def test_every_verb_has_an_example() -> None:
    finder = doctest.DocTestFinder(recurse=False)
    for name in VERBS:
        (found,) = finder.find(getattr(scorecard, name), name)
        assert found.examples, name


DOCUMENTED = [
    *(
        getattr(scorecard, name)
        for name in VERBS
        if name not in ("read_list", "write_list", "with_positive_points")
    ),
    scorecard.ScoringListClassifier,
    *(
        method
        for kind in (scorecard.ScoringListClassifier, scorecard.PSLDisplay)
        for name, method in vars(kind).items()
        if not name.startswith("_") and parameters(method)
    ),
]


@pytest.mark.parametrize("thing", DOCUMENTED, ids=lambda one: getattr(one, "__qualname__", ""))
def test_every_parameter_is_documented_and_exists(thing: object) -> None:
    told, has_more = documented(inspect.getdoc(thing) or ""), "how" in parameters(thing)
    names = parameters(thing) - {"how", "look", "reading"}
    assert names <= told
    if not has_more and not {"look", "reading"} & parameters(thing):
        assert told <= names

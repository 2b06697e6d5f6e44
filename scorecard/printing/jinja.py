"""Views to HTML: the templates, with a user's own folder in front of the built-in one.

Text is always escaped, a name a template misspells is an error, and templates run in Jinja's
sandbox: they place what the view has, and reach nothing else.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from scorecard.locations import templates_folder
from scorecard.printing.refusals import CardError


@lru_cache(maxsize=8)
def environment(template_dir: Path | None = None) -> ImmutableSandboxedEnvironment:
    """Templates of `template_dir` first; `default:…` always names a built-in one."""
    built_in = FileSystemLoader(templates_folder())
    folders = [built_in]
    if template_dir is not None:
        if not template_dir.is_dir():
            raise CardError(f"The template folder {str(template_dir)!r} is not a folder.")
        folders.insert(0, FileSystemLoader(template_dir))
    loader = ChoiceLoader([PrefixLoader({"default": built_in}, delimiter=":"), *folders])
    return ImmutableSandboxedEnvironment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def rendered(name: str, template_dir: Path | None, **values: object) -> str:
    """The text of a template; what is wrong with a user's own one is told in one line."""
    try:
        return environment(template_dir).get_template(name).render(**values)
    except TemplateError as error:
        place = getattr(error, "name", None) or name
        line = getattr(error, "lineno", None)
        where = f"{place}, line {line}" if line else place
        raise CardError(f"The template {where} is wrong: {_one_line(error)}") from error


def _one_line(error: TemplateError) -> str:
    return " ".join(str(error).split()) or type(error).__name__

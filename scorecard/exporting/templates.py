"""Fill in the templates of generated code; values reach them as finished literals only."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from scorecard.locations import templates_folder


def render(name: str, **values: object) -> str:
    """The text of a built-in template with these values."""
    return _environment().get_template(name).render(**values)


@cache
def _environment() -> Environment:
    # Nothing is escaped here: each target quotes its own literals before they come.
    return Environment(
        loader=FileSystemLoader(templates_folder()),
        autoescape=False,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )

"""Compare a model card in Markdown with what is written here, line by line."""

from __future__ import annotations

from scorecard.forms.found import Found, Work
from scorecard.forms.origin import Origin, names_in, origin_of_source
from scorecard.forms.programs import source_faults


def origin(content: bytes) -> Origin | None:
    return origin_of_source("markdown", content)


def found(content: bytes, right: bytes | None, work: Work) -> Found:
    return Found(faults=source_faults("markdown", content, right, work), names=names_in(content))

"""A scoring list as a JSON document: canonical content, its hash, and a layout people can read."""

from __future__ import annotations

import hashlib
import json

import msgspec

from scorecard.core.model import ScoringList, Stage
from scorecard.documents.json_layout import laid_out
from scorecard.documents.records import (
    AboutRecord,
    Document,
    FiguresRecord,
    PatternRecord,
    QuestionRecord,
    RiskRecord,
)
from scorecard.errors import DocumentError

MAX_BYTES = 20_000_000

# How deep each member is broken into lines; what lies deeper stays on one line, so that a question,
# a risk or a pattern is one line each.
LEVELS = {"about": 1, "questions": 1, "stages": 2, "evidence": 1, "provenance": 1}


def dumps(scoring_list: ScoringList) -> bytes:
    """The document of a list; equal lists give the same bytes."""
    document = _document(scoring_list)
    document.sha256 = content_hash(scoring_list)
    # A tuple would stay on one line.
    members = {
        key: list(member) if isinstance(member, tuple) else member
        for key, member in msgspec.to_builtins(document).items()
    }
    content = (laid_out(members, LEVELS) + "\n").encode()
    if len(content) > MAX_BYTES:
        raise DocumentError(
            f"the document of this list would have {len(content) / 1e6:.0f} MB, more than the"
            f" {MAX_BYTES / 1e6:.0f} MB that are read; use fewer questions or smaller points."
        )
    return content


def content_hash(scoring_list: ScoringList) -> str:
    """SHA-256, in hexadecimal digits, of all a list contains, however it is laid out in a file."""
    content = msgspec.to_builtins(_document(scoring_list))
    canonical = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def short_hash(scoring_list: ScoringList) -> str:
    """The first eight digits of the hash, which name a list on paper."""
    return content_hash(scoring_list)[:8]


def _document(scoring_list: ScoringList) -> Document:
    evidence = scoring_list.evidence
    return Document(
        about=AboutRecord.of(scoring_list.about),
        figures=FiguresRecord.of(scoring_list.figures),
        questions=[QuestionRecord.of(question) for question in scoring_list.questions],
        stages=[None if stage is None else _risk_records(stage) for stage in scoring_list.stages],
        evidence=None if evidence is None else [PatternRecord.of(p) for p in evidence.patterns],
        provenance=scoring_list.provenance,
    )


def _risk_records(stage: Stage) -> list[RiskRecord]:
    return [RiskRecord.of(*pair) for pair in zip(stage.totals, stage.risks, strict=True)]

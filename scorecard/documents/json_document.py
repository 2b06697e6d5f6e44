"""The document of a scoring list, both ways: what was written is read back as the equal value.

A document is UTF-8 JSON with its format first, a SHA-256 of its content, so that a file changed
by accident is told from the one that was written, and a digest of the questions that its risks were
counted with, so that nobody prints old risks with new questions. `read_list` reads the short form
that people write by hand as well (see `toml_list`).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from scorecard import files
from scorecard.core.model import Question, ScoringList
from scorecard.documents import toml_list
from scorecard.documents.values import (
    EnoughFaultsError,
    Faults,
    UnreadableError,
    one_line,
    tree_of,
    value_of,
)
from scorecard.errors import DocumentError, ScorecardError
from scorecard.files import OLD_EXCEL, PDF, PNG, ZIP

FORMAT = "scorecard/3"
# What does not belong to the questions and risks of a list.
ABOUT_IT = frozenset({"about", "provenance", "validations"})
IN_WORDS = frozenset({"label", "unit", "note"})
SECOND_FORMAT = "scorecard/2"
FIRST_FORMAT = "scorecard/1"
# What formats 1 and 2 called it. The hash is counted with these names, so that a list printed long
# ago is still known by its number.
TO_FORMER = {
    "": {"risk_source": "figures", "cross_validation": "cross_check"},
    "origin": {"cross-validated": "cross-checked"},
    "by": {"error-control": "promise"},
}
FROM_FORMER = {key: {new: old for old, new in names.items()} for key, names in TO_FORMER.items()}
NOT_IN_FIRST = ("counted_with", "policy", "validations", "cross_validation", "seen")

MAX_BYTES = 20_000_000

# How deep each member is broken into lines; what lies deeper stays on one line, so that a question,
# a risk or a pattern is one line each, and of a fold the questions, and the cases on either side.
LEVELS = {
    "about": 1,
    "questions": 1,
    "stages": 2,
    "evidence": 1,
    "provenance": 1,
    "validations": 1,
    "cross_validation": 3,
    "seen": 1,
}

# What people take for the list: its card, its handout, its workbook.
OTHER_KINDS = {
    PDF: "a PDF",
    PNG: "a PNG picture",
    ZIP: "an Excel workbook or a zip file",
    OLD_EXCEL: "an Excel workbook",
    b"<": "a web page or an SVG picture",
}

Examined = tuple[ScoringList | None, list[str]]
"""The list, or `None` and every fault that was found."""


def read_list(path: str | os.PathLike[str]) -> ScoringList:
    """The scoring list in a file: a JSON document, or the short TOML form.

    Raises
    ------
    DocumentError
        Names the file, the place inside it and what was expected there.

    Examples
    --------
    >>> read_list("no-such-list.json")
    Traceback (most recent call last):
    scorecard.errors.DocumentError: 'no-such-list.json' cannot be read: No such file or directory.
    """
    return loads(_content(path), str(path))


def write_list(scoring_list: ScoringList, path: str | os.PathLike[str]) -> None:
    """Write the document of a list; an existing file is replaced in one step.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from scorecard import Question, Risk, ScoringList, Stage
    >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.8))))
    >>> smoking = ScoringList((Question("smoker", 1),), stages)
    >>> with TemporaryDirectory() as folder:
    ...     write_list(smoking, Path(folder, "model.json"))
    ...     read_list(Path(folder, "model.json")) == smoking
    True
    """
    check_name(path)
    files.write_bytes(path, dumps(scoring_list))


def check_name(path: str | os.PathLike[str]) -> None:
    """Refuse a name that would make the document be read as the short form."""
    if Path(path).suffix.lower() == ".toml":
        raise DocumentError(f"{str(path)!r}: lists are written as JSON; choose a name in .json.")


def loads(content: bytes, name: str = "document") -> ScoringList:
    """The scoring list in the bytes of a file; `name` is for messages, and its ending counts."""
    scoring_list, found = _examine(content, name)
    if scoring_list is not None and not found:
        return scoring_list
    more = len(found) - 1
    rest = f" ({more} more: scorecard validate lists them)" if more else ""
    raise DocumentError(f"{one_line(name)}: {found[0]}{rest}")


def faults(source: bytes | str | os.PathLike[str], name: str = "document") -> list[str]:
    """Every fault that is found in a document, given as its bytes or the path of its file.

    Raises
    ------
    DocumentError
        Nothing can be found: the file cannot be read, or is neither JSON nor TOML.
    """
    if isinstance(source, bytes):
        return _examine(source, name)[1]
    return _examine(_content(source), str(source))[1]


def _content(path: str | os.PathLike[str]) -> bytes:
    try:
        return files.read_bytes(path, MAX_BYTES)
    except ScorecardError as error:
        raise DocumentError(one_line(str(error))) from error


def _examine(content: bytes, name: str) -> Examined:
    try:
        if len(content) > MAX_BYTES:
            raise UnreadableError(f"it is larger than {MAX_BYTES / 1e6:.0f} MB.")
        text = _decode(content)
        found = Faults()
        try:
            if _is_short_form(text, name):
                return toml_list.read(text, found), found.found
            return _read(_parse(text, found), found), found.found
        except EnoughFaultsError:
            return None, found.found
    except UnreadableError as error:
        raise DocumentError(f"{one_line(name)}: {one_line(str(error))}") from error
    except RecursionError:
        raise DocumentError(
            f"{one_line(name)}: it is nested too deeply to be a scoring list."
        ) from None


def _is_short_form(text: str, name: str) -> bool:
    suffix = Path(name).suffix.lower()
    return suffix == ".toml" or (suffix != ".json" and not text.lstrip().startswith("{"))


def _decode(content: bytes) -> str:
    """The text of a UTF-8 file; other encodings are told by name as far as they show."""
    if content.startswith(b"PAR1"):
        raise UnreadableError(toml_list.TABLE_CAME)
    for beginning, kind in OTHER_KINDS.items():
        if content.startswith(beginning):
            raise UnreadableError(
                f"this is {kind}, not a scoring list; give the model file, for instance model.json,"
                " which scorecard fit or scorecard new writes."
            )
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content[:4]:
        raise UnreadableError("this is UTF-16 or UTF-32; save it as UTF-8.")
    if content.startswith(b"\xef\xbb\xbf"):
        raise UnreadableError(
            "it starts with a byte order mark (BOM); save it as UTF-8 without BOM."
        )
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = content[error.start]
        raise UnreadableError(
            f"line {line} has the byte 0x{byte:02x}, which is not UTF-8 (perhaps Latin-1 or"
            " Windows-1252); save it as UTF-8."
        ) from None


# Writing ------------------------------------------------------------------------------------------


def dumps(scoring_list: ScoringList) -> bytes:
    """The document of a list; equal lists give the same bytes."""
    members = {
        "format": FORMAT,
        "sha256": content_hash(scoring_list),
        "counted_with": _digest(_all_questions(scoring_list)),
        **tree_of(scoring_list),
    }
    content = (laid_out(members, LEVELS) + "\n").encode()
    if len(content) > MAX_BYTES:
        raise DocumentError(
            f"the document of this list would have {len(content) / 1e6:.0f} MB, more than the"
            f" {MAX_BYTES / 1e6:.0f} MB that are read; use fewer questions or smaller points."
        )
    return content


def content_hash(scoring_list: ScoringList) -> str:
    """SHA-256, in hexadecimal digits, of all a list contains, however it is laid out in a file.

    It is the same for a list read from a document of the first format and one of today.
    """
    return _sha256({"format": FIRST_FORMAT, **_renamed(tree_of(scoring_list), TO_FORMER)})


def _renamed(tree: Any, names: Mapping[str, Mapping[str, str]], key: str = "") -> Any:
    """A tree with other names for members of the document, and for origins and stopping rules."""
    if isinstance(tree, dict):
        members = names[""] if not key else {}
        return {members.get(k, k): _renamed(value, names, k) for k, value in tree.items()}
    if isinstance(tree, list):
        return [_renamed(item, names, key or "[]") for item in tree]
    return names[key].get(tree, tree) if key in names and isinstance(tree, str) else tree


def short_hash(scoring_list: ScoringList) -> str:
    """Eight digits of a hash of what a list asks and tells, which name it on paper.

    They are the same in every language, and however it is called, described and tested.
    """
    tree = tree_of(scoring_list)
    asked = [_without(one, IN_WORDS) for one in tree["questions"]]
    return _sha256({**_without(tree, ABOUT_IT), "questions": asked})[:8]


def _without(tree: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {
        name: _without(value, names) if isinstance(value, Mapping) else value
        for name, value in tree.items()
        if name not in names
    }


def _all_questions(scoring_list: ScoringList) -> list[tuple[Question, ...]]:
    """The questions of the list, and those of every fold list."""
    check = scoring_list.cross_validation
    return [scoring_list.questions, *(fold.questions for fold in (check.folds if check else ()))]


def _digest(lists: list[tuple[Question, ...]]) -> str:
    """Of what answers were counted with: inputs, conditions and points, not labels."""
    return _sha256([[_counted_with(one) for one in asked] for asked in lists])


def _counted_with(question: Question) -> list[Any]:
    other = question.if_unknown
    instead = [[other.input, tree_of(other.condition)]] if other else []
    return [question.input, tree_of(question.condition), question.points, *instead]


def _sha256(tree: Any) -> str:
    canonical = json.dumps(tree, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def laid_out(members: Mapping[str, object], levels: Mapping[str, int]) -> str:
    """A JSON object that people can read, one member after the other.

    `levels` says how deep a member is broken into lines; what lies deeper stays on one line, and so
    does a tuple.
    """
    lines = [
        f"  {_on_one_line(key)}: {_broken(value, levels.get(key, 0), '  ')}"
        for key, value in members.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}"


def _on_one_line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _broken(value: object, levels: int, indent: str) -> str:
    if not levels or not value or not isinstance(value, (dict, list)):
        return _on_one_line(value)
    deeper = indent + "  "
    if isinstance(value, dict):
        items = [f"{_on_one_line(k)}: {_broken(v, levels - 1, deeper)}" for k, v in value.items()]
    else:
        items = [_broken(item, levels - 1, deeper) for item in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n" + ",\n".join(deeper + item for item in items) + f"\n{indent}{end}"


# Reading ------------------------------------------------------------------------------------------


def _read(tree: Any, found: Faults) -> ScoringList | None:
    if not _has_our_format(tree, found) or found.found:
        return None
    if tree["format"] != FORMAT:
        tree = _renamed(tree, FROM_FORMER)
    if _asks_otherwise(tree, found):
        return None
    frame = ("format", "sha256", "counted_with")
    if tree["format"] == FIRST_FORMAT:
        for key in tree.keys() & set(NOT_IN_FIRST):
            found.add(key, f"is not known; {FIRST_FORMAT!r} does not have it.")
    elif not isinstance(tree.get("counted_with"), str):
        found.add("", "the key 'counted_with' is missing.")
    found.convert(tree.get("sha256"), str | None, "sha256")
    members = {key: member for key, member in tree.items() if key not in frame}
    scoring_list: ScoringList | None = value_of(members, ScoringList, "", found)
    if scoring_list is not None and not found.found:
        _check_hash(tree.get("sha256"), scoring_list, found)
    return scoring_list


def _asks_otherwise(tree: dict[str, Any], found: Faults) -> bool:
    """Refuse questions that are not those the risks were counted with."""
    came = tree.get("counted_with")
    asked = _questions_as_given(tree)
    if not isinstance(came, str) or asked is None or came.lower() == _digest(asked):
        return False
    found.add("counted_with", f"{CHANGED_BY_HAND} {_how_to_count(tree)}")
    return True


CHANGED_BY_HAND = (
    "a question, cut-off or points were changed after the risks were counted, and the risks do not"
    " belong to them."
)


def _questions_as_given(tree: dict[str, Any]) -> list[tuple[Question, ...]] | None:
    """Those of the list and of every fold; `None` where they have faults of their own."""
    check = tree.get("cross_validation")
    folds = check.get("folds") if isinstance(check, dict) else []
    parts = [tree, *(folds if isinstance(folds, list) else [])]
    faults = Faults()
    asked = [
        value_of(part.get("questions"), tuple[Question, ...], "", faults)
        for part in parts
        if isinstance(part, dict)
    ]
    return None if faults.found else asked


def _how_to_count(tree: dict[str, Any]) -> str:
    figures = tree.get("risk_source")
    if not isinstance(figures, dict) or figures.get("origin", "published") == "published":
        return "Write the list with its own risks, for instance with scorecard new."
    pairs = tree.get("provenance")
    known = dict(filter(_is_pair, pairs if isinstance(pairs, list) else []))
    table = shlex.quote(known["table"]) if "table" in known else "TABLE"
    outcome = shlex.quote(known["option outcome"]) if "option outcome" in known else "COLUMN"
    return (
        "Change the list with scorecard edit, and count it anew: scorecard fit"
        f" {table} --outcome {outcome} --start list.toml --max-questions 0"
    )


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) for one in pair)


class _WithRepeatedKeys(dict[str, Any]):
    """A JSON object that had a key twice: Python would silently keep the last of them."""

    repeated: tuple[str, ...]


def _parse(text: str, found: Faults) -> Any:
    marked: list[_WithRepeatedKeys] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        only = dict(pairs)
        if len(only) < len(pairs):
            seen = Counter(key for key, _ in pairs)
            marked.append(_WithRepeatedKeys(only))
            marked[-1].repeated = tuple(key for key, times in seen.items() if times > 1)
            return marked[-1]
        return only

    try:
        tree = json.loads(text, object_pairs_hook=members, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise UnreadableError("it is empty; expected a list that was written here.") from None
        raise UnreadableError(
            f"line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})."
        ) from None
    except ValueError as error:  # a whole number of thousands of digits
        raise UnreadableError(f"it has a number that cannot be meant ({error}).") from None
    if marked:
        for place, key in _repeated_keys(tree):
            found.add(place, f"the key {key!r} occurs twice.")
    return tree


def strict_json(content: bytes) -> Any:
    """The value of a JSON text in which no key occurs twice and every number is finite."""
    found = Faults()
    try:
        tree = _parse(_decode(content), found)
    except UnreadableError as error:
        raise DocumentError(one_line(str(error))) from error
    except (RecursionError, EnoughFaultsError) as error:
        deep = isinstance(error, RecursionError)
        raise DocumentError("it is nested too deeply." if deep else found.found[0]) from None
    if found.found:
        raise DocumentError(found.found[0])
    return tree


def _refuse_constant(constant: str) -> NoReturn:
    raise UnreadableError(f"{constant} is no number in JSON; a document has finite numbers only.")


def _repeated_keys(tree: Any, place: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(tree, _WithRepeatedKeys):
        yield from ((place, key) for key in tree.repeated)
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from _repeated_keys(value, f"{place}.{key}".lstrip("."))
    elif isinstance(tree, list):
        for number, value in enumerate(tree):
            yield from _repeated_keys(value, f"{place}[{number}]")


def _has_our_format(tree: Any, found: Faults) -> bool:
    came = tree.get("format") if isinstance(tree, dict) else None
    if came in (FIRST_FORMAT, SECOND_FORMAT, FORMAT):
        return True
    if isinstance(came, str) and re.fullmatch(r"scorecard/[0-9]{1,9}", came):
        found.add("format", f"{came!r} came, expected {FORMAT!r}: {_of_another_time(came)}")
    else:
        came_instead = "it is missing" if came is None else f"{came!r} came"
        found.add(
            "format",
            f"{came_instead}, expected {FORMAT!r}: this is no scoring list; give the file that"
            " scorecard fit or scorecard new has written.",
        )
    return False


def _of_another_time(came: str) -> str:
    if int(came.rpartition("/")[2]) > int(FORMAT.rpartition("/")[2]):
        return "a newer version wrote it; update with pip install --upgrade psl-scorecard."
    return "an older version wrote it; make the list again with scorecard fit."


def _check_hash(came: str | None, scoring_list: ScoringList, found: Faults) -> None:
    if came is not None and came.lower() != content_hash(scoring_list):
        found.add(
            "sha256",
            "the document was changed after it was written: its content has the hash"
            f" {content_hash(scoring_list)[:8]}…, not {came[:8]}…; words are changed with"
            " scorecard label; remove the sha256 member if another change is meant.",
        )

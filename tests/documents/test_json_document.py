"""The JSON document: what was written is read back; whatever else comes is refused in a line."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from scorecard.core.evidence import Tally, Validation
from scorecard.core.model import About, Condition, Question, Risk, ScoringList, Seen, Stage
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import Substitute
from scorecard.documents.json_document import (
    MAX_BYTES,
    content_hash,
    dumps,
    faults,
    loads,
    read_list,
    short_hash,
    write_list,
)
from scorecard.errors import DocumentError, ScorecardError
from tests.cross_validated import cross_validated_list, cross_validated_lists
from tests.documents.document_schema import json_schema
from tests.golden_files import RENEWING, compared
from tests.lists import MARBURG, TABLE_1, counted
from tests.strategies import scoring_lists

COUNTED = counted((1, -2), {"10": (5, 2), "0?": (3, 1), "11": (4, 1), "00": (7, 0)})

FULL = ScoringList(
    (
        Question("age", 2, Condition(">=", 65), "Age", "years", 0.5, "at the visit"),
        Question("sex", -1, Condition("in", categories=("m",), choices=("m", "f"))),
    ),
    (
        Stage((0,), (Risk(0.3, 0.1, 0.5, 10, 3),)),
        None,
        Stage((-1, 0, 1, 2), (Risk(0.1), Risk(1 / 3), Risk(0.5), Risk(1.0))),
    ),
    About(title="Ärger ≥ 1", outcome="x"),
    provenance=(("tool", "1.0"), ("tool", "2.0")),
)


Change = Callable[[dict[str, Any]], object]

CHECKED = cross_validated_list()
POLICY = StoppingPolicy(0.1, 0.8)
SMALL = cross_validated_list(cases=60, questions=2, folds=2)
VALIDATED = replace(
    CHECKED,
    policy=POLICY,
    validations=(
        Validation("another ward", "other table", POLICY, Tally((40, 1), (9.5, 9), (3, 2), 1.75)),
    ),
    provenance=(("table", "my cases.csv"), ("option outcome", "ill")),
    seen=(Seen("age", 20, 88.5, 18, 104),),
)


def tree_of(scoring_list: ScoringList = FULL) -> dict[str, Any]:
    """The document as plain JSON values, without the hash: a change in it is then meant."""
    tree: dict[str, Any] = json.loads(dumps(scoring_list))
    del tree["sha256"]
    return tree


def bytes_of(tree: Any) -> bytes:
    return json.dumps(tree).encode()


# --- round trip -----------------------------------------------------------------------------------


@given(scoring_lists() | cross_validated_lists())
def test_reading_what_was_written_gives_the_equal_value(scoring_list: ScoringList) -> None:
    document = dumps(scoring_list)
    read = loads(document)
    assert read == scoring_list
    assert repr(read) == repr(scoring_list)  # == would take 1 for 1.0 and 0.0 for -0.0
    assert dumps(read) == document
    assert faults(document) == []


def test_through_a_file(tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    write_list(FULL, file)
    assert read_list(file) == FULL
    assert file.read_bytes() == dumps(FULL)


def test_the_layout_is_one_line_for_each_question_risk_and_pattern() -> None:
    lines = dumps(COUNTED).decode().splitlines()
    assert lines[1] == '  "format": "scorecard/3",'
    assert '    {"input": "q1", "condition": {"kind": "yes"}, "points": 1},' in lines
    assert sum('"total"' in line for line in lines) == 1 + 2 + 4
    assert sum('"answers"' in line for line in lines) == 4


def test_text_is_written_as_it_is_read() -> None:
    assert "Ärger ≥ 1" in dumps(FULL).decode()


def test_numbers_written_another_way_are_the_same_list() -> None:
    tree = tree_of()
    tree["questions"][0]["condition"]["cutoff"] = 65.0
    tree["stages"][2][3]["probability"] = 1
    assert loads(bytes_of(tree)) == FULL


def test_a_document_may_have_its_keys_in_any_order() -> None:
    assert loads(bytes_of(dict(reversed(tree_of().items())))) == FULL


def test_a_list_is_not_written_as_toml(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"choose a name in \.json"):
        write_list(FULL, tmp_path / "list.toml")
    assert list(tmp_path.iterdir()) == []


# --- hash -----------------------------------------------------------------------------------------


def test_the_hash_names_the_content() -> None:
    assert json.loads(dumps(FULL))["sha256"] == content_hash(FULL)
    assert content_hash(loads(dumps(FULL))) == content_hash(FULL)
    assert len({content_hash(one) for one in (FULL, TABLE_1, MARBURG, COUNTED)}) == 4
    assert content_hash(replace(FULL, about=About(title="other"))) != content_hash(FULL)


def test_the_hash_stays_the_same_over_the_years() -> None:
    assert content_hash(TABLE_1)[:8] == "9c609919"


def test_a_list_is_named_alike_in_every_language() -> None:
    asked = replace(FULL.questions[0], label="Alter", unit="Jahre", note="bei Aufnahme")
    german = replace(
        FULL,
        about=About(title="Brustschmerz", rule_out="entlassen"),
        questions=(asked, *FULL.questions[1:]),
        provenance=(("labels", "de.toml"),),
    )
    assert content_hash(german) != content_hash(FULL)
    assert short_hash(german) == short_hash(FULL)
    assert len({short_hash(one) for one in (FULL, TABLE_1, MARBURG, COUNTED)}) == 4


def test_a_changed_document_is_told() -> None:
    changed = dumps(FULL).replace(b'"points": 2', b'"points": 2 ').replace(b"Age", b"age")
    with pytest.raises(DocumentError, match="sha256: the document was changed after it was writ"):
        loads(changed)
    assert len(faults(changed)) == 1


def test_a_document_laid_out_anew_is_not_changed() -> None:
    assert loads(bytes_of(json.loads(dumps(FULL)))) == FULL


def test_a_cross_validated_and_validated_list_is_read_back() -> None:
    read = loads(dumps(VALIDATED))
    assert read == VALIDATED
    assert repr(read) == repr(VALIDATED)
    assert len({content_hash(one) for one in (CHECKED, VALIDATED)}) == 2


def test_a_fold_is_three_lines() -> None:
    lines = dumps(CHECKED).decode().splitlines()
    for name in ("questions", "inside", "left_out"):
        assert sum(line.startswith(f'        "{name}": [{{') for line in lines) == 3


# --- risks belong to the questions they were counted with -----------------------------------------


def change_points(tree: dict[str, Any]) -> None:
    tree["questions"][0]["points"] += 1


def change_fold(tree: dict[str, Any]) -> None:
    tree["cross_validation"]["folds"][1]["questions"][0]["points"] += 1


@pytest.mark.parametrize(
    "change",
    [
        change_points,
        change_fold,
        lambda t: t["questions"][0].update(input="other"),
        lambda t: t["questions"][0].update(condition={"kind": "no"}),
        lambda t: t["questions"].reverse(),
        lambda t: t["questions"].pop(),
    ],
)
def test_risks_of_other_questions_are_refused_with_the_command_that_counts_anew(
    change: Change,
) -> None:
    tree = tree_of(VALIDATED)
    change(tree)
    found = faults(bytes_of(tree))
    assert len(found) == 1
    assert found[0].startswith("counted_with: a question, cut-off or points were changed after")
    assert found[0].endswith(
        "scorecard fit 'my cases.csv' --outcome ill --start list.toml --max-questions 0"
    )


def test_another_substitute_is_another_question() -> None:
    asked = replace(COUNTED.questions[0], if_unknown=Substitute("proxy", Condition(">=", 5)))
    tree = tree_of(replace(COUNTED, questions=(asked, *COUNTED.questions[1:])))
    assert not faults(bytes_of(tree))
    tree["questions"][0]["if_unknown"]["condition"]["cutoff"] = 6
    assert faults(bytes_of(tree))[0].startswith("counted_with: a question, cut-off or points")


def test_a_list_without_a_table_names_what_to_write_instead() -> None:
    tree = tree_of(FULL)
    change_points(tree)
    assert faults(bytes_of(tree))[0].endswith("for instance with scorecard new.")
    tree = tree_of(COUNTED)
    change_points(tree)
    assert faults(bytes_of(tree))[0].endswith(
        "scorecard fit TABLE --outcome COLUMN --start list.toml --max-questions 0"
    )


def test_labels_and_texts_may_be_changed_by_hand() -> None:
    tree = tree_of(VALIDATED)
    tree["questions"][0].update(label="Age", unit="years", note="today", cost=3)
    tree["about"]["title"] = "other"
    assert loads(bytes_of(tree)).questions[0].label == "Age"


def test_a_document_has_to_say_what_was_counted_with() -> None:
    tree = tree_of()
    del tree["counted_with"]
    assert faults(bytes_of(tree)) == ["the key 'counted_with' is missing."]


# --- the first format -----------------------------------------------------------------------------


@pytest.fixture
def first(root: Path) -> bytes:
    """A document as version 0.1 wrote it."""
    return (root / "tests" / "documents" / "samples" / "format-1.json").read_bytes()


def test_a_document_of_the_first_format_is_read_with_its_hash(first: bytes) -> None:
    read = loads(first)
    assert json.loads(first)["format"] == "scorecard/1"
    assert content_hash(read) == json.loads(first)["sha256"]
    assert [question.points for question in read.questions] == [3, 2, -2]
    assert (read.policy, read.cross_validation, read.validations) == (None, None, ())
    assert loads(dumps(read)) == read


def test_a_changed_document_of_the_first_format_is_told(first: bytes) -> None:
    changed = first.replace(b'"cutoff": 38.1', b'"cutoff": 38.5')
    assert changed != first
    assert faults(changed)[0].startswith("sha256: the document was changed after it was written")
    assert "words are changed with scorecard label" in faults(changed)[0]
    tree = json.loads(first)
    tree["policy"] = {}
    assert faults(bytes_of(tree)) == ["policy: is not known; 'scorecard/1' does not have it."]


# --- faults and their places ----------------------------------------------------------------------

BROKEN: list[tuple[Change, str]] = [
    (lambda t: t.pop("format"), "format: it is missing, expected 'scorecard/3'"),
    (lambda t: t.update(format="scorecard/4"), "format: 'scorecard/4' came, expected"),
    (lambda t: t.update(format="html"), "format: 'html' came, expected 'scorecard/3'"),
    (lambda t: t.update(format=1), "format: 1 came, expected 'scorecard/3'"),
    (lambda t: t.update(qestions=[]), "qestions: is not known; did you mean 'questions'?"),
    (lambda t: t.pop("stages"), "the key 'stages' is missing"),
    (lambda t: t.update(sha256=5), "sha256: expected a text or nothing"),
    (lambda t: t["about"].update(titel="x"), "about.titel: is not known; did you mean 'title'?"),
    (lambda t: t["about"].update(title=5), "about.title: expected a text, but a whole number"),
    (lambda t: t["about"].update(title="\ud800"), "about.title: '\\ud800' contains half a char"),
    (
        lambda t: t["risk_source"].update(origin="x"),
        "risk_source.origin: 'x' is not one of tra",
    ),
    (lambda t: t["risk_source"].update(level=7), "risk_source.level: 7.0 is not between 0 and 1"),
    (lambda t: t.update(questions={}), "questions: expected a list, but a table"),
    (lambda t: t["questions"][1].update(points=0), "questions[1].points: 0 is not a whole number"),
    (
        lambda t: t["questions"][1].update(points=1.5),
        "questions[1].points: expected a whole number",
    ),
    (lambda t: t["questions"][1].update(points=True), "questions[1].points: expected a whole"),
    (lambda t: t["questions"][1].pop("condition"), "questions[1]: the key 'condition' is missing"),
    (lambda t: t["questions"][0]["condition"].update(kind=">"), "questions[0].condition.kind: '>'"),
    (
        lambda t: t["questions"][0]["condition"].pop("cutoff"),
        "questions[0].condition: cut-off: None is not a number",
    ),
    (
        lambda t: t["questions"][0]["condition"].update(cutoff=10**400),
        "questions[0].condition: cut-off: a number is too large",
    ),
    (lambda t: t["stages"].pop(), "stages: 2 given, expected 3"),
    (lambda t: t["stages"].__setitem__(2, None), "stages[2]: the risks after the last question"),
    (lambda t: t["stages"][2].pop(), "stages[2]: no risk for total 2"),
    (lambda t: t["stages"][2][1].update(total=7), "stages[2]: totals must ascend"),
    (lambda t: t["stages"][2][1].update(probability=2), "stages[2][1].probability: 2.0 is not"),
    (lambda t: t["stages"][2][1].update(probability=0.05), "stages[2]: total 0: probability 0.05"),
    (lambda t: t["stages"][0][0].update(lower=0.4), "stages[0][0].probability: 0.3 is outside"),
    (lambda t: t["stages"][0][0].pop("lower"), "stages[0][0].lower, upper: both or neither"),
    (lambda t: t["stages"][0][0].update(cases="10"), "stages[0][0].cases: expected a number"),
    (lambda t: t["stages"][0][0].update(positives=11), "stages[0][0].positives: 11 is not between"),
    (lambda t: t.update(evidence=[{"answers": "1"}]), "evidence[0]: the key 'cases' is missing"),
    (
        lambda t: t.update(evidence=[{"answers": "1x", "cases": 1, "positives": 0}]),
        "evidence[0].answers: '1x' must consist of",
    ),
    (
        lambda t: t.update(evidence=[{"answers": "11", "cases": 1, "positives": 0}]),
        "stages[0], total 0: 3 of 10 contradicts the evidence",
    ),
    (lambda t: t.update(provenance=[["a"]]), "provenance[0]: expected a list of length 2"),
]


BROKEN_CHECKS: list[tuple[Change, str]] = [
    (lambda t: t["policy"].update(rule_in=0.01), "policy: The limits rule_out=0.1 and rule_in=0"),
    (
        lambda t: t["policy"].update(by="luck"),
        "policy.by: 'luck' is not one of error-control, ",
    ),
    (lambda t: t["policy"].update(limit=1), "policy.limit: is not known"),
    (lambda t: t["policy"].update(rule_out=-(10**400)), "policy.rule_out: "),
    (lambda t: t["validations"][0].pop("source"), "validations[0]: the key 'source' is missing"),
    (
        lambda t: t["validations"][0]["tally"].update(ruled_out=[1, 2]),
        "validations[0].tally.ruled_out: (1, 2) must be cases and the positives among them",
    ),
    (
        lambda t: t["validations"][0]["tally"].update(undecided=[1]),
        "validations[0].tally.undecided: expected a list of length 2",
    ),
    (lambda t: t["validations"][0].update(design_effect=0), "validations[0].design_effect: 0.0"),
    (
        lambda t: t["cross_validation"]["folds"][1]["inside"][0].update(answers="x"),
        "cross_validation.folds[1].inside[0].answers: 'x' must consist of",
    ),
    (
        lambda t: t["cross_validation"]["folds"][1]["left_out"].append(
            {"answers": "0", "cases": 1, "positives": 0}
        ),
        "cross_validation.folds[1].left_out: ",
    ),
    (lambda t: t["cross_validation"]["folds"].clear(), "counted_with: "),
]


@pytest.mark.parametrize(("change", "fault"), BROKEN_CHECKS, ids=[one for _, one in BROKEN_CHECKS])
def test_a_broken_check_is_refused_with_the_place(change: Change, fault: str) -> None:
    tree = tree_of(VALIDATED)
    change(tree)
    assert faults(bytes_of(tree))[0].startswith(fault)


@pytest.mark.parametrize(("change", "fault"), BROKEN, ids=[fault for _, fault in BROKEN])
def test_a_broken_document_is_refused_with_the_place(change: Change, fault: str) -> None:
    tree = tree_of()
    change(tree)
    with pytest.raises(DocumentError) as refusal:
        loads(bytes_of(tree), "my.json")
    assert str(refusal.value).startswith(f"my.json: {fault}")
    assert faults(bytes_of(tree))[0].startswith(fault)


def test_every_fault_is_found() -> None:
    tree = tree_of()
    tree["about"]["titel"] = "x"
    tree["questions"][0]["points"] = 0
    tree["questions"][1]["points"] = "1"
    tree["stages"][0][0]["probability"] = -1
    found = faults(bytes_of(tree))
    places = [
        "about.titel",
        "questions[0].points",
        "questions[1].points",
        "stages[0][0].probability",
    ]
    assert [fault.split(":")[0] for fault in found] == places
    with pytest.raises(DocumentError, match=r"\(3 more: scorecard validate lists them\)$"):
        loads(bytes_of(tree))


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "it is empty"),
        (b"{", "line 1, column 2: this is not JSON"),
        (b"[]", "format: it is missing"),
        (b"null", "format: it is missing"),
        (dumps(FULL)[:-10], "this is not JSON"),
        (dumps(FULL).decode().encode("utf-16"), "this is UTF-16 or UTF-32; save it as UTF-8"),
        (dumps(FULL).decode().encode("utf-16-le"), "this is UTF-16 or UTF-32; save it as UTF-8"),
        (dumps(FULL).decode().encode("utf-8-sig"), "byte order mark (BOM)"),
        (dumps(FULL).decode().replace("≥", "").encode("latin-1"), "the byte 0xc4, which is not UT"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"format": NaN}', "NaN is no number in JSON"),
        (b'{"format": -Infinity}', "-Infinity is no number in JSON"),
        (b"9" * 5000, "a number that cannot be meant"),
        (b"1e999", "format: it is missing"),
    ],
)
def test_what_is_no_document_is_told_why(content: bytes, fault: str) -> None:
    with pytest.raises(DocumentError) as refusal:
        loads(content, "my.json")
    assert fault in str(refusal.value)


def test_a_key_given_twice_is_refused_and_not_taken_silently() -> None:
    document = bytes_of(tree_of()).replace(b'"points": 2', b'"points": 1, "points": 2')
    assert faults(document) == ["questions[0]: the key 'points' occurs twice."]


def test_fifty_megabytes_of_digits_are_refused_at_once(tmp_path: Path) -> None:
    file = tmp_path / "digits.json"
    file.write_bytes(b"1" * 50_000_000)
    with pytest.raises(DocumentError, match="larger than 20 MB"):
        read_list(file)
    with pytest.raises(DocumentError, match="larger than 20 MB"):
        loads(file.read_bytes())
    for content in (b"1" * MAX_BYTES, b"0." + b"1" * (MAX_BYTES - 2), b'{"' + b"1" * 10_000_000):
        with pytest.raises(DocumentError):
            loads(content)


@pytest.mark.parametrize(
    "content",
    [
        b"{" + b",".join(b'"%d":1' % (number // 2) for number in range(100_000)) + b"}",
        b'{"format":"scorecard/3",' + b",".join(b'"%d":1' % n for n in range(100_000)) + b"}",
        b'{"format":"scorecard/3","evidence":[' + b"1," * 500_000 + b"1]}",
        b'{"format":"scorecard/3","stages":[' + b"[]," * 500_000 + b"[]]}",
        b'{"format":"scorecard/3","stages":[[' + b"{}," * 500_000 + b"{}]]}",
    ],
    ids=["repeated keys", "unknown keys", "patterns", "stages", "risks"],
)
def test_of_millions_of_faults_the_first_hundred_are_told(content: bytes) -> None:
    assert 1 <= len(faults(content)) <= 100


def test_a_document_too_large_to_be_read_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorecard.documents.json_document.MAX_BYTES", 100)
    with pytest.raises(DocumentError, match="use fewer questions"):
        dumps(FULL)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="cannot be read: No such file"):
        read_list(tmp_path / "missing.json")
    with pytest.raises(DocumentError, match="cannot be read: No such file"):
        faults(tmp_path / "missing.json")


# --- thousands of mutated documents ---------------------------------------------------------------

STRANGERS: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 1.5, -0.0, 1e308, 10**30, -(10**400), 2**63, 1e-320),
    *("", "x", "1", "\0", "\ud800", "NaN", "\u202e\n", "x" * 1000, ">=", "in", "01?"),
    *([], {}, [[]], [None], {"a": 1}, {"\ud800": 1}, {"total": 0, "probability": 0.5}),
    [[[[[[[[[[]]]]]]]]]],
)


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a tree of JSON values, as its container and its key."""
    keys = list(tree) if isinstance(tree, dict) else range(len(tree))
    for key in keys:
        yield tree, key
        if isinstance(tree[key], (dict, list)):
            yield from places(tree[key])


def mutated_tree(tree: Any, chance: random.Random) -> bytes:
    tree = json.loads(json.dumps(tree))
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        spots = list(places(tree))
        if not spots:
            break
        container, key = chance.choice(spots)
        value = container[key]
        match chance.randrange(6):
            case 0:
                del container[key]
            case 1:
                container[key] = chance.choice(STRANGERS)
            case 2 if isinstance(value, (int, float)):
                container[key] = value * chance.choice((-1, 0, 0.1, 2, 10**6, 1e300))
            case 3 if isinstance(container, dict):
                container[key + chance.choice("sx \u202e")] = container.pop(key)
            case 4:
                other, where = chance.choice(spots)
                container[key] = json.loads(json.dumps(other)) if where in other else []
            case _ if isinstance(container, list):
                container.insert(key, value)
    return json.dumps(tree, ensure_ascii=chance.random() < 0.5).encode(errors="surrogatepass")


def mutated_bytes(document: bytes, chance: random.Random) -> bytes:
    content = bytearray(document)
    for _ in range(chance.choice((1, 1, 2, 8))):
        place = chance.randrange(len(content) + 1)
        match chance.randrange(5):
            case 0:
                content[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                del content[place : place + chance.randrange(1, 30)]
            case 2:
                content[place:place] = chance.choice(
                    (b"{", b"]", b'"', b",", b"NaN", b"-", b"9" * 400, b"e99", b"[" * 2000, b"\xff")
                )
            case 3:
                other = chance.randrange(len(content) + 1)
                content[place:place] = content[other : other + chance.randrange(1, 60)]
            case _:
                del content[place:]
    return bytes(content)


def test_thousands_of_mutated_documents_give_a_list_or_a_refusal() -> None:
    chance = random.Random(20_240)
    trees = [tree_of(one) for one in (FULL, TABLE_1, MARBURG, COUNTED, SMALL)]
    results = []
    for number in range(4_000):
        tree = trees[number % len(trees)]
        if number % 5 == 4:
            results.append(list_or_refusal(mutated_bytes(bytes_of(tree), chance)))
        else:
            results.append(list_or_refusal(mutated_tree(tree, chance)))
    refusals = [result for result in results if isinstance(result, str)]
    assert 800 < len(refusals) < 3_960  # both ways were walked
    for refusal in refusals:
        assert refusal.isprintable(), ascii(refusal)
        assert len(refusal) < 600


def list_or_refusal(content: bytes) -> ScoringList | str:
    """The list, or the refusal; any other exception fails the test."""
    try:
        scoring_list = loads(content, "mutated.json")
    except ScorecardError as refusal:
        return str(refusal)
    assert loads(dumps(scoring_list)) == scoring_list
    return scoring_list


# --- schema ---------------------------------------------------------------------------------------


def test_the_published_schema_is_up_to_date(root: Path) -> None:
    published = root / "scorecard" / "documents" / "document.schema.json"
    assert compared(published, json_schema().decode()) == json_schema().decode(), RENEWING


def test_the_schema_knows_every_key_that_is_written() -> None:
    schema = json.loads(json_schema())
    written = json.loads(dumps(VALIDATED))
    assert set(written) == set(schema["properties"])
    known = {
        name: set(one["properties"]) for name, one in schema["$defs"].items() if "properties" in one
    }
    assert set(written["seen"][0]) == known["Seen"]
    assert set(written["policy"]) == known["StoppingPolicy"]
    assert set(written["validations"][0]) <= known["Validation"]
    assert set(written["cross_validation"]) <= known["CrossValidation"]
    assert set(written["cross_validation"]["folds"][0]) == known["Fold"]
    objects = [schema, *(one for one in schema["$defs"].values() if one["type"] == "object")]
    assert all(one["additionalProperties"] is False for one in objects)
    assert "total" in schema["$defs"]["Stage"]["items"]["required"]

"""Words are data: the same keys in every language, each used, and a user's own in front."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import polars as pl
import pytest

from scorecard import apply, export, make_handout
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Condition, Question, Risk, ScoringList, Stage
from scorecard.core.policy import StoppingPolicy
from scorecard.errors import ScorecardError
from scorecard.forms.card.contents import CardOptions, view_of
from scorecard.forms.decision_table import decision_table
from scorecard.forms.source_text import card_lines, card_words
from scorecard.words.language import language_named, languages, names_in
from scorecard.words.wording import Wording

ROOT = Path(__file__).parents[2]
PYTHON = sorted((ROOT / "scorecard").rglob("*.py"))
ENGLISH = language_named("en")
SMOKER = ScoringList(
    (Question("smoker", 1),), (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.6))))
)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "words").mkdir()
    return tmp_path


def write(folder: Path, code: str, text: str) -> None:
    (folder / "words" / f"{code}.toml").write_text(text, encoding="utf-8")


# The built-in languages ---------------------------------------------------------------------------


@pytest.mark.parametrize("code", languages())
def test_every_language_has_every_word_with_the_same_names(code: str) -> None:
    words = language_named(code).words
    lacking, added = ENGLISH.words.keys() - words.keys(), words.keys() - ENGLISH.words.keys()
    assert not lacking, f"{code}.toml lacks {', '.join(sorted(lacking))}"
    assert not added, f"{code}.toml has {', '.join(sorted(added))}, which en.toml has not"
    assert list(words) == list(ENGLISH.words), f"{code}.toml has another order than en.toml"
    for key, text in words.items():
        assert text.strip() == text != "", key
        assert names_in(text) == names_in(ENGLISH.words[key]), key


def test_no_word_is_unused() -> None:
    sources = [*PYTHON, *(ROOT / "templates").rglob("*.j2")]
    text = "\n".join(file.read_text("utf-8") for file in sources)
    assert not [key for key in ENGLISH.words if f'"{key}"' not in text and f"'{key}'" not in text]


@pytest.mark.parametrize("file", PYTHON, ids=lambda file: file.stem)
def test_no_key_is_put_together_from_pieces(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            made = node.func.attr in ("word", "_word") and isinstance(node.args[0], ast.JoinedStr)
            assert not made, f"{file.name}:{node.lineno} puts a key together; write it out"


def test_every_key_in_the_code_is_a_word() -> None:
    for file in PYTHON:
        for key in re.findall(r"\bword\(\s*\"([^\"]+)\"", file.read_text("utf-8")):
            assert key in ENGLISH.words, f"{file.name} asks for {key!r}"
    for file in (ROOT / "templates").rglob("*.j2"):
        for key in re.findall(r"(?:view\.words|WORDS)\[\"([^\"]+)\"\]", file.read_text("utf-8")):
            assert key in ENGLISH.words, f"{file.name} asks for {key!r}"


def test_french_has_its_spaces_and_quotes() -> None:
    """No-break spaces before : ; ? and inside « »; sentences are put together in the same way."""
    for key, text in language_named("fr").words.items():
        assert not re.search(
            r"[^\s\u00a0{]?(?<!\u00a0)[;?!»]|(?<!\u00a0):|«(?!\u00a0)|[\"“”]", text
        ), key
    french = Wording(language_named("fr"))
    assert french.sentence("un", "deux") == "un\u00a0; deux."
    assert french.question(Question("f", 1, Condition("no"), label="Fumeur")) == "Fumeur\u00a0: non"
    assert french.percent(0.9) == "90\u00a0%"


def test_under_limits_of_the_data_nothing_is_called_ruled_out() -> None:
    """Where the data chose the limits nobody said what to do: there are groups of risk."""
    policy = StoppingPolicy(rule_in=0.5, by="point", chosen_by="data")
    staircase = build_staircase(SMOKER, policy)
    frame = pl.DataFrame({"smoker": ["no", "yes"]})
    assert apply(SMOKER, frame, policy=policy)["decision"].to_list() == ["low risk", "high risk"]
    told = [
        export(SMOKER, "json", policy=policy, language="de"),
        "\n".join(card_lines(decision_table(staircase, card_words(staircase, "de")))).encode(),
        make_handout(SMOKER, policy=policy, language="en"),
    ]
    assert json.loads(told[0])["names"]["rule out"] == "niedriges Risiko"
    assert "niedriges Risiko at 0 or less" in told[1].decode()
    for page in told[1:]:
        words = re.sub(r"<script.*?</script>", "", page.decode(), flags=re.S).lower()
        assert not re.search(r"rule[d ]* (out|in)\b|ausschluss|nachweis", words)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ScorecardError, match=r"'it' is not a language.*en, de, es, fr\."):
        language_named("it")


# A user's own -------------------------------------------------------------------------------------

ITALIAN = """\
name = "Italiano"
decimal_mark = ","

[words]
"yes" = "sì"
"rule out" = "escludere"
"card for" = "Per: {population}"
"""


def test_a_language_begins_with_three_words(own: Path) -> None:
    write(own, "it", ITALIAN)
    assert languages(own) == ("en", "de", "es", "fr", "it")
    italian = language_named("it", own)
    view = view_of(build_staircase(SMOKER), CardOptions(language=italian, audience="adulti"))
    assert view.language == "it"
    assert view.audience == "Per: adulti"
    assert view.signs[0].text == "escludere"
    assert view.judgement == ENGLISH.words["judgement"]  # not translated yet
    assert Wording(italian).number(1.5) == "1,5"


def test_single_words_of_a_language_can_be_replaced(own: Path) -> None:
    write(own, "de", '[words]\n"rule out" = "kein Antibiotikum"\n')
    german = language_named("de", own)
    assert german.words["rule out"] == "kein Antibiotikum"
    assert german.words["rule in"] == language_named("de").words["rule in"]
    assert (german.name, german.decimal_mark) == ("Deutsch", ",")
    assert language_named("de").words["rule out"] != "kein Antibiotikum"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[words]\n"rule uot" = "non"\n', "has the word 'rule uot', which nothing asks for"),
        ('[words]\n"card for" = "Pour {qui}"\n', r"expected a text with {population}"),
        ('[words]\n"yes" = "{oui}"\n', "expected a text with nothing in braces"),
        ('[words]\n"yes" = "{"\n', "expected a text with nothing in braces"),
        ('[words]\n"yes" = 1\n', "expected a text"),
        ('"yes" = "oui"\n', r"has 'yes'; expected name, decimal_mark, words.*below \[words\]"),
        ("yes = oui\n", "cannot be read as words"),
    ],
)
def test_what_is_wrong_with_own_words_is_told_in_one_line(own: Path, text: str, told: str) -> None:
    write(own, "fr", text)
    with pytest.raises(ScorecardError, match=told) as refused:
        language_named("fr", own)
    assert "\n" not in str(refused.value)

"""Every page does what it says: the README, and the pages below `examples/`."""

import json
import re
import runpy
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

from scorecard.forms.card.paper import COLOURS
from tests import recount
from tests.pages import (
    RUN,
    Block,
    blocks_of,
    first_missing,
    read_blocks,
    run_all,
    session_of,
)

PAGES = (
    "tutorial",
    "published-score",
    "choosing-limits",
    "your-own-questions",
    "costs",
    "warehouse",
    "own-template",
    "document-format",
    "statistics",
    "decision-table",
    "forms",
    "python",
    "beside-others",
)

RECOUNTED = "your-own-questions"  # is run where its risks are counted again, too


@pytest.fixture
def folder(root: Path, tmp_path: Path) -> Path:
    """Where a reader would type: the top of a copy, with nothing made yet."""
    shutil.copytree(
        root / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__")
    )
    return tmp_path


@pytest.mark.usefixtures("pango")
@pytest.mark.parametrize(
    "page",
    [
        f"examples/{page}.md"
        for page in (*PAGES, "published/README", "site/index")
        if page != RECOUNTED
    ],
)
def test_a_page_does_what_it_says(page: str, root: Path, folder: Path) -> None:
    blocks = read_blocks(root / page)
    assert {block.language for block in blocks} & RUN, f"{page} has no block that is run"
    run_all(blocks, folder)


@pytest.mark.usefixtures("pango")
def test_the_risks_of_edited_questions_are_counted_by_somebody_else(
    root: Path, folder: Path
) -> None:
    """The lists of the page, all their counts and risks once more from the table."""
    run_all(read_blocks(root / "examples" / f"{RECOUNTED}.md"), folder)
    table = pd.read_csv(folder / "examples" / "tutorial" / "cases.csv")
    ill = (table["strep"] == "yes").to_numpy().astype(float)
    made = ("model.json", "mine.json", "short.json", "output/model.json")
    for name in made:
        document = json.loads((folder / name).read_text(encoding="utf-8"))
        again = recount.corrected(table, ill, document)
        for stage, recounted in zip(document["stages"], again, strict=True):
            for row, (cases, positives, risk) in zip(stage, recounted, strict=True):
                assert (row["cases"], row["positives"]) == (cases, positives), (name, row)
                assert row["probability"] == pytest.approx(risk, abs=1e-6), (name, row)


def test_no_page_is_left_out(root: Path) -> None:
    pages = {file.stem for file in (root / "examples").glob("*.md")}
    assert pages == {*PAGES, "README"}


def pages_of(root: Path) -> list[Path]:
    return [
        root / "README.md",
        root / "templates" / "README.md",
        root / "scorecard" / "README.md",
        root / ".github" / "CONTRIBUTING.md",
        *(root / "examples").rglob("*.md"),
    ]


def test_every_scorecard_command_stands_in_a_block_that_is_run(root: Path) -> None:
    """So that a block does not escape by its language."""
    for page in pages_of(root):
        for block in read_blocks(page):
            if block.language not in RUN:
                assert not re.search(r"^(\$ )?scorecard ", block.text, re.M), block.place


def test_the_invented_cases_are_those_of_their_program(root: Path, tmp_path: Path) -> None:
    program = tmp_path / "make_cases.py"
    shutil.copy(root / "examples/tutorial/make_cases.py", program)
    runpy.run_path(str(program), run_name="__main__")
    for name in ("cases.csv", "new-cases.csv"):
        assert (tmp_path / name).read_bytes() == (root / "examples/tutorial" / name).read_bytes()


def test_links_lead_to_files_and_headings_that_exist(root: Path) -> None:
    for page in pages_of(root):
        for target in links_of(page.read_text(encoding="utf-8")):
            name, _, heading = target.partition("#")
            file = page.parent / name if name else page
            assert file.exists(), f"{page.name} links to {target}"
            assert not heading or heading in headings_of(file), f"{page.name} links to {target}"


NOT_THERE_YET = "templates/words/it.toml"  # the language that a reader is to add


def test_the_map_of_the_house_names_what_is_there(root: Path) -> None:
    """Modules as `room/module.py`, or with what is in it as `room/module.name`."""
    text = (root / "scorecard" / "README.md").read_text(encoding="utf-8")
    for named in re.findall(r"`((?:\w+/)+[\w.]*)(?:::\w+)?`", text):
        if named != NOT_THERE_YET:
            assert is_there(root, named), named


def is_there(root: Path, named: str) -> bool:
    module, _, name = named.partition(".")
    folders = (root, root / "scorecard")
    if any((folder / named).exists() for folder in folders):
        return True
    files = [folder / f"{module}.py" for folder in folders]
    texts = [file.read_text(encoding="utf-8") for file in files if file.exists()]
    return any(re.search(rf"^(?:def |class )?{name}\b", text, re.M) for text in texts)


def test_the_picture_is_well_formed_and_has_the_colours_of_a_card(root: Path) -> None:
    text = (root / "examples" / "how-it-works.svg").read_text(encoding="utf-8")
    picture = ElementTree.fromstring(text)
    assert picture.get("role") == "img"
    assert set(re.findall(r"#[0-9a-f]{6}\b", text)) <= {*COLOURS.values(), "#ffffff"}


def links_of(markdown: str) -> list[str]:
    text = re.sub(r"^```.*?^```$", "", markdown, flags=re.M | re.S)
    targets = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(
        r'(?:src|srcset|href)="([^"]+)"', text
    )
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def headings_of(file: Path) -> set[str]:
    """Headings as GitHub links to them."""
    titles = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_a_page_in_the_index_is_named_once_and_none_is_missing(root: Path) -> None:
    index = (root / "examples" / "README.md").read_text(encoding="utf-8")
    linked = [target for target in links_of(index) if re.fullmatch(r"[\w-]+\.md", target)]
    assert sorted(linked) == sorted(f"{page}.md" for page in PAGES)


# The machinery itself -----------------------------------------------------------------------------


def test_blocks_are_found_with_language_and_line() -> None:
    text = "# Title\n\n```sh\nmake demo\n```\ntext\n~~~python\nx = 1\n~~~\n"
    assert blocks_of(text) == [Block("sh", "make demo\n", 4), Block("python", "x = 1\n", 8)]


def test_a_session_is_split_into_commands_and_output() -> None:
    text = "$ echo a \\\n> b\na b\n$ true\n"
    assert session_of(text) == [("echo a \\\nb", ["a b"]), ("true", [])]


@pytest.mark.parametrize(
    ("shown", "happened"),
    [
        ([], ["a"]),
        (["a"], ["a", "b"]),
        (["…", "c"], ["a", "b", "c"]),
        (["a", "...", "c", "d"], ["a", "b", "c", "d"]),
        (["a", "…"], ["a"]),
        (["a b…", "c"], ["a b c d", "c"]),
    ],
)
def test_output_shown_may_be_shortened(shown: list[str], happened: list[str]) -> None:
    assert first_missing(shown, happened) is None


@pytest.mark.parametrize(
    ("shown", "happened", "missing"),
    [
        (["b"], ["a", "b"], "b"),
        (["a", "c"], ["a", "b", "c"], "c"),
        (["…", "b", "a"], ["a", "b"], "a"),
        (["a"], [], "a"),
        (["a c…"], ["a b c"], "a c…"),
    ],
)
def test_output_shown_may_not_be_wrong(shown: list[str], happened: list[str], missing: str) -> None:
    assert first_missing(shown, happened) == missing


@pytest.mark.parametrize(
    "text",
    [
        "```sh\nfalse\ntrue\n```\n",
        "```sh\nscorecard no-such-command\n```\n",
        "```console\n$ echo yes\nno\n```\n",
        "```console\n$ echo 'Error: no'\nError: no\n```\n",
        "```console\n$ scorecard show none.json\nError: something else…\n```\n",
        "```python\nraise ValueError\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
    ],
)
def test_a_false_block_fails(tmp_path: Path, text: str) -> None:
    with pytest.raises(AssertionError, match=r"page\.md:2"):
        run_all(blocks_of(text), tmp_path)


def test_a_refusal_may_be_shown(tmp_path: Path) -> None:
    text = "```console\n$ scorecard show none.json\nError: …\n```\n"
    run_all(blocks_of(text), tmp_path)


def test_a_file_is_saved_under_the_name_in_its_first_line(tmp_path: Path) -> None:
    run_all(blocks_of("```toml\n# a/b.toml\nx = 1\n```\n```jinja\n{# c.j2 #}\n```\n"), tmp_path)
    assert (tmp_path / "a/b.toml").read_text(encoding="utf-8") == "# a/b.toml\nx = 1\n"
    assert (tmp_path / "c.j2").exists()


def test_what_has_no_name_is_not_saved(tmp_path: Path) -> None:
    run_all(blocks_of("```toml\nx = 1\n# not.toml\n```\n"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_true_blocks_pass_and_share_the_folder(tmp_path: Path) -> None:
    text = (
        "```sh\nmake test\npip install nothing-of-the-kind\necho hello > file.txt\n```\n"
        "```console\n$ make demo\nmuch that is not compared\n$ cat file.txt\nhello\n```\n"
        "```python\nopen('file.txt').close()\n```\n"
        "```python\n>>> 1 + 1\n2\n```\n"
    )
    run_all(blocks_of(text), tmp_path)

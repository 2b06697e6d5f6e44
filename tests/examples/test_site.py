"""The documentation site: built without a warning, its links lead somewhere, nothing is fetched."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import scorecard
from scorecard.cli import COMMANDS
from tests import processes

pytest.importorskip("pydata_sphinx_theme", reason="the site is not built: pip install -e '.[docs]'")

LEADS = {"a": "href", "img": "src", "script": "src", "link": "href"}


@dataclass
class Page(HTMLParser):
    """What a page refers to, by tag, and the places in it that can be referred to."""

    file: Path
    found: list[tuple[str, str]] = field(default_factory=list)
    places: set[str] = field(default_factory=set)
    pictures: list[dict[str, str | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.places |= {value for name in ("id", "name") if (value := given.get(name))}
        if tag in LEADS and (target := given.get(LEADS[tag])):
            self.found.append((tag, target))
        if tag == "img":
            self.pictures.append(given)


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    places = ["-d", str(folder / "doctrees"), "-c", "examples/site", ".", str(folder / "html")]
    done = processes.run([*build, *places], cwd=root, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {
        file: Page(file)
        for file in site.rglob("*.html")
        if not {"_modules", "_static"} & {*file.parts}
    }


pytestmark = pytest.mark.usefixtures("pango")


def test_links_lead_to_pages_and_places_that_exist(pages: dict[Path, Page]) -> None:
    assert sorted(set(dead_links(pages))) == []


def dead_links(pages: dict[Path, Page]) -> Iterator[str]:
    for file, page in pages.items():
        for _, target in page.found:
            if re.match(r"[a-z]+:", target):
                continue
            name, _, place = unquote(target).partition("#")
            file_there = (file.parent / name.partition("?")[0]).resolve() if name else file
            there = pages.get(file_there)
            if not file_there.exists() or (place and there and place not in there.places):
                yield f"{file.name}: {target}"


def test_nothing_is_fetched_from_elsewhere(pages: dict[Path, Page]) -> None:
    fetched = {target for page in pages.values() for tag, target in page.found if tag != "a"}
    assert [target for target in fetched if re.match(r"(https?:)?//", target)] == []


def test_every_public_name_is_described_once(pages: dict[Path, Page]) -> None:
    described = [place for page in pages.values() for place in page.places]
    names = [name for name in scorecard.__all__ if not name.startswith("_")]
    assert [name for name in names if described.count(f"scorecard.{name}") != 1] == []


def test_every_command_is_described(site: Path) -> None:
    page = (site / "examples" / "site" / "commands.html").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"Usage: scorecard {name} " in page, name
    assert "Error:" not in page


def test_every_page_of_the_examples_is_there(root: Path, site: Path) -> None:
    for page in (root / "examples").glob("*.md"):
        assert (site / "examples" / f"{page.stem}.html").exists(), page.name


def test_the_gallery_shows_every_published_score(root: Path, site: Path) -> None:
    gallery = Page(site / "examples" / "site" / "gallery.html")
    lists = (root / "examples" / "published").glob("*.toml")
    shown = {Path(str(one["src"])).stem for one in gallery.pictures}
    assert shown == {file.stem for file in lists} - {"table-1"}
    assert all(one["alt"] for one in gallery.pictures)


def test_formulas_are_drawn_by_the_browser(site: Path) -> None:
    file = site / "examples" / "site" / "method.html"
    assert file.read_text(encoding="utf-8").count("<math") > 40
    assert not [one for tag, one in Page(file).found if tag == "script" and "mathjax" in one]

"""The documentation site: the pages of `examples/` as they are, and a few of its own.

`make docs` builds it into build/site. The source folder is the top of the project: so every page
stays where readers of the repository find it, and a link between two pages works in both.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from pypdfium2 import PdfDocument

import scorecard
from scorecard import ScoringList, make_card, read_list
from scorecard.cli import COMMANDS, cli

HERE = Path(__file__).parent
PUBLISHED = HERE.parent / "published"
GALLERY, COMMAND_LINE = "examples/site/gallery", "examples/site/commands"

project = "scorecard"
author = "The psl-scorecard authors"
copyright = f"2026, {author}, MIT licence"  # noqa: A001  (the name Sphinx asks for)
release = version = scorecard.__version__

root_doc = "examples/site/index"
include_patterns = [
    *("README.md", "CHANGELOG.md", ".github/CONTRIBUTING.md"),
    *("scorecard/README.md", "templates/README.md", "examples/**.md"),
]
exclude_patterns = [".venv*", "build", "dist", "tests", "examples/joss"]
extensions = ["myst_parser", "numpydoc", "sphinx.ext.viewcode", "sphinx_design"]
myst_enable_extensions = ["attrs_inline", "colon_fence", "dollarmath"]
myst_heading_anchors = 4
numpydoc_show_class_members = False
autodoc_typehints = "none"  # a docstring says what a parameter is
autodoc_member_order = "bysource"
highlight_language = "none"
default_role = "code"  # names in single backticks

html_theme = "pydata_sphinx_theme"
html_title = "scorecard"
html_extra_path = ["top"]  # leads from the top of the site to its first page
html_css_files = ["site.css"]
html_static_path = ["static"]
html_show_sourcelink = False
html_copy_source = False
ALONE = (root_doc, "examples/site/method", "examples/tutorial", COMMAND_LINE)
html_sidebars: dict[str, list[str]] = {page: [] for page in ALONE}  # no pages below them
html_math_renderer = "mathml"
html_theme_options = {
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 7,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}


def setup(app: Any) -> None:
    # MathML is drawn by browsers: no script that a page would have to fetch.
    app.add_html_math_renderer("mathml", (formula, None), (formula, None))
    app.connect("source-read", add_gallery)
    app.connect("source-read", add_commands)


def formula(writer: Any, node: Any) -> None:
    block = isinstance(node, nodes.math_block)
    writer.body.append(tex2mathml(node.astext(), as_block=block))
    raise nodes.SkipNode


def add_gallery(app: Any, page: str, source: list[str]) -> None:
    """Put the front of a card of every published list below the text of the gallery."""
    if page != GALLERY:
        return
    folder = Path(app.doctreedir) / "cards"
    folder.mkdir(parents=True, exist_ok=True)
    lists = {path: read_list(path) for path in PUBLISHED.glob("*.toml")}
    by_title = sorted(lists.items(), key=lambda item: item[1].about.title.casefold())
    cards = [card_of(path, found, folder) for path, found in by_title if path.stem != "table-1"]
    source[0] += "\n".join(["", "::::{grid} 1 1 2 2", ":gutter: 3", "", *cards, "::::", ""])


def add_commands(_: Any, page: str, source: list[str]) -> None:
    """Put what every command says of itself below the text of the command line."""
    if page == COMMAND_LINE:
        source[0] += "\n".join(f"\n## {name}\n\n```text\n{help_of(name)}```\n" for name in COMMANDS)


def help_of(command: str) -> str:
    """All options of it; a command with few has no other help."""
    for option in ("--help-all", "--help"):
        said = CliRunner().invoke(cli, [command, option], prog_name="scorecard", terminal_width=76)
        if said.exit_code == 0:
            break
    return said.output


def card_of(path: Path, scoring_list: ScoringList, folder: Path) -> str:
    picture = folder / f"{path.stem}.png"
    if not picture.exists() or picture.stat().st_mtime < path.stat().st_mtime:
        front = PdfDocument(make_card(scoring_list, size="a6"))[0]
        front.render(scale=4).to_pil().save(picture)
    about = scoring_list.about
    where = Path(os.path.relpath(picture, HERE)).as_posix()
    return "\n".join(
        [
            f":::{{grid-item-card}} {about.title}",
            f":img-bottom: {where}",
            f":img-alt: The front of a card: {about.title}",
            "",
            f"{about.outcome}, {about.population}",
            "",
            f"[{path.name}](../published/{path.name}) · {about.source}",
            ":::",
            "",
        ]
    )

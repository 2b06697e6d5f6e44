"""Views to HTML: the templates, with a user's own folder in front of the built-in one.

Text is always escaped, a name a template misspells is an error, and templates run in Jinja's
sandbox: they place what the view has, and reach nothing else. A template of one's own that is
broken, endless or a link to somewhere else is an error, never replaced by the built-in one.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from threading import Thread
from traceback import extract_tb
from typing import Any, TypeVar
from zlib import crc32

import font_source_sans_pro
from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
)
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from scorecard.files import templates_folder
from scorecard.printing.refusals import CardError

LONGEST = 20.0  # seconds for a template of one's own; ours need a few hundredths
LARGEST = 1_000_000  # number that may be multiplied

Result = TypeVar("Result")


class OwnFolder(FileSystemLoader):
    """Templates of a user's folder; one that is there and cannot be used is an error."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.folder = folder

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        path = self.folder / template
        if path.is_symlink() or path.exists():
            inside = path.resolve().is_relative_to(self.folder.resolve())
            if not inside or not path.is_file():
                raise CardError(
                    f"The template {str(path)!r} is no file inside its folder; copy it there."
                )
        try:
            return super().get_source(environment, template)
        except TemplateNotFound:
            raise
        except (OSError, UnicodeError) as error:
            raise CardError(f"The template {str(path)!r} cannot be read: {error}.") from error


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, in which a few letters cannot ask for gigabytes either."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        if operator == "**" or not numbers or max(abs(left), abs(right)) > LARGEST:
            raise SecurityError(f"{operator} is for small numbers only")
        return super().call_binop(context, operator, left, right)


@lru_cache(maxsize=8)
def environment(template_dir: Path | None = None) -> ImmutableSandboxedEnvironment:
    """Templates of `template_dir` first; `default:…` always names a built-in one."""
    built_in = FileSystemLoader(templates_folder())
    folders = [built_in]
    if template_dir is not None:
        if not template_dir.is_dir():
            raise CardError(f"The template folder {str(template_dir)!r} is not a folder.")
        folders.insert(0, OwnFolder(template_dir))
    loader = ChoiceLoader([PrefixLoader({"default": built_in}, delimiter=":"), *folders])
    return Sandbox(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def rendered(name: str, template_dir: Path | None, **values: object) -> str:
    """The text of a template; what is wrong with a user's own one is told in one line."""

    def render() -> str:
        return environment(template_dir).get_template(name).render(**values)

    try:
        return render() if template_dir is None else _within_time(render, template_dir)
    except CardError:
        raise
    except TemplateError as error:
        place = getattr(error, "name", None) or name
        line = getattr(error, "lineno", None)
        where = f"{place}, line {line}" if line else _place(error, name)
        raise CardError(f"The template {where} is wrong: {_one_line(error)}") from error
    except Exception as error:
        if template_dir is None:
            raise  # a fault of ours
        raise CardError(
            f"The template {_place(error, name)} is wrong: {_one_line(error)}."
        ) from error


def _within_time(render: Callable[[], Result], folder: Path) -> Result:
    """The result, if it comes soon; a loop without end is left to itself and refused."""
    found: list[Result] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            found.append(render())
        except BaseException as error:
            failed.append(error)

    worker = Thread(target=work, daemon=True)
    worker.start()
    worker.join(LONGEST)
    if failed:
        raise failed[0]
    if not found:
        raise CardError(
            f"The templates of {str(folder)!r} take longer than {LONGEST:.0f} seconds; look for a"
            " loop that does not end."
        )
    return found[0]


def _place(error: Exception, name: str) -> str:
    """The template and line where it happened, as Jinja tells them in the trace."""
    frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename.endswith(".j2")]
    return f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else name


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


# The type of the cards ----------------------------------------------------------------------------

FONT_FOLDER = Path(font_source_sans_pro.font_directory)
WEIGHTS = {400: "SourceSansPro-Regular", 600: "SourceSansPro-Semibold", 700: "SourceSansPro-Bold"}


@cache
def made_with() -> str:
    """The library that cuts down the fonts, and which fonts these are: they are in every page."""
    import fontTools

    check = crc32(b"".join(_file(weight).read_bytes() for weight in WEIGHTS))
    return f"fontTools {fontTools.version}, Source Sans Pro {check:08x}"


def font_faces() -> str:
    """The `@font-face` rules for a renderer that may read the font files."""
    return "".join(_face(weight, _file(weight).as_uri()) for weight in WEIGHTS)


def embedded_font_faces(text: str) -> str:
    """The `@font-face` rules with the fonts inside, cut down to the characters of a text."""
    letters = "".join(sorted(set(text)))
    return "".join(_face(weight, _subset(weight, letters)) for weight in WEIGHTS)


def _face(weight: int, address: str) -> str:
    return (
        f'@font-face{{font-family:"Source Sans Pro";font-weight:{weight};src:url("{address}")}}\n'
    )


def _file(weight: int) -> Path:
    return FONT_FOLDER / f"{WEIGHTS[weight]}.ttf"


@lru_cache(maxsize=32)
def _subset(weight: int, letters: str) -> str:
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    # The time of saving stays out of the file: the same card gives the same bytes.
    with TTFont(_file(weight), recalcTimestamp=False, lazy=True) as font:
        subsetter = Subsetter(Options(hinting=False, notdef_outline=True))
        subsetter.populate(text=letters)
        subsetter.subset(font)
        stream = BytesIO()
        font.save(stream)
    return f"data:font/ttf;base64,{b64encode(stream.getvalue()).decode()}"

"""What a list can be written as: a folder for each form, and a line for it here.

`make.py` in the folder has `make`: for an export from a staircase and the words of its card, for a
page from a list and its look. `read.py` has `origin`, what a file says of its making, and `found`,
where it differs or, run, what it says of cases. Both are loaded when they are asked for: writing
Python needs no spreadsheet library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Form:
    """A form: `called` says by suffix what its files are called; `usual` is the name of an export.

    `about` is for the help of `export`. A `program` can be run where its file differs. `package` is
    its folder, if that is not the one of its name here.
    """

    name: str
    called: Mapping[str, str]
    usual: str = ""
    about: str = ""
    program: bool = False
    package: str = field(default="", kw_only=True)

    def make(self, *what: Any, **how: Any) -> bytes:
        """A file of this form."""
        made: bytes = self._module("make").make(*what, **how)
        return made

    @property
    def reader(self) -> Any:
        return self._module("read")

    def _module(self, name: str) -> Any:
        return import_module(f"{self.package or f'{__name__}.{self.name}'}.{name}")


FORMS = {
    form.name: form
    for form in (
        Form("python", {".py": "Python"}, "evaluator.py", "a Python file", program=True),
        Form("json", {".json": "JSON"}, "card.json", "a decision table in JSON"),
        Form(
            "javascript",
            {".mjs": "JavaScript", ".js": "JavaScript"},
            "evaluator.mjs",
            "an ES module",
            program=True,
        ),
        Form(
            "sql",
            {".sql": "SQL"},
            "evaluator.sql",
            "one SELECT for a database",
            program=True,
        ),
        Form("r", {".r": "R"}, "evaluator.R", "an R file", program=True),
        Form("excel", {".xlsx": "Excel"}, "evaluator.xlsx", "a workbook"),
        Form("xlsform", {".xlsx": "XLSForm"}, "form.xlsx", "a form for ODK and KoboToolbox"),
        Form("fhir", {".json": "FHIR"}, "questionnaire.json", "a FHIR Questionnaire"),
        Form(
            "redcap",
            {".csv": "REDCap"},
            "data-dictionary.csv",
            "a data dictionary for REDCap (not run there)",
        ),
        Form("docx", {".docx": "Word"}, "card.docx", "a Word document"),
        Form("markdown", {".md": "Markdown"}, "model-card.md", "a model card in Markdown"),
        Form("card", {".pdf": "printed card", ".html": "web page"}),
        Form("handout", {".pdf": "printed card", ".html": "web page"}),
    )
}


def exports() -> list[Form]:
    """The forms that are exported, in the order in which they are named."""
    return [form for form in FORMS.values() if form.usual]


def export_named(name: str) -> Form:
    """The export with this name."""
    return {form.name: form for form in exports()}[name]


def suffixes_of(name: str) -> tuple[str, ...]:
    """How a file of an export may end; first as it usually does."""
    form = FORMS[name]
    usual = Path(form.usual).suffix.lower()
    return (usual, *(suffix for suffix in form.called if suffix != usual))


def forms_of(suffix: str) -> list[Form]:
    """The forms whose files end like this, in small letters or capitals."""
    return [form for form in FORMS.values() if suffix.lower() in form.called]

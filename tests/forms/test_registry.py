"""A form is a folder and a line: what exports, checks and helps asks the registry."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scorecard import check, export
from scorecard.forms import FORMS, Form, export_named, exports, forms_of, suffixes_of
from tests import processes
from tests.lists import TABLE_1

TOY = Form("toy", {".toy": "Toy"}, "card.toy", "a toy", package="tests.forms.toy")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMS, "toy", TOY)


@pytest.mark.usefixtures("toy")
def test_a_new_form_is_exported_and_checked_by_one_line(tmp_path: Path) -> None:
    path = tmp_path / export_named("toy").usual
    path.write_bytes(export(TABLE_1, "toy", language="de"))
    (verdict,) = check(TABLE_1, [path])
    assert (verdict.form, verdict.agrees, verdict.whole) == ("Toy", True, True)
    assert verdict.again == "scorecard export MODEL --to toy --language de --force"
    path.write_bytes(path.read_bytes().replace(b"+1", b"+2", 1))
    (verdict,) = check(TABLE_1, [path])
    assert verdict.disagrees
    assert verdict.first.startswith("line ")
    assert "'+2 " in verdict.first
    path.write_text("something else")
    assert "it is no toy" in check(TABLE_1, [path])[0].first


@pytest.mark.usefixtures("toy")
def test_the_command_line_offers_every_form() -> None:
    from importlib import reload

    from scorecard.cli import export as command

    try:
        told = reload(command).export
        (choice,) = [one for one in told.params if one.name == "form"]
        assert list(choice.type.choices) == [form.name for form in exports()]
        assert "toy" in choice.type.choices
        assert choice.help.endswith(", or a toy.")
    finally:
        FORMS.pop("toy")
        reload(command)


def test_every_form_says_how_its_files_end() -> None:
    for form in exports():
        suffix, *_ = suffixes_of(form.name)
        assert form in forms_of(suffix)
        assert form.about


@pytest.mark.parametrize("form", ["json", "python", "sql"])
def test_nothing_of_another_form_is_loaded(form: str) -> None:
    program = (
        "import sys\nfrom tests.lists import TABLE_1\nfrom scorecard import export\n"
        f"export(TABLE_1, {form!r})\n"
        "made = [m for m in sys.modules if m.startswith('scorecard.forms.') and '.make' in m]\n"
        f"assert made == ['scorecard.forms.{form}.make'], made\n"
        "assert not {'xlsxwriter', 'weasyprint', 'numpy', 'sqlite3'} & sys.modules.keys()\n"
    )
    done = processes.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr

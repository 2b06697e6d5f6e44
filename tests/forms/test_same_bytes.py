"""A list gives the same bytes in every form and in every process: `check` stands on that."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from scorecard.forms import exports
from tests import processes

MAKE = """
import sys
from hashlib import sha256
from scorecard.documents.json_document import dumps
from scorecard.forms import exports
from scorecard.api import export, make_card, make_handout
from tests.benchmarks.falsifications import LIST, LOOK, POLICY

EXPORTS = [form.name for form in exports()]
look = {**LOOK, "logo": sys.argv[1], "qr": "https://example.org/"}
made = {f"card.{kind}": make_card(LIST, kind, **look) for kind in ("pdf", "html", "png")}
made |= {f"{size}.pdf": make_card(LIST, size=size, **LOOK) for size in ("credit-card", "tally")}
made["path.pdf"] = make_card(LIST, size="a4", layout="path", language="fr", **LOOK)
made["sheet.pdf"] = make_card(LIST, sheet="a4", size="credit-card", **LOOK)
made |= {f"handout.{kind}": make_handout(LIST, kind, **LOOK) for kind in ("pdf", "html")}
made |= {form: export(LIST, form, policy=POLICY, language="de") for form in EXPORTS}
made["model.json"] = dumps(LIST)
for name, content in made.items():
    print(name, sha256(content).hexdigest())
"""
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6"><path d="M0 0h9v6z"/></svg>'


@pytest.mark.timeout(300)
def test_every_form_has_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    logo = tmp_path / "logo.svg"
    logo.write_text(PICTURE)
    told = [_made(str(seed), logo) for seed in (1, 77)]
    assert len(told[0]) == 10 + len(exports())
    assert told[0] == told[1]


def _made(seed: str, logo: Path) -> list[str]:
    done = processes.run(
        [sys.executable, "-c", MAKE, str(logo)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()

"""Both reports in a browser: for everybody, on a telephone too, without a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from scorecard import ScoringListClassifier, evaluate, make_report

AGES = [20 + 3 * (row % 25) for row in range(200)]
TABLE = pl.DataFrame({"age": AGES, "ill": [age + 7 * (age % 5) > 70 for age in AGES]})


def report(kind: str) -> str:
    learner = ScoringListClassifier(max_questions=2)
    if kind == "resampled":
        return make_report(evaluate(learner, TABLE, "ill", splits=2, jobs=1)).decode()
    model = learner.fit(TABLE.select("age"), TABLE["ill"])
    return make_report(evaluate(model, TABLE.head(120), "ill")).decode()


@pytest.mark.parametrize("kind", ["resampled", "external"])
def test_the_report_is_for_everybody(tabs: Callable[..., Any], kind: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    tab = tabs(viewport={"width": 320, "height": 900})
    page = tab.open_text(report(kind))
    results = axe.run(page)
    assert results.violations_count == 0, results.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    assert page.locator("section").first.get_attribute("class").startswith("verdict")

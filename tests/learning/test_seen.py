"""What a learned list says of the numbers that it has seen."""

import numpy as np
import polars as pl
import pytest

from scorecard import ScoringListClassifier
from scorecard.core.evidence import Seen
from tests.learning.lazy_tables import random_cases


@pytest.mark.parametrize("missing", ["unknown", "question"])
def test_the_centiles_are_those_of_the_cases_that_have_a_value(missing: str) -> None:
    gone = pl.int_range(500) % 3 == 0
    table = random_cases(3, 500).with_columns(lab=pl.when(~gone).then("lab"))
    inputs = table.select("age", "lab", "flag", "site")
    model = ScoringListClassifier(max_questions=3, folds=2, missing=missing, fixed=["age", "lab"])
    learned = model.fit(inputs, table["outcome"].to_numpy()).scoring_list_
    assert {one.input for one in learned.seen} == {"age", "lab"}
    for one in learned.seen:
        known = table[one.input].drop_nulls()
        low, high = np.quantile(known, [0.01, 0.99], method="inverted_cdf")
        assert one == Seen(one.input, low, high, known.min(), known.max())


def test_a_few_wrong_values_do_not_widen_what_was_seen() -> None:
    table = random_cases(3, 500)
    mistyped = table.with_columns(age=pl.when(pl.int_range(500) < 3).then(999).otherwise("age"))
    within = []
    for one in (table, mistyped):
        model = ScoringListClassifier(max_questions=0, fixed=["age"], cutoffs=4)
        learned = model.fit(one.select("age"), one["outcome"].to_numpy()).scoring_list_
        within.append(learned.seen[0].within)
    assert within[1] == pytest.approx(within[0], rel=0.1)

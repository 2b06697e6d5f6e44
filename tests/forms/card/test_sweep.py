"""Every list on every paper: refused with a reason, or the printed card decides like the list.

A few random lists each time; `make sweep` tries 200, and counts the refusals by their reason.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.forms.card.contents import CardOptions
from scorecard.forms.card.make import Paper
from scorecard.forms.card.sizes import SIZES
from tests.forms.card.sweep import ASKED, LISTS, ON_SHEETS, PAPERS, examples, outcome

LIMITS = {
    "centor": StoppingPolicy(0.1, 0.5, by="point"),
    "curb-65": StoppingPolicy(0.02, 0.2, by="point"),
    "marburg-heart-score": StoppingPolicy(0.1, 0.2, by="point"),
    "table-1": StoppingPolicy(0.1, 0.9, by="point"),
    "model": StoppingPolicy(),
}


@pytest.mark.parametrize("name", LIMITS)
def test_the_examples_fit_on_every_size(root: Path, name: str) -> None:
    scoring_list = examples(root)[name]
    for number, size in enumerate(SIZES):
        options = CardOptions(language=("en", "de")[number % 2], identity="3f9a1c00")
        assert outcome(scoring_list, LIMITS[name], options, Paper(size)) == "printed", size


# A failing list is shown as it is: shrinking one would take minutes.
@settings(
    max_examples=max(LISTS * len(PAPERS), settings.default.max_examples // 5),
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(ASKED, st.sampled_from(PAPERS + ON_SHEETS))
def test_any_list_on_any_paper(
    asked: tuple[ScoringList, StoppingPolicy, CardOptions], paper: Paper
) -> None:
    outcome(*asked, paper)

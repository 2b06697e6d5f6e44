# ruff: noqa: T201 (it is a command)
"""Random lists with substitutes and unknown answers, in every form: each has to decide alike.

`python -m tests.forms.sweep 300` prints how many lists were tried in each form. Workbooks are
recalculated, the handout is read and its script runs in Node; of some lists the card is read too.
The tests try fewer lists, with stranger texts.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice

from scorecard.api import make_card, make_handout
from scorecard.core.staircase import Staircase
from scorecard.forms.found import Work
from scorecard.forms.printed import found
from tests.forms.compared import differences, differences_in, staircase_or_none
from tests.forms.test_agreement import QUICK
from tests.running.calculators import script_form
from tests.running.workbooks import differences_of_book
from tests.test_reader import random_list, random_policy

CARDS = 10  # one in so many lists is printed, too: finding its layout takes longest

Files = Iterator[tuple[str, list[str]]]


def staircases(first: int = 0) -> Iterator[Staircase]:
    """Lists that ask for something with a substitute, from this seed on."""
    for seed in count(first):
        chance = random.Random(seed)
        found = staircase_or_none(random_list(chance), random_policy(chance))
        if found is not None and any(question.if_unknown for question in found.questions):
            yield found


def files(staircase: Staircase, with_card: bool) -> Files:
    """The name of each form, and where it differs from the list."""
    listed, policy = staircase.scoring_list, staircase.policy
    for form, (name, run) in QUICK.items():
        yield form, differences(staircase, name, run)
    yield "excel", differences_of_book(staircase, all_cases=False)
    if with_card:
        card = make_card(listed, "html", policy=policy)
        yield "card", read_back(card, staircase)
    handout = make_handout(listed, policy=policy)
    yield "handout", read_back(handout, staircase)
    yield "its script", differences_in(handout, staircase, script_form)


def read_back(page: bytes, staircase: Staircase) -> list[str]:
    """Where a page, read without the one it should be, decides otherwise than the list."""
    return list(found(page, None, Work(staircase)).faults)


def main() -> int:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    tried: Counter[str] = Counter()
    wrong = 0
    for number, staircase in enumerate(islice(staircases(first), wanted), 1):
        for form, faults in files(staircase, number % CARDS == 0):
            tried[form] += 1
            wrong += bool(faults)
            if faults:
                print(f"list {number}, {form}: {faults[0]}")
        if number % 20 == 0 or number == wanted:
            print(f"{number} lists, {wrong} disagreements: {dict(tried)}", flush=True)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())

"""Where long words may be broken: soft hyphens by the rules of a language."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

SOFT_HYPHEN = "\N{SOFT HYPHEN}"
SHORTEST = 10  # letters of a word worth breaking
APART = 4  # letters that stay together at its beginning and its end
_LONG = re.compile(rf"[^\W\d_]{{{SHORTEST},}}")


def hyphenated(text: str, code: str) -> str:
    """The text with soft hyphens in its long words; as it is where nobody knows the rules.

    Examples
    --------
    >>> hyphenated("Spezialambulanz", "de").split(SOFT_HYPHEN)
    ['Spezi', 'al', 'am', 'bu', 'lanz']
    """
    rules = _rules(code)
    if rules is None:
        return text
    return _LONG.sub(lambda word: _broken(word[0], rules), text)


def _broken(word: str, rules: Any) -> str:
    places = [place for place in rules.positions(word) if APART <= place <= len(word) - APART]
    # One letter between two breaks is a fault of the rules: "Gefä-ß-verengung".
    places = [place for place in places if place + 1 not in places]
    ends = zip([0, *places], [*places, len(word)], strict=True)
    return SOFT_HYPHEN.join(word[start:end] for start, end in ends)


@lru_cache(maxsize=8)
def _rules(code: str) -> Any:
    import pyphen  # few forms have boxes to fit words into

    known = pyphen.language_fallback(code)
    return pyphen.Pyphen(lang=known) if known else None

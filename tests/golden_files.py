"""Files that are kept as they come out, so that every change of them is seen and meant."""

import os
from pathlib import Path

RENEWING = "meant? run this test with UPDATE_GOLDEN=1, and look at what changed"


def compared(file: Path, made: str) -> str:
    """The text of a kept file; with UPDATE_GOLDEN=1 what was made is kept from now on."""
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(made, encoding="utf-8")
    return file.read_text(encoding="utf-8")

"""What all tests share: how hypothesis searches, and the reference data where they are at hand."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# The same examples on every run: a red test is red for everybody. No deadline: compiled loops and
# busy machines make single examples slow. `HYPOTHESIS_PROFILE=thorough` looks further, at random.
settings.register_profile("default", derandomize=True, deadline=None, max_examples=100)
settings.register_profile("thorough", derandomize=False, deadline=None, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the reference data beside the repository; without it the test is skipped."""
    folder = ROOT.parent / "shared"
    if not (folder / "reference").is_dir():
        pytest.skip(f"the reference data are not beside the repository ({folder})")
    return folder


@pytest.fixture(scope="session")
def pango() -> None:
    """What WeasyPrint draws with; where it is missing, tests of PDFs are skipped."""
    try:
        import weasyprint  # noqa: F401 - importing it opens the libraries
    except OSError as error:
        pytest.skip(f"Pango is missing: {error}")

"""What all tests share: how hypothesis searches, and the reference data where they are at hand."""

import faulthandler
import os
import signal
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from tests.exhaustive import many

# Who watches over a run (.ci/guard.py) asks with this signal where everybody stands.
RUNNING = os.environ.get("SCORECARD_RUNNING")
if RUNNING and hasattr(signal, "SIGUSR1"):
    STACKS = (Path(RUNNING) / f"{os.getpid()}.stacks").open("w", encoding="utf-8")
    faulthandler.register(signal.SIGUSR1, file=STACKS, all_threads=True)

ROOT = Path(__file__).resolve().parent.parent

# The same examples on every run: a red test is red for everybody. No deadline: busy machines make
# single examples slow. `HYPOTHESIS_PROFILE=thorough` looks further, at random.
settings.register_profile("default", derandomize=True, deadline=None, max_examples=many(100))
settings.register_profile("thorough", derandomize=False, deadline=None, max_examples=5_000)
# Whoever only wants to know whether a test fails need not wait for its smallest example.
settings.register_profile(
    "unshrunk",
    derandomize=True,
    deadline=None,
    max_examples=many(100),
    phases=[Phase.explicit, Phase.generate],
    report_multiple_bugs=False,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


# What takes long: browsers, printed pages, whole pages of examples, fresh environments, many lists.
SLOW = {
    "benchmarks", "browser", "cli/test_card.py", "cli/test_demo.py",
    "cli/test_evaluate.py", "cli/test_first_mistakes.py", "cli/test_fit.py",
    "cli/test_handout.py", "cli/test_interrupting.py", "cli/test_main.py", "cli/test_output.py",
    "evaluation", "examples", "forms", "learning/test_classifier.py",
    "learning/test_estimator_checks.py",
    "learning/test_reference.py", "learning/test_search.py", "running", "studio",
    "test_docstrings.py",
    "test_packaging.py", "test_pages.py", "test_quality.py", "test_question_kinds.py",
    "test_readme.py", "test_startup.py",
}  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow, and give a browser less patience: each of its tests could hang."""
    for item in items:
        place = item.path.relative_to(ROOT / "tests").as_posix() if _says_scorecard(item) else ""
        if place in SLOW or place.split("/")[0] in SLOW:
            item.add_marker(pytest.mark.slow)
        if place.startswith("browser/"):
            item.add_marker(pytest.mark.timeout(300))


def _says_scorecard(item: pytest.Item) -> bool:
    return item.path.is_relative_to(ROOT / "tests")


def pytest_runtest_logstart(nodeid: str) -> None:
    """Leave the name of the test where the guard finds it."""
    if RUNNING and Path(RUNNING).is_dir():
        (Path(RUNNING) / str(os.getpid())).write_text(nodeid, encoding="utf-8")


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder with published figures and vectors."""
    return ROOT / "tests" / "reference"


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

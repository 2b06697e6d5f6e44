import os
import stat
import sys

import numba

from scorecard.learning import compiled
from tests import processes
from tests.exhaustive import only_exhaustive

LEARN = """
import numpy as np
from scorecard.learning.classifier import ScoringListClassifier
X, said = np.arange(40.0).reshape(20, 2), []
model = ScoringListClassifier().watch(announce=said.append)
model.fit(X, np.arange(20) >= 10)
print(len(model.questions_), len(said))
"""


def test_a_start_from_the_cache_compiles_nothing():
    import scorecard.learning.kernels  # noqa: F401 - now it is in the cache

    done = processes.run([sys.executable, "-c", LEARN], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "0"]


@only_exhaustive
def test_it_works_where_nothing_can_be_cached(root, tmp_path):
    # a file stands where each cache folder would have to be made
    blocked = tmp_path / "blocked"
    blocked.touch()
    package = tmp_path / "site" / "scorecard"
    package.parent.mkdir()
    _copy(root / "scorecard", package)
    (package / "learning" / "__pycache__").touch()
    environment = os.environ | {
        "PYTHONPATH": str(package.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(blocked),
        "XDG_CACHE_HOME": str(blocked),
    }
    script = LEARN.replace(
        "import numpy", "import scorecard; print(scorecard.__file__)\nimport numpy"
    )
    done = processes.run(
        [sys.executable, "-c", script],
        capture_output=True, text=True, check=True, env=environment, cwd=tmp_path,
    )  # fmt: skip
    where, questions, announcements = done.stdout.split()
    assert where.startswith(str(tmp_path))
    assert (questions, announcements) == ("2", "1")


def _copy(source, target):
    for path in source.rglob("*.py"):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
        copy.chmod(stat.S_IRUSR)


def test_only_what_is_compiled_is_announced_and_once():
    said = []
    with compiled.announced(said.append):
        numba.njit("int64(int64)")(lambda x: x + 1)
        numba.njit("int64(int64)")(lambda x: x + 2)
    assert said == [compiled.ANNOUNCEMENT]
    with compiled.announced(said.append):
        pass
    assert len(said) == 1

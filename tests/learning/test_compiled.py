import logging
import os
import stat
import subprocess
import sys
import time

from scorecard.learning import compiled

LEARN = """
import time
import numpy as np
from scorecard.learning.classifier import ScoringListClassifier
X, said = np.arange(40.0).reshape(20, 2), []
model = ScoringListClassifier().watch(announce=said.append)
before = time.process_time()
model.fit(X, np.arange(20) >= 10)
print(time.process_time() - before, len(model.questions_), len(said))
"""


def test_a_cached_start_is_quick():
    import scorecard.learning.kernels  # noqa: F401 - now it is in the cache

    done = subprocess.run([sys.executable, "-c", LEARN], capture_output=True, text=True, check=True)
    seconds, questions, _ = done.stdout.split()
    assert float(seconds) < 1
    assert questions == "1"


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
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True, text=True, check=True, env=environment, cwd=tmp_path,
    )  # fmt: skip
    where, seconds, questions, announcements = done.stdout.split()
    assert where.startswith(str(tmp_path))
    assert float(seconds) < 15  # compiled from nothing, and announced
    assert (questions, announcements) == ("1", "1")


def _copy(source, target):
    for path in source.rglob("*.py"):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
        copy.chmod(stat.S_IRUSR)


def test_only_a_slow_start_is_announced(monkeypatch, caplog):
    caplog.set_level(logging.INFO)
    said = []
    monkeypatch.setattr(compiled, "PATIENCE", 0.05)
    with compiled.announced(said.append):
        time.sleep(0.5)
    assert said == [compiled.ANNOUNCEMENT]
    monkeypatch.setattr(compiled, "PATIENCE", 5)
    with compiled.announced(said.append):
        pass
    assert len(said) == 1

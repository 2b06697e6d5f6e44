"""A table, and a client that talks to the studio as its page does."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

TOKEN, PORT = "a-token", 8765


def cases(count: int = 300) -> str:
    """Numbers, categories, yes and no, gaps, a date, an id and a leak."""
    chance = random.Random(1)
    lines = ["patient_id,admitted,age,crp,site,fever,discharged_dead,ill"]
    for number in range(count):
        age, crp = chance.gauss(55, 15), chance.expovariate(1 / 20)
        fever = "" if chance.random() < 0.1 else chance.choice(["yes", "no"])
        ill = chance.gauss(0, 1) < (age - 55) / 20 + (crp - 20) / 15 + (fever == "yes") - 0.8
        leak = "dead" if ill else "alive"
        values = (
            f"P{number:05}", f"2024-01-{1 + number % 28:02}", f"{age:.0f}", f"{crp:.1f}",
            chance.choice("abc"), fever, leak, "yes" if ill else "no",
        )  # fmt: skip
        lines.append(",".join(values))
    return "\n".join(lines)


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("studio") / "cases.csv"
    file.write_text(cases(), encoding="utf-8")
    return file


class Studio:
    """The studio without a browser: what the page sends, and what it gets."""

    def __init__(self) -> None:
        from starlette.testclient import TestClient

        from scorecard.studio.app import studio_app
        from scorecard.studio.session import Session

        self.session = Session()
        self.client = TestClient(
            studio_app(self.session, TOKEN, PORT),
            base_url=f"http://127.0.0.1:{PORT}",
            headers={"x-studio-token": TOKEN},
        )

    def post(self, what: str, **asked: Any) -> Any:
        """The state that comes back; a refusal fails the test."""
        answer = self.client.post(f"/api/{what}", json=asked)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, what: str, **asked: Any) -> str:
        """Why it is refused."""
        answer = self.client.post(f"/api/{what}", json=asked)
        assert answer.status_code in (400, 422), answer.text
        return str(answer.json()["error"])

    def upload(self, name: str, content: bytes) -> Any:
        return self.client.post("/api/table", params={"name": name}, content=content)

    def learned(self, table: Path) -> Any:
        """The state with the list of a table on the bench."""
        self.upload(table.name, table.read_bytes())
        self.post("outcome", name="ill")
        return self.post("learn")

    def edit(self, do: str, **asked: Any) -> Any:
        return self.post("edit", do=do, **asked)["bench"]


@pytest.fixture
def studio() -> Iterator[Studio]:
    pytest.importorskip("starlette", reason='python -m pip install "psl-scorecard[studio]"')
    made = Studio()
    with made.session:
        yield made


@pytest.fixture
def new_studio() -> Iterator[Callable[[], Studio]]:
    pytest.importorskip("starlette", reason='python -m pip install "psl-scorecard[studio]"')
    made: list[Studio] = []

    def new() -> Studio:
        made.append(Studio())
        return made[-1]

    yield new
    for one in made:
        one.session.__exit__()

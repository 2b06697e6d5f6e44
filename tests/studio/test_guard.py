"""Only the page that the server gave out may talk to it, and nothing it sends is a path."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorecard.studio import guard
from tests.studio.conftest import PORT, TOKEN, Studio

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>'


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": f"evil.example:{PORT}"}, 421),
        ({"host": "127.0.0.1:1"}, 421),
        ({"host": ""}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": f"http://127.0.0.1:{PORT + 1}"}, 403),
        ({"origin": f"https://127.0.0.1:{PORT}"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"x-studio-token": ""}, 401),
        ({"x-studio-token": TOKEN + "x"}, 401),
        ({"x-studio-token": "é".encode("latin-1")}, 401),
        ({"origin": f"http://127.0.0.1:{PORT}"}, 200),
        ({"host": f"localhost:{PORT}", "origin": f"http://localhost:{PORT}"}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
    ],
)
def test_only_its_own_page_is_answered(
    studio: Studio, headers: dict[str, str], status: int
) -> None:
    for method, path in (("GET", "/api/state"), ("POST", "/api/look")):
        answer = studio.client.request(method, path, headers=headers, content=b"{}")
        assert answer.status_code == status, path


def test_no_answer_may_be_read_by_another_page(studio: Studio) -> None:
    for path in ("/", "/api/state", "/frame/none", "/nothing"):
        answer = studio.client.options(path, headers={"origin": "https://evil.example"})
        assert answer.status_code == 403
        plain = studio.client.get(path)
        assert "access-control-allow-origin" not in plain.headers
        assert plain.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in plain.headers["content-security-policy"]
        assert "unsafe" not in plain.headers["content-security-policy"] or "frame" in path
        assert plain.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/..%2fpyproject.toml",
        "/static/../../x",
        "/app.py",
        "//etc/passwd",
        "/frame/..%2f..%2fetc",
        "/%2e%2e/%2e%2e/etc/passwd",
    ],
)
def test_no_address_is_a_path(studio: Studio, path: str) -> None:
    assert studio.client.get(path).status_code == 404


@pytest.mark.parametrize(
    "name",
    [
        "../cases.csv",
        "..\\cases.csv",
        "/etc/cases.csv",
        "C:cases.csv",
        ".csv",
        "",
        "a\0.csv",
        "x" * 300 + ".csv",
        "cases.exe",
        "card.toml",
        "..",
        "a\nb.csv",
    ],
)
def test_the_name_of_a_table_is_no_path(studio: Studio, name: str) -> None:
    answer = studio.upload(name, b"a,b\n1,2\n")
    assert answer.status_code == 422
    assert "expected .csv" in answer.json()["error"]
    assert list(studio.session.folder.iterdir()) == []


def test_a_table_that_says_it_is_large_is_refused_unread(studio: Studio) -> None:
    headers = {"content-length": str(2**30)}
    answer = studio.client.post("/api/table?name=a.csv", content=b"a", headers=headers)
    assert answer.status_code == 413
    assert "command line" in answer.json()["error"]


def test_a_table_that_does_not_say_how_large_it_is_ends_where_too_much_came(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "MOST_BYTES", 10_000)

    def blocks() -> Iterator[bytes]:
        yield from (b"a,b\n" * 1000 for _ in range(100))

    answer = studio.client.post("/api/table?name=a.csv", content=blocks())
    assert answer.status_code == 413
    assert studio.session.project is None


def test_what_the_page_asks_is_small(studio: Studio) -> None:
    answer = studio.client.post("/api/look", content=b" " * (guard.MOST_BYTES_ASKED + 1))
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"do":"rm"}', b'{"do":"points","row":"x"}', b"\xff", b"null"]
)
def test_what_is_no_edit_is_refused(studio: Studio, table: Path, body: bytes) -> None:
    studio.learned(table)
    answer = studio.client.post("/api/edit", content=body)
    assert answer.status_code == 400


def test_hostile_words_stay_words_and_the_card_cannot_run(studio: Studio, table: Path) -> None:
    row = studio.learned(table)["bench"]["rows"][0]
    bench = studio.edit("word", name=row["input"], key="label", text=HOSTILE)
    bench = studio.edit("word", key="title", text=HOSTILE)
    assert bench["card"]
    answer = studio.client.get(bench["card"])
    assert HOSTILE not in answer.text
    assert "&lt;script&gt;" in answer.text
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox;")
    assert "script" not in policy


def test_a_card_is_found_by_its_ticket_alone(studio: Studio, table: Path) -> None:
    card = studio.learned(table)["bench"]["card"]
    assert len(card) > 20
    assert studio.client.get(card).status_code == 200
    assert studio.client.get("/frame/x").status_code == 404
    other = {"sec-fetch-site": "cross-site"}
    assert studio.client.get(card, headers=other).status_code == 403


def test_nothing_is_left_behind(studio: Studio, table: Path) -> None:
    studio.learned(table)
    folder = studio.session.folder
    assert any(folder.rglob("cases.csv"))
    studio.session.__exit__()
    assert not folder.exists()

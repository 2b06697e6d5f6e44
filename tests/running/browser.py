"""Drive the calculator of a handout in a real browser, through its own buttons and fields.

The page is served from this machine to a browser without a window, inside a frame, untouched. A
script around it presses the buttons and types the values that it is told, and sends back what the
page shows then. Every request of the browser arrives here, so one that nobody expects is a fault.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

from scorecard.core.evidence import outside
from scorecard.core.model import Answer, Question
from scorecard.core.question import inputs_of, settled_answers, with_substitutes
from scorecard.core.staircase import FIGURES, Staircase
from scorecard.errors import AnswerError
from scorecard.forms.card.rows import KINDS
from scorecard.forms.found import Found, NotRunError, UnusableError, Work, difference
from scorecard.forms.handout.calculator import TURNED, calculator_texts
from scorecard.forms.printed import language_of
from scorecard.forms.test_cases import CaseResult, edges, paths, probes, result_of
from scorecard.printing.finished import record_in
from scorecard.words.wording import Wording
from tests import processes

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
)
SECONDS = 300  # longer than any handout takes; a page that hangs is not waited for

AROUND = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<iframe id="page" src="/page"></iframe>
<script>
const frame = document.getElementById("page");
const complaints = [];
frame.addEventListener("load", async () => {
  const page = frame.contentDocument, seen = frame.contentWindow;
  // Moving the focus makes the browser lay out the page anew each time, and nobody is looking.
  seen.HTMLElement.prototype.focus = () => {};
  seen.addEventListener("error", (event) => complaints.push(String(event.message)));
  page.addEventListener("securitypolicyviolation", (event) => complaints.push(event.blockedURI));
  const find = (say) => page.querySelector(`#panel [data-say="${say}"]`);
  const act = {
    press: (say) => {
      if (find(say)) find(say).click();
      else if (say !== "restart") complaints.push(`it has no button ${say}`);
    },
    type: (text) => {
      page.getElementById("value").value = text;
      page.querySelector("#panel form [type=submit]").click();
    },
  };
  const look = () => {
    const state = page.getElementById("state");
    const fact = (name) => (state.querySelector(`.${name} dd`) || {}).textContent;
    const heading = (page.getElementById("now") || {}).textContent;
    return { ...state.dataset, total: fact("total"), risk: fact("risk"), heading };
  };
  let told;
  try {
    const ways = await (await fetch("/ways")).json();
    const ends = ways.map((way) => way.map(([kind, what]) => (act[kind](what), look())).pop());
    const broken = page.getElementById("broken");
    if (broken && !broken.hidden) complaints.push(broken.textContent);
    told = { ends, complaints };
  } catch (error) {
    told = { ends: [], complaints: [...complaints, String(error)] };
  }
  await fetch("/told", { method: "POST", body: JSON.stringify(told) });
});
</script>
"""


def find_browser() -> str | None:
    """The program of a browser that can be driven, if there is one."""
    named = os.environ.get("SCORECARD_BROWSER")
    places = (place for place in BROWSER_PLACES if Path(place).exists())
    return named or next(filter(None, map(shutil.which, BROWSERS)), None) or next(places, None)


def driven(html: bytes, work: Work) -> Found:
    """Where the calculator shows something else after any of the ways through it."""
    browser = find_browser()
    if browser is None:
        raise NotRunError("no chromium is installed; its script was run in Node if that is there")
    record = record_in(html)
    language = language_of(record, work) if record else None
    if language is None:
        raise NotRunError("its words are somebody's own")
    wording = Wording.of(work.staircase, language)
    ways = list(_ways(work, comma=wording.language.decimal_mark == ","))
    told = _driven(browser, html, [way.actions for way in ways])
    faults = [f"in a browser: {complaint}" for complaint in told["complaints"]]
    texts = calculator_texts(work.staircase, wording, "", "")
    faults += [
        fault
        for way, end in zip(ways, told["ends"], strict=False)
        for fault in _text_faults(way, end, texts)
    ]
    if len(told["ends"]) != len(ways) and not faults:
        faults = [f"in a browser it shows {len(told['ends'])} results of {len(ways)}"]
    assert told["ends"]
    for way, end in zip(ways, told["ends"], strict=False):
        if wrong := difference(_shown(end), way.result()):
            faults.append(f"{way.told()}: {wrong}")
    return Found(faults=faults)


def _text_faults(way: _Way, end: dict[str, Any], texts: dict[str, Any]) -> Iterator[str]:
    """Where the page writes something else than it has decided."""
    outcome = way.staircase.decide(way.given, sharpen=way.sharpen)
    if not way.is_open():
        decision = texts["decisions"][KINDS.get(outcome.decision, "unknown")]
        if not str(end["heading"]).endswith(decision):
            yield f"{way.told()}: it says {end['heading']!r} instead of {decision!r}"
    if outcome.total is not None:
        due = texts["boxes"][outcome.stage][str(outcome.total)]
        # Unknown answers may end with one total in two boxes, after more and after fewer questions.
        is_one_box = outcome.lowest == outcome.highest
        risk = due["risk"] if is_one_box else ""
        if end["total"] != due["total"] or not str(end["risk"]).startswith(risk):
            yield f"{way.told()}: it shows total {end['total']}, risk {end['risk']}"


def _shown(end: dict[str, Any]) -> CaseResult:
    low, high = int(end["low"]), int(end["high"])
    total = low if low == high else None
    low, high = int(end["low"]), int(end["high"])
    total = low if low == high else None
    told: list[Any] = [end["decision"], int(end["stage"]), total]
    told += [None if end[name] == "null" else float(end[name]) for name in FIGURES]
    outside = tuple(sorted({*json.loads(end["outside"])}))
    return CaseResult(*told, outside=outside)


# Ways through the calculator ----------------------------------------------------------------------


@dataclass
class _Way:
    """Buttons pressed and values typed, and the answers that the page has then."""

    staircase: Staircase
    actions: list[tuple[str, str]] = field(default_factory=lambda: [("press", "restart")])
    given: list[Answer] = field(default_factory=list)
    follows: list[bool] = field(default_factory=list)
    typed: dict[str, str] = field(default_factory=dict)
    sharpen: bool = False

    @property
    def questions(self) -> tuple[Question, ...]:
        return (*self.staircase.questions, *self.staircase.sharpening_questions)

    def is_open(self) -> bool:
        decision = self.staircase.decide(self.given, sharpen=self.sharpen).decision
        more = len(self.given) < len(self.questions)
        return decision == "go on" or (self.sharpen and decision == "undecided" and more)

    def press(self, answer: Answer) -> bool:
        """Answer the next question by a button; false if the page has none that says this.

        Where the answer is unknown, so is that to the substitute.
        """
        question = self.questions[len(self.given)]
        if answer is None and question.condition.is_presence:
            return False
        self._press(question, answer)
        if answer is None and question.instead:
            self._press(question.instead, None)
        self._take(answer)
        return True

    def press_instead(self, answer: bool) -> None:
        """Say that the next question is unknown, and answer its substitute by a button."""
        other = self._ask_instead()
        self._press(other, answer)
        self._take(answer)

    def _ask_instead(self) -> Question:
        question = self.questions[len(self.given)]
        assert question.instead is not None
        self._press(question, None)
        return question.instead

    def _press(self, question: Question, answer: Answer) -> None:
        turned = question.condition.kind in TURNED
        self.actions.append(("press", "unknown" if answer is None else _word(answer != turned)))

    def type(self, value: str, *, comma: bool, instead: bool = False) -> None:
        question = self._ask_instead() if instead else self.questions[len(self.given)]
        self.actions.append(("type", value.replace(".", ",") if comma else value))
        self.typed[question.input] = value
        self._take(question.answer(value))

    def back(self) -> None:
        self.actions.append(("press", "back"))
        while self.follows.pop():
            self.given.pop()
        self.given.pop()
        self.typed = {}
        self.sharpen = self.sharpen and len(self.given) >= len(self.staircase.questions)

    def go_on(self) -> None:
        self.actions.append(("press", "sharpen"))
        self.sharpen = True
        self._settle()

    def _take(self, answer: Answer) -> None:
        self.given.append(answer)
        self.follows.append(False)
        self._settle()

    def _settle(self) -> None:
        """Answer what earlier answers settle, as the page does."""
        settled = settled_answers(self.questions)
        while self.is_open():
            place = len(self.given)
            asked = self.questions[place]
            if self.typed.keys() & set(inputs_of([asked])):
                self.given.append(asked.answer_in(self.typed))
            else:
                found = [
                    later[place]
                    for (earlier, answer), later in settled.items()
                    if place in later and self.given[earlier] is answer
                ]
                if not found:
                    return
                self.given.append(found[0])
            self.follows.append(True)

    def result(self) -> CaseResult:
        """What the page has to show."""
        result = result_of(self.staircase, self.given, sharpen=self.sharpen)
        strange = outside(self.staircase.scoring_list.seen, self.questions, self.typed)
        return replace(result, outside=tuple(sorted(strange)))

    def told(self) -> str:
        """What was done, for messages."""
        return "in a browser, " + ", ".join(what for _, what in self.actions[1:])


def _word(yes: bool) -> str:
    return "yes" if yes else "no"


def _ways(work: Work, *, comma: bool) -> Iterator[_Way]:
    staircase = work.staircase
    for answers, sharpen in [(way, False) for way in work.walks] + [
        (way, True) for way in work.sharpened
    ]:
        way = _pressed(staircase, answers, sharpen=sharpen)
        yield way
        if len(way.actions) > 1 and way.actions[-1] != ("press", "sharpen"):
            back = _pressed(staircase, answers, sharpen=sharpen)
            back.back()
            yield back
    firsts: dict[int, Sequence[Answer]] = {}
    for path in paths(staircase).values():
        firsts.setdefault(len(path), path)
    for place, question in enumerate(staircase.questions):
        for asked in with_substitutes([question]):
            values = (*probes(asked), *edges(staircase, asked))
            for value in values if asked.condition.is_numeric else ():
                way = _pressed(staircase, firsts[place])
                if len(way.given) == place and way.is_open() and _can_be_typed(value, comma=comma):
                    way.type(value, comma=comma, instead=asked is not question)
                    yield way
        for answer in (True, False) if question.instead else ():
            way = _pressed(staircase, firsts[place])
            if len(way.given) == place and way.is_open():
                way.press_instead(answer)
                yield way


def _can_be_typed(value: str, *, comma: bool) -> bool:
    """ "1,500" may be meant as one and a half or as fifteen hundred: the page asks again."""
    whole, _, decimals = value.partition(".")
    return not comma or len(decimals) != 3 or len(whole) > 3


def _pressed(staircase: Staircase, answers: Sequence[Answer], *, sharpen: bool = False) -> _Way:
    way = _Way(staircase)
    while len(way.given) < len(answers):
        if not way.is_open() and sharpen and not way.sharpen and _is_undecided(way):
            way.go_on()
            continue
        try:
            if not way.is_open() or not way.press(answers[len(way.given)]):
                break
        except AnswerError:
            break
    return way


def _is_undecided(way: _Way) -> bool:
    return way.staircase.decide(way.given).decision == "undecided"


# The browser --------------------------------------------------------------------------------------


def _driven(browser: str, html: bytes, ways: Sequence[Sequence[tuple[str, str]]]) -> dict[str, Any]:
    done = Event()
    told: dict[str, Any] = {}
    strangers: list[str] = []

    answers = {
        "/": ("text/html; charset=utf-8", AROUND.encode()),
        "/page": ("text/html; charset=utf-8", html),
        "/ways": ("application/json", json.dumps(ways).encode()),
    }

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path not in answers:
                strangers.append(f"it asks for {self.path}")
                self.send_error(404)
                return
            kind, content = answers[self.path]
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            if self.path == "/told" and not told:
                told.update(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                done.set()
            else:
                strangers.append(f"it sends something to {self.path}")
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Requests are compared, not logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        _open(browser, f"http://127.0.0.1:{server.server_port}/", done)
    finally:
        server.shutdown()
        server.server_close()
    told.setdefault("ends", [])
    told["complaints"] = [*told.get("complaints", ()), *strangers]
    return told


def _open(browser: str, address: str, done: Event) -> None:
    """Show the address in a browser without a window until it is done."""
    # Chromium refuses its sandbox to root, who owns many containers.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [
            *(browser, "--headless", "--disable-gpu", "--no-first-run", "--no-proxy-server"),
            *("--disable-extensions", "--disable-background-networking", "--disable-sync"),
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            *(["--no-sandbox"] if is_root else []),
            f"--user-data-dir={folder}",
            "--remote-debugging-port=0",  # it stays open until it is ended
            address,
        ]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with processes.started(command, **quiet):
            if not done.wait(SECONDS):
                raise UnusableError(f"in a browser it did not finish within {SECONDS} seconds")

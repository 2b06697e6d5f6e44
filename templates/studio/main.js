// The page: where one is, what the server says there is, and who draws it.

import { h } from "./dom.js";
import * as server from "./server.js";
import { tableStep, outcomeStep, columnsStep, limitsStep } from "./steps.js";
import { benchStep } from "./bench.js";
import { filesStep } from "./files.js";

const STEPS = [
  ["table", "Table", tableStep, () => true],
  ["outcome", "Outcome", outcomeStep, (state) => state.table],
  ["columns", "Columns", columnsStep, (state) => state.columns],
  ["limits", "Limits", limitsStep, (state) => state.columns],
  ["list", "List and card", benchStep, (state) => state.bench],
  ["files", "Files", filesStep, (state) => state.bench],
];
const POLL = 1200;

const page = { state: null, step: "table", sent: 0, busy: 0, gone: false, open: null, made: null };

export function go(step) {
  page.step = step;
  notice("");
  draw();
  document.getElementById("main").focus();
  scrollTo(0, 0);
}

export function notice(text) {
  const place = document.getElementById("notice");
  place.replaceChildren(...(text ? [h("p", null, text), h("button", { type: "button", class: "plain", "aria-label": "Close", onclick: () => notice("") }, "×")] : []));
}

export function say(text) {
  document.getElementById("said").textContent = text;
}

// Do something that gives a new state. Of several at once only the last one is drawn.
export async function change(work, then) {
  page.sent += 1;
  const number = page.sent;
  busy(1);
  try {
    const found = await work();
    if (found && number === page.sent) {
      page.state = found;
      page.made = null;
      notice("");
      if (then) page.step = then;
      draw();
      if (then) {
        document.getElementById("main").focus();
        scrollTo(0, 0);
      }
    }
    return true;
  } catch (error) {
    await failed(error, number);
    return false;
  } finally {
    busy(-1);
  }
}

async function failed(error, number) {
  page.gone = error instanceof server.Gone;
  if (number === page.sent && !page.gone) {
    const found = await server.state().catch(() => null);
    if (found) page.state = found;
    draw();
  }
  notice(error.message);
}

export function busy(by) {
  page.busy += by;
  if (!page.busy) tellProgress(0);
  document.body.classList.toggle("busy", page.busy > 0);
  document.getElementById("main").setAttribute("aria-busy", page.busy > 0);
}

function reached() {
  return STEPS.filter(([, , , there]) => page.state && there(page.state)).map(([name]) => name);
}

function drawSteps() {
  const there = reached();
  document.getElementById("steps").replaceChildren(
    ...STEPS.map(([name, words], place) =>
      h("li", null,
        h("button", { type: "button", "data-key": `step-${name}`, "aria-current": name === page.step ? "step" : null, disabled: !there.includes(name), onclick: () => go(name) },
          h("span", { class: "number", "aria-hidden": "true" }, place + 1), words))),
  );
}

// What is there already stays where it is: a frame that is moved loads again.
export function show(main, parts) {
  for (const one of [...main.children]) if (!parts.includes(one)) one.remove();
  parts.forEach((one, place) => main.children[place] === one || main.insertBefore(one, main.children[place] ?? null));
}

// The page is drawn anew; the focus stays on what has the same key.
export function draw() {
  if (!page.state) return;
  if (!reached().includes(page.step)) page.step = reached().at(-1);
  const focused = document.activeElement?.dataset?.key;
  drawSteps();
  const [, , step] = STEPS.find(([name]) => name === page.step);
  const main = document.getElementById("main");
  main.className = page.step;
  show(main, step(page, main.querySelector(".beside")).flat().filter(Boolean));
  if (focused) document.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

const here = document.querySelector(".here");
const calm = here.textContent;

// How far a long count is; a short one is over before it is told.
function tellProgress(progress) {
  here.classList.toggle("working", page.busy > 0);
  here.textContent = page.busy ? `Working … ${Math.round(100 * progress)} %` : calm;
}

// Another tab may have changed something, and the server may be gone.
async function poll() {
  try {
    const found = await server.revision();
    if (page.gone) notice("");
    page.gone = false;
    tellProgress(found.progress);
    if (!page.busy && page.state && found.revision !== page.state.revision) {
      page.state = await server.state() || page.state;
      draw();
    }
  } catch (error) {
    if (error instanceof server.Gone) {
      page.gone = true;
      notice(error.message);
    }
  }
  setTimeout(poll, POLL);
}

async function start() {
  try {
    page.state = await server.state();
    page.step = reached().includes("list") ? "list" : reached().at(-1);
    if (page.step === "limits") page.step = "columns";
    draw();
    poll();
  } catch (error) {
    document.getElementById("main").replaceChildren(h("p", { class: "wait" }, error.message));
  }
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => event.preventDefault());
start();

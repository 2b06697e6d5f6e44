// The list and its card side by side: every edit is counted by the server, and the card drawn anew.

import { h, icon, iconButton, field, more, told } from "./dom.js";
import { large, legend } from "./charts.js";
import * as server from "./server.js";
import { change, draw, go, say, show } from "./main.js";
import { givenLimits } from "./steps.js";

const PAUSE = 80; // ms after which a slider that is still moving is sent
const MILLIMETRE = 96 / 25.4;
const ui = { open: null, later: null };

const edit = (values) => change(() => server.post("edit", values));

function later(values) {
  clearTimeout(ui.later);
  ui.later = setTimeout(() => edit(values), PAUSE);
}

function move(rows, from, to) {
  if (to < 0 || to >= rows.length || to === from) return;
  if (ui.open === from) ui.open = to;
  else ui.open = null;
  edit({ do: "move", row: from, to });
  say(`Question ${from + 1} is now number ${to + 1}.`);
}

// Dragging works for a mouse, a pen and a finger; the arrow keys do the same.
function grip(rows, number) {
  const press = (event) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    const to = number + (event.key === "ArrowUp" ? -1 : 1);
    move(rows, number, to);
    document.querySelector(`[data-key="grip-${Math.max(0, Math.min(to, rows.length - 1))}"]`)?.focus();
  };
  const button = iconButton("grip", `Move question ${number + 1}: drag, or press the arrow keys`, null, { class: "plain grip", "data-key": `grip-${number}`, onkeydown: press });
  button.addEventListener("pointerdown", (event) => drag(event, rows, number, button));
  return button;
}

function drag(event, rows, number, button) {
  if (event.button) return;
  event.preventDefault();
  button.focus();
  button.setPointerCapture(event.pointerId);
  const items = [...document.querySelectorAll(".rows > li")];
  let to = number;
  const moving = (now) => {
    const middle = items.map((one) => one.getBoundingClientRect()).map((box) => box.top + box.height / 2);
    to = middle.filter((at, place) => place !== number && at < now.clientY).length;
    items.forEach((one, place) => {
      one.classList.toggle("dragged", place === number);
      one.classList.toggle("before", to < number && place === to);
      one.classList.toggle("behind", to > number && place === to);
    });
  };
  const end = (now) => {
    button.removeEventListener("pointermove", moving);
    items.forEach((one) => one.classList.remove("dragged", "before", "behind"));
    if (now.type === "pointerup") move(rows, number, to);
  };
  button.addEventListener("pointermove", moving);
  button.addEventListener("pointerup", end, { once: true });
  button.addEventListener("pointercancel", end, { once: true });
}

function points(row, number) {
  const set = (value) => edit({ do: "points", row: number, number: value });
  const less = row.points - 1 || -1, more = row.points + 1 || 1; // a question has no 0 points
  return h("span", { class: "points", role: "group", "aria-label": `Points of question ${number + 1}` },
    h("button", { type: "button", class: "plain", "data-key": `less-${number}`, "aria-label": "A point less", onclick: () => set(less) }, "−"),
    h("output", null, String(row.points).replace("-", "−")),
    h("button", { type: "button", class: "plain", "data-key": `more-${number}`, "aria-label": "A point more", onclick: () => set(more) }, "+"));
}

// What a question is about: its column, cut-off or categories, and its words --------------------

function nearest(cutoffs, value) {
  return cutoffs.reduce((best, one, place) => (Math.abs(one - value) < Math.abs(cutoffs[best] - value) ? place : best), 0);
}

function cutoffEditor(row, number) {
  const found = row.distribution, isAbove = row.kind === ">=";
  const cutoffs = found.cutoffs;
  const chart = h("div", { class: "chart" }, large(found, row.cutoff, isAbove));
  const exact = h("input", { type: "number", step: "any", value: row.cutoff, "data-key": `cutoff-${number}`, onchange: (event) => event.target.value !== "" && edit({ do: "cutoff", row: number, number: Number(event.target.value) }) });
  const slide = (event) => {
    const value = cutoffs[Number(event.target.value)];
    exact.value = value;
    event.target.setAttribute("aria-valuetext", String(value));
    chart.replaceChildren(large(found, value, isAbove));
    later({ do: "cutoff", row: number, number: value });
  };
  const slider = cutoffs.length > 1 && h("input", { type: "range", min: 0, max: cutoffs.length - 1, step: 1, value: nearest(cutoffs, row.cutoff), "data-key": `slider-${number}`, "aria-label": `Cut-off of ${row.label}`, "aria-valuetext": String(row.cutoff), oninput: slide });
  const low = found.bars[0].low, last = found.bars.at(-1);
  return [chart, h("div", { class: "axis", "aria-hidden": "true" }, h("span", null, low), h("span", null, last.high ?? last.low)), slider || null, legend(),
    h("div", { class: "fields" }, field("Cut-off", exact),
      field("Yes means", h("select", { "data-key": `side-${number}`, onchange: () => edit({ do: "turn", row: number }) }, h("option", { selected: isAbove }, "at least the cut-off"), h("option", { selected: !isAbove }, "below the cut-off"))))];
}

function categoryEditor(row, number) {
  const found = row.distribution;
  const set = (name, on) => edit({ do: "categories", row: number, texts: row.choices.filter((one) => (one === name ? on : row.categories.includes(one))) });
  return h("fieldset", { class: "values" }, h("legend", null, row.kind === "in" ? "Yes means one of" : "Yes means none of"),
    (row.choices.length ? row.choices : row.categories).map((name) => {
      const bar = found?.bars.find((one) => one.name === name);
      return h("label", { class: "tick" }, h("input", { type: "checkbox", checked: row.categories.includes(name), "data-key": `category-${number}-${name}`, onchange: (event) => set(name, event.target.checked) }), name, bar && h("span", { class: "hint" }, `${bar.positives} of ${bar.cases} with the outcome`));
    }),
    turn(number));
}

const turn = (number) => h("button", { type: "button", class: "second", "data-key": `turn-${number}`, onclick: () => edit({ do: "turn", row: number }) }, "Give the points for the opposite answer");

function editor(row, number) {
  const word = (key) => (event) => edit({ do: "word", name: row.input, key, text: event.target.value });
  const isNumber = row.cutoff !== null;
  return h("div", { class: "editor" },
    isNumber && row.distribution ? cutoffEditor(row, number) : row.kind === "in" || row.kind === "not in" ? categoryEditor(row, number) : turn(number),
    h("div", { class: "fields" },
      field("Words on the card", h("input", { type: "text", maxlength: 80, value: row.label, "data-key": `label-${number}`, onchange: word("label") }), `Column ${row.input}`),
      isNumber && field("Unit", h("input", { type: "text", maxlength: 20, value: row.unit, "data-key": `unit-${number}`, onchange: word("unit") }))),
    h("p", { class: "answers" }, row.answers.map((one) => h("span", null, h("b", null, one.answer), `: ${one.cases.toLocaleString("en")} patients, ${one.rate} with the outcome`))),
    row.asked && h("p", { class: "hint" }, `Learned; ${row.asked}.`),
    row.instead && h("p", { class: "hint" }, row.instead));
}

function rowOf(row, number, rows) {
  const isOpen = ui.open === number;
  const toggle = () => { ui.open = isOpen ? null : number; draw(); };
  return h("li", { class: `${isOpen ? "open" : ""}${row.locked ? " locked" : ""}` },
    h("div", { class: "row" },
      grip(rows, number),
      h("button", { type: "button", class: "question", "data-key": `row-${number}`, "aria-expanded": String(isOpen), onclick: toggle },
        h("span", { class: "number" }, number + 1), h("span", { class: "text" }, row.text), icon("open")),
      points(row, number),
      iconButton(row.locked ? "lock" : "unlock", row.locked ? "Locked: it stays when the rest is filled" : "Lock: keep it when the rest is filled", () => edit({ do: "lock", row: number, on: !row.locked }), { "data-key": `lock-${number}`, "aria-pressed": String(row.locked) }),
      iconButton("remove", `Remove question ${number + 1}`, () => { ui.open = null; edit({ do: "remove", row: number }); }, { "data-key": `remove-${number}` })),
    isOpen && editor(row, number));
}

// Around the rows --------------------------------------------------------------------------------

function figures(bench) {
  return h("dl", { class: "figures", "aria-label": "What cross-validation shows" }, bench.figures.map((one) =>
    h("div", null, h("dt", null, one.name), h("dd", null, h("b", null, one.value), h("span", { class: "hint" }, one.about),
      one.change && h("span", { class: `change ${one.tone}` }, `${one.change} vs. learned`)))));
}

function tools(bench) {
  const locked = bench.rows.filter((one) => one.locked).length;
  return h("div", { class: "tools" },
    h("button", { type: "button", class: "second", "data-key": "undo", disabled: !bench.can_undo, onclick: () => edit({ do: "undo" }) }, icon("undo"), "Undo"),
    h("button", { type: "button", class: "second", "data-key": "redo", disabled: !bench.can_redo, onclick: () => edit({ do: "redo" }) }, icon("redo"), "Redo"),
    h("span", { class: "space" }),
    h("button", { type: "button", class: "second", "data-key": "fill", disabled: !locked || locked === bench.rows.length, title: locked ? "Learn the questions that are not locked anew, behind the locked ones" : "Lock what is to stay first", onclick: () => { ui.open = null; edit({ do: "fill" }); } }, "Fill the rest"));
}

function adder(bench) {
  const used = new Set(bench.rows.map((one) => one.input));
  const names = bench.others.filter((name) => !used.has(name));
  if (!names.length) return null;
  const add = (event) => { if (event.target.value) edit({ do: "add", name: event.target.value }); };
  return field("Add a question", h("select", { "data-key": "add", onchange: add }, h("option", { value: "" }, "Choose a column; its cut-off and points are learned …"), names.map((name) => h("option", { value: name }, name))));
}

function limitsEditor(bench) {
  const own = { low: "rule_out" in bench.limits ? +(100 * bench.limits.rule_out).toPrecision(10) : "", high: "rule_in" in bench.limits ? +(100 * bench.limits.rule_in).toPrecision(10) : "" };
  const send = (key) => (event) => { own[key] = event.target.value; edit({ do: "limits", limits: givenLimits(true, own.low, own.high) }); };
  const entry = (label, key) => h("label", { class: "of-hundred" }, h("span", null, label), h("span", { class: "entry" }, h("input", { type: "number", min: 0, max: 100, step: "any", value: own[key], "data-key": `bench-${key}`, onchange: send(key) }), "of 100"));
  return more("limits", false, ["Limits: ", bench.in_force.length ? bench.in_force : "none; the card tells risks only"],
    h("div", { class: "fields" }, entry("Low risk at most", "low"), entry("High risk at least", "high")), h("p", { class: "hint" }, "Empty: the data choose."));
}

function words(bench) {
  const entry = (label, key, shown) => field(label, h("input", { type: "text", maxlength: 200, value: bench.words[key] || "", placeholder: shown, "data-key": `word-${key}`, onchange: (event) => edit({ do: "word", key, text: event.target.value }) }));
  return more("words", false, "Title and words of the card",
    h("div", { class: "fields" }, entry("Title", "title", "for instance: Lump in the breast"), entry("Outcome", "outcome", bench.about.outcome), entry("For whom", "population", "for instance: women over 40 at a first visit"),
      entry("Low risk is called", "rule_out", "rule out"), entry("High risk is called", "rule_in", "rule in"), entry("In between", "undecided", "undecided")));
}

// Versions side by side; any of them can be gone on with.
function versions(bench) {
  const name = h("input", { type: "text", maxlength: 40, placeholder: "Name of this version", "aria-label": "Name of this version", "data-key": "version" });
  const keep = () => edit({ do: "keep", text: name.value });
  const take = (text) => { ui.open = null; edit({ do: "take", text }); };
  return more("versions", false, "Versions side by side",
    h("div", { class: "tools" }, name, h("button", { type: "button", class: "second", "data-key": "keep", onclick: keep }, "Keep this version")),
    bench.versions.length > 0 && h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Versions" }, h("table", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "Version"), h("th", { scope: "col" }, "Questions"), bench.figures.map((one) => h("th", { scope: "col" }, one.name)), h("th", { scope: "col" }, h("span", { class: "unseen" }, "Go on")))),
      h("tbody", null, bench.versions.map((one) => h("tr", null, h("th", { scope: "row" }, one.name), h("td", null, one.questions),
        one.figures.map((figure) => h("td", null, figure.value, " ", h("span", { class: "hint" }, figure.about))),
        h("td", null, one.is_now ? h("span", { class: "hint" }, "shown") : h("button", { type: "button", class: "second", "data-key": `take-${one.name}`, onclick: () => take(one.name) }, "Go on with it"))))))));
}

// Who looks at these patients while editing makes them a little less strange to the list.
function keptOut(bench) {
  const one = bench.kept_out;
  if (!one) return null;
  const looks = one.looks === 0 ? "Nobody has looked yet." : `Looked at with ${one.looks} ${one.looks === 1 ? "list" : "lists"} so far.`;
  return h("div", { class: "panel aside" }, h("p", null, h("b", null, `${one.patients} patients were kept aside. `), looks, " ", one.shown ? "How they fare stands below and on the card." : "Look when the list is finished: the number of looks is printed with it."),
    !one.shown && h("button", { type: "button", class: "second", "data-key": "reveal", onclick: () => edit({ do: "reveal" }) }, "Show how they fare"));
}

// The card ---------------------------------------------------------------------------------------

function cardLook(state) {
  const look = state.bench.preview;
  const send = (key) => (event) => change(() => server.post("look", { ...look, [key]: event.target.value }));
  return h("div", { class: "fields look" },
    field("Size", h("select", { "data-key": "size", onchange: send("size") }, state.choices.sizes.map((name) => h("option", { value: name, selected: name === look.size }, name.replace("-", " "))))),
    field("Language", h("select", { "data-key": "language", onchange: send("language") }, Object.entries(state.choices.languages).map(([code, name]) => h("option", { value: code, selected: code === look.language }, name)))));
}

function fit(paper) {
  for (const frame of paper.querySelectorAll("iframe")) {
    const wide = Number(frame.dataset.width);
    const scale = Math.min(1, paper.clientWidth / wide);
    frame.style.width = `${Math.max(wide, paper.clientWidth)}px`;
    frame.style.height = `${paper.clientHeight / scale}px`;
    frame.style.transform = `scale(${scale})`;
  }
}

// The frame of the card before stays until the new one is there: nothing flickers.
function cardFrame(bench, before) {
  if (!bench.card) return h("p", { class: "warning" }, told(bench.card_refused));
  const paper = before ?? h("div", { class: "paper" });
  if (!before) new ResizeObserver(() => fit(paper)).observe(paper);
  const frames = [...paper.querySelectorAll("iframe")];
  if (frames.at(-1)?.getAttribute("src") === bench.card) return paper;
  frames.forEach((one) => { one.classList.remove("card"); one.setAttribute("aria-hidden", "true"); one.tabIndex = -1; });
  const wide = (parseFloat(bench.width) + 12) * MILLIMETRE;
  const frame = h("iframe", { class: "card", title: "The card", sandbox: "", src: bench.card, tabindex: 0, "data-width": wide });
  frame.addEventListener("load", () => frames.forEach((one) => one.remove()), { once: true });
  paper.append(frame);
  fit(paper);
  return paper;
}

function verdict(bench) {
  const found = bench.verdict;
  const judge = () => { say("The list is being judged."); edit({ do: "judge" }); };
  if (!found) {
    return h("div", { class: "panel aside" }, h("p", null, h("b", null, "Can it be used? "), "Such lists are learned from a part of the patients and judged on the others. This takes a minute or so.", bench.kept_out && !bench.kept_out.shown && " It needs the patients who were kept aside, too, and counts as a look at them."),
      h("button", { type: "button", class: "second", "data-key": "judge", onclick: judge }, "Judge it"));
  }
  return h("div", { class: `panel aside verdict ${found.use.replace(/ /g, "-")}` }, h("h2", null, found.headline), h("p", null, told(found.reason)),
    h("p", { class: "hint" }, found.figures.map(([name, value]) => `${name}: ${value}`).join("; "), `. Judged on ${found.splits} random splits; the report has more.`));
}

export function benchStep({ state }, before) {
  const bench = state.bench;
  const list = h("section", { class: "list", "aria-label": "The list" },
    h("header", { class: "head" }, h("h1", null, bench.about.title || "The list")),
    figures(bench), tools(bench),
    h("p", { class: "hint" }, "Open a question to move its cut-off. Lock what is to stay, and fill the rest anew."),
    h("ol", { class: "rows" }, bench.rows.map((row, number) => rowOf(row, number, bench.rows))),
    adder(bench), limitsEditor(bench), words(bench), keptOut(bench), versions(bench),
    bench.doubts.length > 0 && h("div", { class: "warning" }, bench.doubts.map((one) => h("p", null, told(one)))),
    more("shown", true, "What these patients show", h("ul", null, bench.said.map((one) => h("li", null, told(one))))));
  const beside = before ?? h("section", { class: "beside", "aria-label": "The card" });
  const paper = cardFrame(bench, beside.querySelector(".paper"));
  const around = [cardLook(state), paper, ...(bench.card_notes || []).map((one) => h("p", { class: "hint" }, told(one))), verdict(bench),
    h("p", { class: "onward" }, h("button", { type: "button", class: "main", "data-key": "onward", onclick: () => go("files") }, "Make the files"))];
  show(beside, around);
  return [list, beside];
}

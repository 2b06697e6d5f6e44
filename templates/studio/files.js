// Files: which ones, in which languages; each is compared with the list before it is offered.

import { h, told } from "./dom.js";
import * as server from "./server.js";
import { busy, draw, notice, say } from "./main.js";

const GROUPS = [
  ["Card", "card-", "points to add; on paper of any size"],
  ["Path", "path-", "arrows to follow in place of points"],
  ["Sheet of cards", "sheet-", "credit cards to cut"],
  ["Handout", "handout", "explains the list, with a calculator"],
  ["For patients", "patient", "in plain words and without points"],
];
const KINDS = ["pdf", "html", "png"];
const SIZES = { credit: "Credit card", badge: "Badge", index: "Index card", letter: "Letter", tally: "A row per case, A4", "tally-letter": "A row per case, Letter" };
const chosen = new Set(["card-a6.pdf", "handout.html"]);
const spoken = { languages: null };

const isIn = (start, name) => name.startsWith(start) && KINDS.includes(name.split(".")[1]);

// A row for each size, a column for each kind of file.
function group(forms, [title, start, about]) {
  const own = forms.filter((name) => isIn(start, name));
  const stems = [...new Set(own.map((name) => name.split(".")[0]))];
  const called = (stem) => { const size = stem.slice(start.length); return SIZES[size] || size.toUpperCase() || title; };
  return h("table", { class: "forms" },
    h("caption", null, title, h("span", { class: "hint" }, about)),
    h("thead", { class: "unseen" }, h("tr", null, h("th", { scope: "col" }, "Size"), KINDS.map((kind) => h("th", { scope: "col" }, kind.toUpperCase())))),
    h("tbody", null, stems.map((stem) => h("tr", null, h("th", { scope: "row" }, called(stem)),
      KINDS.map((kind) => h("td", null, own.includes(`${stem}.${kind}`) && tick(chosen, `${stem}.${kind}`, kind.toUpperCase(), `form-${stem}.${kind}`)))))));
}

function tick(set, value, words, key) {
  const toggle = (event) => { event.target.checked ? set.add(value) : set.delete(value); draw(); };
  return h("label", { class: "tick" }, h("input", { type: "checkbox", checked: set.has(value), "data-key": key, onchange: toggle }), words);
}

async function make(page) {
  busy(1);
  notice("");
  say("The files are being made and checked.");
  try {
    page.made = await server.post("files", { forms: [...chosen], languages: [...spoken.languages] });
    say("The files are ready.");
  } catch (error) {
    notice(error.message);
  } finally {
    busy(-1);
    draw();
  }
}

function size(bytes) {
  return bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function made(page) {
  const notes = [...new Set(page.made.flatMap((one) => one.notes))];
  return h("section", { class: "panel made", "aria-label": "Files that are ready" },
    h("h2", null, "Ready, and checked"),
    h("p", { class: "hint" }, "Built once more from the table, and each file but pictures compared with the list to the last byte."),
    h("ul", { class: "downloads" }, page.made.map((one, number) => h("li", null, h("button", { type: "button", class: "second", "data-key": `file-${number}`, onclick: () => server.save(`/api/files/${number}`, one.name).catch((error) => notice(error.message)) }, one.name), h("span", { class: "hint" }, `${one.about}, ${size(one.bytes)}`)))),
    notes.map((one) => h("p", { class: "hint" }, told(one))),
    h("p", { class: "onward" }, h("button", { type: "button", class: "main", "data-key": "zip", onclick: () => server.save("/api/zip", "card.zip").catch((error) => notice(error.message)) }, "Save all as a zip")),
    h("p", null, "The same from the command line, with the files of the zip beside your table:"),
    h("p", { class: "command" }, h("code", null, page.state.bench.command), h("button", { type: "button", class: "second", "data-key": "copy", onclick: () => navigator.clipboard.writeText(page.state.bench.command).then(() => say("Copied.")) }, "Copy")));
}

export function filesStep(page) {
  const state = page.state;
  spoken.languages ??= new Set([state.bench.preview.language]);
  const forms = state.choices.forms;
  const others = forms.filter((name) => !GROUPS.some(([, start]) => isIn(start, name)));
  return [h("header", { class: "head" }, h("h1", null, "Which files?"), h("p", null, "Choose what you need. Your patients' table is not among the files.", state.bench.kept_out && " They tell how the patients who were kept aside fare; making them counts as a look.")),
    h("div", { class: "panel" },
      GROUPS.map((one) => group(forms, one)),
      h("fieldset", null, h("legend", null, "Other forms", h("span", { class: "hint" }, "for programs, records and offices; they decide as the card does")), h("div", { class: "ticks" }, others.map((name) => tick(chosen, name, name, `form-${name}`)))),
      h("fieldset", null, h("legend", null, "Languages"), h("div", { class: "ticks" }, Object.entries(state.choices.languages).map(([code, name]) => tick(spoken.languages, code, name, `language-${code}`)))),
      h("p", { class: "onward" }, h("button", { type: "button", class: page.made ? "second" : "main", "data-key": "make", disabled: !chosen.size || !spoken.languages.size, onclick: () => make(page) }, page.made ? "Make them again" : "Make and check"))),
    page.made && made(page)].filter(Boolean);
}

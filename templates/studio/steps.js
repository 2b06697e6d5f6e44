// From a table to a list: the table, its outcome, its columns, the limits.

import { h, icon, field, more } from "./dom.js";
import { small } from "./charts.js";
import * as server from "./server.js";
import { change, draw, go } from "./main.js";

function head(title, ...text) {
  return h("header", { class: "head" }, h("h1", null, title), ...text.map((one) => h("p", null, one)));
}

function onward(label, press, more) {
  return h("p", { class: "onward" }, h("button", { type: "button", class: "main", "data-key": "onward", onclick: press, ...more }, label));
}

// Table ------------------------------------------------------------------------------------------

const ENDINGS = ".csv,.tsv,.txt,.xlsx,.parquet";

function take(files) {
  if (files.length) change(() => server.upload(files[0]), "outcome");
}

function dropZone(again) {
  const input = h("input", { type: "file", accept: ENDINGS, class: "unseen", id: "file", "data-key": "file", onchange: (event) => take(event.target.files) });
  const zone = h("label", { class: again ? "drop again" : "drop", for: "file" },
    icon("file"), h("b", null, again ? "Take another table" : "Drop a table here, or choose a file"),
    h("span", null, "CSV, Excel or Parquet: one row per patient, one column with the outcome"));
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => { event.preventDefault(); take(event.dataTransfer.files); });
  return h("div", { class: "drop-place" }, input, zone);
}

function preview(table) {
  const shown = table.columns.slice(0, 30);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "First rows of the table" },
    h("table", null,
      h("thead", null, h("tr", null, shown.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, table.head.map((row) => h("tr", null, row.slice(0, 30).map((text) => h("td", null, text || h("span", { class: "quiet" }, "–"))))))));
}

// How a table was read where the usual way did not do.
function unusual(values) {
  return [values.decimal === "," && "Its numbers are read with a decimal comma.", values.encoding !== "utf-8" && `Its letters are read as ${values.encoding}; see that names look right.`, values.sheet && `Its sheet ${values.sheet} is read.`].filter(Boolean);
}

function reading(table) {
  const values = table.reading;
  const send = (key) => (event) => change(() => server.post("reading", { ...values, [key]: event.target.value || null }));
  const option = (name, now, words) => h("option", { value: name, selected: now === name }, words);
  return more("reading", table.sheets.length > 0 || unusual(values).length > 0, "Numbers or letters look wrong?", unusual(values).map((text) => h("p", null, text)),
    h("div", { class: "fields" },
      field("Numbers are written", h("select", { onchange: send("decimal") }, option(".", values.decimal, "with a point: 1.5"), option(",", values.decimal, "with a comma: 1,5"))),
      table.sheets.length > 0 && field("Sheet", h("select", { "data-key": "sheet", onchange: send("sheet") }, table.sheets.map((name) => option(name, values.sheet, name)))),
      table.is_text && field("Letters", h("select", { onchange: send("encoding") }, option("utf-8", values.encoding, "UTF-8 (usual)"), option("cp1252", values.encoding, "Windows (Western Europe)"), option("utf-16", values.encoding, "UTF-16")))));
}

export function tableStep({ state }) {
  const table = state.table;
  if (!table) {
    return [head("Make a card from your patients",
      "Choose a table. The studio finds a short list of questions with points, and shows it as a pocket card that you can change and print."),
      dropZone(false),
      h("ul", { class: "promises" },
        h("li", null, h("b", null, "Private. "), "The table never leaves this computer, and is forgotten when the studio ends."),
        h("li", null, h("b", null, "Checked. "), "Every file is compared with what the list says before you get it."),
        h("li", null, h("b", null, "Yours. "), "Order, cut-offs, points and words are up to you; the price of each change is shown."))];
  }
  return [head(table.file, `${table.rows.toLocaleString("en")} rows, ${table.columns.length} columns. These are the first rows.`),
    preview(table), reading(table), onward("Go on to the outcome", () => go("outcome")), dropZone(true)];
}

// Outcome ----------------------------------------------------------------------------------------

const ui = { column: null };

export function outcomeStep({ state }) {
  const choices = state.outcome.choices;
  const names = Object.keys(choices).sort((one, other) => Object.keys(choices[one]).length - Object.keys(choices[other]).length);
  const chosen = ui.column in choices ? ui.column : state.outcome.name;
  const choose = (positive) => change(() => server.post("outcome", { name: chosen, positive }), "columns");
  const pick = (event) => { ui.column = event.target.value || null; draw(); };
  const intro = head("What is to be predicted?", "Choose the column that says how it turned out, and the value whose risk the card tells: usually the illness, or the event.");
  if (!names.length) return [intro, h("p", { class: "warning" }, "No column has between 2 and 12 values, so none can be the outcome. Take a table that has one.")];
  const select = h("select", { "data-key": "outcome", onchange: pick },
    h("option", { value: "" }, "Choose a column …"), names.map((name) => h("option", { value: name, selected: name === chosen }, name)));
  const counts = chosen ? Object.entries(choices[chosen]) : [];
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return [intro, h("div", { class: "panel narrow" }, field("Outcome", select, `Columns with 2 to 12 different values can be chosen: ${names.length} of ${state.table.columns.length}.`),
    counts.length > 0 && h("fieldset", { class: "values" }, h("legend", null, "Which value is the one to find?"),
      counts.map(([value, count]) => h("button", { type: "button", class: "choice", "data-key": `value-${value}`, "aria-pressed": String(state.outcome.name === chosen && state.outcome.positive === value), onclick: () => choose(value) },
        h("b", null, value), h("span", null, `${count.toLocaleString("en")} rows, ${Math.round((100 * count) / total)} of 100`)))))];
}

// Columns ----------------------------------------------------------------------------------------

function sendColumns(columns, group) {
  const kind = (name) => columns.filter((one) => one.kind_said === name).map((one) => one.name);
  return change(() => server.post("columns", {
    drop: columns.filter((one) => one.can_be_used && !one.used && !one.left_out).map((one) => one.name),
    keep: columns.filter((one) => one.used && one.left_out).map((one) => one.name),
    category: kind("category"), number: kind("number"), group,
  }));
}

function grouping(columns, group, names, outcome) {
  const send = (event) => sendColumns(columns, event.target.value || null);
  return field("Do several rows belong to one patient?", h("select", { "data-key": "group", onchange: send },
    h("option", { value: "" }, "No, each row is another patient"),
    names.filter((name) => name !== outcome).map((name) => h("option", { value: name, selected: name === group }, `Yes: those with the same ${name}`))));
}

function columnRow(one, columns, group) {
  const set = (name, value) => sendColumns(columns.map((other) => (other === one ? { ...one, [name]: value } : other)), group);
  const use = h("input", { type: "checkbox", role: "switch", checked: one.used, disabled: !one.can_be_used, "data-key": `use-${one.name}`, "aria-label": `Use ${one.name}`, onchange: (event) => set("used", event.target.checked) });
  const codes = one.may_be_codes || one.kind_said;
  const kind = codes
    ? h("select", { "aria-label": `What ${one.name} is`, "data-key": `kind-${one.name}`, onchange: (event) => set("kind_said", event.target.value) },
      h("option", { value: "number", selected: one.kind === "number" }, "number"), h("option", { value: "category", selected: one.kind === "categories" }, "categories"))
    : one.kind || "–";
  const unknown = one.unknown === null ? "" : one.unknown === 0 ? "none" : one.unknown.toLocaleString("en");
  return h("tr", { class: one.used ? "" : "off" },
    h("td", null, use), h("th", { scope: "row" }, one.name),
    h("td", null, kind), h("td", { class: "right" }, unknown),
    h("td", { class: "picture" }, one.bars.length > 0 && small(one.bars), one.bars.length > 0 && h("span", { class: "ends" }, one.ends.map((text) => h("span", null, text)))),
    h("td", { class: "why" }, one.why && `Not used: ${one.why}.`, one.doubts.map((text) => h("p", null, text))));
}

export function columnsStep({ state }) {
  const columns = state.columns, used = columns.filter((one) => one.used).length;
  const doubted = columns.filter((one) => one.left_out && !one.used).length;
  const text = doubted ? ` ${doubted} that look like ids, or are known only once the outcome is, are left out: they stand on top.` : "";
  return [head("What may the card ask?", `${used} of ${columns.length} columns may become questions.${text} Leave out what nobody knows at the bedside.`),
    h("p", { class: "facts" }, `${state.cases.all.toLocaleString("en")} patients, ${state.cases.positives.toLocaleString("en")} with ${state.outcome.name}: ${state.outcome.positive} (${state.cases.of_100}).`,
      unusual(state.table.reading).map((text) => ` ${text}`), state.cases.without_outcome > 0 && ` ${state.cases.without_outcome} rows without an outcome are left out.`),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Columns" }, h("table", { class: "columns" },
      h("thead", null, h("tr", null, ["Use", "Column", "Is", "Unknown", "Values", "To look at"].map((one) => h("th", { scope: "col" }, one)))),
      h("tbody", null, columns.map((one) => columnRow(one, columns, state.group))))),
    h("p", { class: "legend" }, h("span", { class: "key some" }), "with the outcome", h("span", { class: "key all" }), "without"),
    h("div", { class: "fields" }, grouping(columns, state.group, state.table.columns, state.outcome.name)),
    onward("Go on to the limits", () => go("limits"))];
}

// Limits -----------------------------------------------------------------------------------------

const limits = { own: null, low: "", high: "", most: "auto", out: false };

function ofHundred(label, key, text) {
  return h("label", { class: "of-hundred" }, h("span", null, label), h("span", { class: "entry" },
    h("input", { type: "number", min: 0, max: 100, step: "any", value: limits[key], "data-key": `limit-${key}`, oninput: (event) => { limits[key] = event.target.value; } }), "of 100"), h("span", { class: "hint" }, text));
}

export function givenLimits(own, low, high) {
  const found = {};
  if (!own) return found;
  if (low !== "") found.rule_out = Number(low) / 100;
  if (high !== "") found.rule_in = Number(high) / 100;
  return found;
}

export function limitsStep({ state }) {
  if (limits.own === null) {
    const said = state.learning;
    limits.own = "rule_out" in said || "rule_in" in said;
    limits.low = "rule_out" in said ? +(100 * said.rule_out).toPrecision(10) : "";
    limits.high = "rule_in" in said ? +(100 * said.rule_in).toPrecision(10) : "";
    limits.most = said.max_questions ?? "auto";
    limits.out = said.keep_out;
  }
  const choose = (own) => () => { limits.own = own; draw(); };
  const learn = () => change(() => server.post("learn", { limits: givenLimits(limits.own, limits.low, limits.high), max_questions: limits.most === "auto" ? "auto" : Number(limits.most), keep_out: limits.out }), "list");
  const radio = (own, title, text) => h("label", { class: "option" }, h("input", { type: "radio", name: "limits", checked: limits.own === own, "data-key": `limits-${own}`, onchange: choose(own) }), h("span", null, h("b", null, title), h("span", { class: "hint" }, text)));
  const most = ["auto", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15];
  return [head("When is it clear enough?", `Of 100 patients in your table, ${state.cases.of_100.replace(" of 100", "")} have the outcome. One stops asking as soon as the risk is low or high enough.`),
    h("div", { class: "panel narrow" },
      radio(false, "Let the data show groups of low and high risk", "The card then tells risks and groups; nobody is told what to do."),
      radio(true, "I know the risks at which one acts", "The card then rules out and rules in."),
      limits.own && h("div", { class: "own" },
        ofHundred("Low risk: rule out when at most", "low", "such patients have the outcome"),
        ofHundred("High risk: rule in when at least", "high", "such patients have it")),
      field("Questions at most", h("select", { "data-key": "most", onchange: (event) => { limits.most = event.target.value; } }, most.map((one) => h("option", { value: one, selected: String(one) === String(limits.most) }, one === "auto" ? "as many as help, up to 6" : one)))),
      h("label", { class: "option" }, h("input", { type: "checkbox", checked: limits.out, "data-key": "keep-out", onchange: (event) => { limits.out = event.target.checked; } }),
        h("span", null, h("b", null, "Keep a third of the patients aside"), h("span", { class: "hint" }, "They test the finished list. For large tables; every look at them while you edit is counted and printed.")))),
    onward(state.bench ? "Learn the list anew" : "Learn the list", learn),
    state.bench && h("p", { class: "hint" }, "What was edited so far is then lost.")];
}

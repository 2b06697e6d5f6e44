// Fills in forms with the engine of ODK Web Forms: a line of JSON per form, a line of results back.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

import { JSDOM } from "jsdom";

// The engine is built for browsers: it looks for their names, and for those of older Node modules.
const { window } = new JSDOM("<!doctype html><html></html>", { url: "http://localhost/" });
for (const name of Object.getOwnPropertyNames(window)) {
  if (!(name in globalThis)) globalThis[name] = window[name];
}
Object.assign(globalThis, { window, document: window.document, __dirname: "." });
globalThis.require = createRequire(import.meta.url);
const { loadForm } = await import("@getodk/xforms-engine");

const nameOf = (node) => node.currentState.reference.split("/").pop();

function filledIn(form, entries) {
  const { root } = form.createInstance();
  const nodes = root.currentState.children;
  const shown = [];
  for (const node of nodes) {
    const { relevant } = node.currentState;
    if (relevant && ["input", "select"].includes(node.nodeType)) shown.push(nameOf(node));
    const entry = entries[nameOf(node)];
    if (entry === undefined || !relevant) continue;
    if (node.nodeType === "select") node.selectValue(entry);
    else node.setValue(entry);
  }
  const values = nodes.filter((node) => node.nodeType === "model-value");
  const told = Object.fromEntries(values.map((node) => [nameOf(node), node.currentState.value]));
  return { told, shown };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { xml, cases } = JSON.parse(line);
  const form = await loadForm(xml, { fetchFormAttachment: () => Promise.reject(new Error("none")) });
  const answer = form.status === "failure" ? String(form.error) : cases.map((one) => filledIn(form, one));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

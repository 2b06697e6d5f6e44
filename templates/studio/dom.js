// Elements made of values: text is only ever text, so that no label of a table can become a part of the page.

const NAMESPACE = "http://www.w3.org/2000/svg";

function put(element, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((one) => one !== null && one !== undefined && one !== false));
  return element;
}

export function h(name, properties, ...children) {
  return put(document.createElement(name), properties, children);
}

export function svg(name, properties, ...children) {
  return put(document.createElementNS(NAMESPACE, name), properties, children);
}

const ICONS = {
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z",
  unlock: "M7 11V8a5 5 0 0 1 9.6-2M5 11h14v9H5z",
  remove: "M6 6l12 12M18 6L6 18",
  open: "M6 9l6 6 6-6",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
};

export function icon(name) {
  const stroke = { fill: "none", stroke: "currentColor", "stroke-linecap": "round", "stroke-linejoin": "round" };
  return svg(
    "svg",
    { viewBox: "0 0 24 24", width: 18, height: 18, "aria-hidden": "true", class: "icon" },
    svg("path", { d: ICONS[name], ...stroke, "stroke-width": name === "grip" ? 3 : 1.8 }),
  );
}

// A button of an icon alone has its name for those who hear the page, and as a tip.
export function iconButton(name, label, press, more) {
  return h("button", { type: "button", class: "plain", "aria-label": label, title: label, onclick: press, ...more }, icon(name));
}

export function field(label, input, hint) {
  return h("label", { class: "field" }, h("span", { class: "name" }, label), input, hint && h("span", { class: "hint" }, hint));
}

const opened = new Map();

// What can be opened stays as somebody left it when the page is drawn anew.
export function more(key, isOpen, summary, ...children) {
  const open = opened.get(key) ?? isOpen;
  const element = h("details", { class: "more", open, ontoggle: () => opened.set(key, element.open) },
    h("summary", { "data-key": `more-${key}` }, summary), ...children);
  return element;
}

// Messages of the library set values in backticks; here they stand in the type of code.
export function told(text) {
  return text.split("`").map((part, place) => (place % 2 ? h("code", null, part) : part));
}

// Bars of a column: all cases, and in the accent those with the outcome.

import { h, svg } from "./dom.js";

function words(bar) {
  if (bar.name) return bar.name;
  return bar.high === null || bar.high === undefined ? `${bar.low}` : `${bar.low} to ${bar.high}`;
}

export function describe(bars) {
  return bars.map((bar) => `${words(bar)}: ${bar.positives} of ${bar.cases}`).join("; ");
}

function columns(bars, width, height, gap) {
  const most = Math.max(1, ...bars.map((bar) => bar.cases));
  const step = width / Math.max(1, bars.length);
  return bars.map((bar, place) => {
    const all = (bar.cases / most) * height;
    const some = (bar.positives / most) * height;
    const common = { x: place * step + gap / 2, width: Math.max(0.6, step - gap) };
    return svg(
      "g", null,
      svg("title", null, `${words(bar)}: ${bar.positives} of ${bar.cases} with the outcome`),
      svg("rect", { ...common, class: "all", y: height - all, height: all }),
      svg("rect", { ...common, class: "some", y: height - some, height: some }),
    );
  });
}

export function small(bars) {
  return svg(
    "svg",
    { class: "bars", viewBox: "0 0 120 34", width: 120, height: 34, role: "img", "aria-label": describe(bars) },
    columns(bars, 120, 34, bars.length > 14 ? 1 : 2),
  );
}

// Where a number stands among the bars, from 0 to 1; bars of single values stand for themselves.
export function place(bars, value) {
  const last = bars.length - 1;
  for (let at = 0; at <= last; at += 1) {
    const low = bars[at].low;
    const high = bars[at].high ?? (at < last ? bars[at + 1].low : low + 1);
    if (value <= low) return at / bars.length;
    if (value < high) return (at + (value - low) / (high - low)) / bars.length;
  }
  return 1;
}

export function large(found, cutoff, isAbove) {
  const width = 560, height = 110;
  const at = place(found.bars, cutoff) * width;
  const yes = isAbove ? { x: at, width: width - at } : { x: 0, width: at };
  return svg(
    "svg",
    { class: "bars wide", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": describe(found.bars) },
    svg("rect", { class: "yes", y: 0, height, ...yes }),
    columns(found.bars, width, height, 2),
    svg("line", { class: "cut", x1: at, x2: at, y1: 0, y2: height }),
  );
}

export function legend() {
  return h(
    "p", { class: "legend" },
    h("span", { class: "key some" }), "with the outcome", h("span", { class: "key all" }), "without",
    h("span", { class: "key yes" }), "answers yes",
  );
}

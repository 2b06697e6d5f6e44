// Written by scorecard 0.2.0.dev0, language en, sha256 of what follows:
// d86ada4a4f9728aac9c4d260d2bd400b22f29c33c2ada19b332b506ae8741955
/**
 * Breast mass: malignant?
 *
 *   1. Largest perimeter ≥ 110       +3
 *   2. Largest concave points ≥ 0.14 +3   benign at 0 or less, biopsy at 6 or more
 *   3. Largest texture ≥ 23.5        +2
 *   4. Spread of area ≥ 33           +2   biopsy at 7 or more, else refer
 *
 * An ES module without dependencies, for browsers and Node:
 *   import { evaluate, nextQuestion } from "./evaluator.mjs";
 *   evaluate({ "worst_perimeter": 110, "worst_concave_points": 0.14 });
 *   nextQuestion({}); // what to ask first
 * Its limits and figures in words, and what it was made of, are in table.
 */

/** The list under its limits: questions, and per stage and total what to do and the risk. */
export const table = {
  "format": "scorecard-decisions/3",
  "sha256": "fd9c0657a1755bb00ddde374d1b364b4ab11456d9dc3436f5adab544cd65c207",
  "generator": "scorecard 0.2.0.dev0",
  "language": "en",
  "model": "sha256:a28c9cdfa116b0d13f6d8e2df9ada4e02f670c0bf99eac025e805e9312f3a3f2",
  "about": {
    "title": "Breast mass: malignant?",
    "outcome": "malignant",
    "population": "a breast mass with a fine-needle aspirate",
    "rule_out": "benign",
    "rule_in": "biopsy",
    "undecided": "refer",
    "source": "Wisconsin breast cancer (UCI)",
    "version": "1",
    "date": "2026-11-16",
    "note": "An illustration, not a clinical tool; the source names no units.",
    "outcome_sentence": "Risk that the mass is malignant"
  },
  "names": {"rule out": "benign", "rule in": "biopsy", "undecided": "refer", "unknown": "refer"},
  "risk_source": {"origin": "cross-validated", "level": 0.95, "band": "paper"},
  "policy": {"rule_out": 0.05, "rule_in": 0.9, "by": "error-control", "estimate": "reached", "confidence": 0.9, "min_cases": 10, "miss_cost": null, "curtail": "decided"},
  "words": [
    "Rule out at a risk of at most 5, rule in at one of at least 90 of 100; kept by the total's own risk and, in cross-validation, by all who stop on that side; at least 10 cases behind a stop.",
    "Each risk is that of patients with this total after this question.",
    "Risks expected in new patients: learned from all cases, corrected by cross-validation. Counts are of the cases that chose the questions. 569 cases, 212 with the outcome.",
    "In cross-validation 10 of 335 with ▼ had the outcome (limit: at most 5 of 100).",
    "In cross-validation 181 of 194 with ▲ had the outcome (limit: at least 90 of 100).",
    "In cross-validation 529 of 569 cases ended with ▼ or ▲ (1.9 questions on average); each was judged by a list that had not seen it.",
    "Not validated elsewhere."
  ],
  "answers": {
    "yes": ["ja", "true", "wahr", "yes"],
    "no": ["falsch", "false", "nein", "no"],
    "yes_no_inputs_yes": ["1", "1.0", "j", "ja", "t", "true", "wahr", "y", "yes"],
    "yes_no_inputs_no": ["0", "0.0", "f", "falsch", "false", "n", "nein", "no"],
    "unknown": ["", "#n/a", "-", ".", "?", "fehlt", "k.a.", "missing", "n/a", "na", "nan", "null", "unbekannt", "unknown", "–"],
    "number": "[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
  },
  "questions": [
    {"input": "worst_perimeter", "label": "Largest perimeter", "unit": "", "note": "", "text": "Largest perimeter ≥ 110", "points": 3, "condition": {"kind": ">=", "cutoff": 110, "categories": [], "choices": []}, "value_only": false, "settled_by": [], "seen": {"low": 58.08, "high": 211.5, "within": [38.7, 288.0], "remark": "outside what the list has seen (58.1 to 212); unit?"}},
    {"input": "worst_concave_points", "label": "Largest concave points", "unit": "", "note": "", "text": "Largest concave points ≥ 0.14", "points": 3, "condition": {"kind": ">=", "cutoff": 0.14, "categories": [], "choices": []}, "value_only": true, "settled_by": [], "seen": {"low": 0, "high": 0.2701, "within": [-0.135, 0.405], "remark": "outside what the list has seen (0 to 0.27); unit?"}},
    {"input": "worst_texture", "label": "Largest texture", "unit": "", "note": "", "text": "Largest texture ≥ 23.5", "points": 2, "condition": {"kind": ">=", "cutoff": 23.5, "categories": [], "choices": []}, "value_only": false, "settled_by": [], "seen": {"low": 14.82, "high": 41.85, "within": [9.88, 55.4], "remark": "outside what the list has seen (14.8 to 41.9); unit?"}},
    {"input": "area_error", "label": "Spread of area", "unit": "", "note": "", "text": "Spread of area ≥ 33", "points": 2, "condition": {"kind": ">=", "cutoff": 33, "categories": [], "choices": []}, "value_only": false, "settled_by": [], "seen": {"low": 8.322, "high": 180.2, "within": [5.55, 266.0], "remark": "outside what the list has seen (8.32 to 180); unit?"}}
  ],
  "not_asked": ["worst_concave_points", "worst_area"],
  "steps": [
    {
      "stage": 0,
      "rule_out_at": null,
      "rule_in_at": null,
      "undecided_between": null,
      "boxes": [
        {"total": 0, "decision": "go on", "probability": 0.37258347978910367, "lower": 0.3327290425963131, "upper": 0.4137683446075898, "cases": 569, "positives": 212, "totals": [0, 0], "curtailed": false}
      ]
    },
    {
      "stage": 1,
      "rule_out_at": null,
      "rule_in_at": null,
      "undecided_between": null,
      "boxes": [
        {"total": 0, "decision": "go on", "probability": 0.07950528080438625, "lower": 0.04410240359433425, "upper": 0.1995010754989386, "cases": 367, "positives": 28, "totals": [0, 0], "curtailed": false},
        {"total": 3, "decision": "go on", "probability": 0.9054997130213935, "lower": 0.7124106129661858, "upper": 0.9521198151873832, "cases": 202, "positives": 184, "totals": [3, 3], "curtailed": false}
      ]
    },
    {
      "stage": 2,
      "rule_out_at": 0,
      "rule_in_at": 6,
      "undecided_between": null,
      "boxes": [
        {"total": 0, "decision": "rule out", "probability": 0.027106638186944875, "lower": 0.006715869015598677, "upper": 0.12021655215193851, "cases": 333, "positives": 9, "totals": [0, 0], "curtailed": false},
        {"total": 3, "decision": "go on", "probability": 0.5830877471625433, "lower": 0.32371909438017515, "upper": 0.7934333137464682, "cases": 74, "positives": 43, "totals": [3, 3], "curtailed": false},
        {"total": 6, "decision": "rule in", "probability": 0.987017833024611, "lower": 0.8534317246139561, "upper": 0.9994184545803603, "cases": 162, "positives": 160, "totals": [6, 6], "curtailed": false}
      ]
    },
    {
      "stage": 3,
      "rule_out_at": null,
      "rule_in_at": null,
      "undecided_between": null,
      "boxes": [
        {"total": 3, "decision": "go on", "probability": 0.18816081098246867, "lower": 0.012283627548758395, "upper": 0.5687056857398928, "cases": 21, "positives": 3, "totals": [3, 3], "curtailed": false},
        {"total": 5, "decision": "go on", "probability": 0.7634568637720479, "lower": 0.417770104975187, "upper": 0.9245580945138274, "cases": 53, "positives": 40, "totals": [5, 5], "curtailed": false}
      ]
    },
    {
      "stage": 4,
      "rule_out_at": null,
      "rule_in_at": 7,
      "undecided_between": [3, 5],
      "boxes": [
        {"total": 3, "decision": "undecided", "probability": 0.11865552019886778, "lower": 0.004836947724769088, "upper": 0.6539481080986764, "cases": 15, "positives": 2, "totals": [3, 3], "curtailed": false},
        {"total": 5, "decision": "undecided", "probability": 0.5554136912128946, "lower": 0.25504255777327434, "upper": 0.8567634549165072, "cases": 37, "positives": 21, "totals": [5, 5], "curtailed": false},
        {"total": 7, "decision": "rule in", "probability": 0.9176002884263388, "lower": 0.45954784433373197, "upper": 0.9971750038407269, "cases": 22, "positives": 20, "totals": [7, 7], "curtailed": false}
      ]
    }
  ],
  "sharpening": {"questions": [{"input": "worst_concave_points", "label": "Largest concave points", "unit": "", "note": "", "text": "Largest concave points ≥ 0.16", "points": 2, "condition": {"kind": ">=", "cutoff": 0.16, "categories": [], "choices": []}, "value_only": true, "settled_by": [{"question": 1, "answer": false, "then": false}], "seen": {"low": 0, "high": 0.2701, "within": [-0.135, 0.405], "remark": "outside what the list has seen (0 to 0.27); unit?"}}, {"input": "worst_area", "label": "Largest area", "unit": "", "note": "", "text": "Largest area ≥ 720", "points": 2, "condition": {"kind": ">=", "cutoff": 720, "categories": [], "choices": []}, "value_only": false, "settled_by": [], "seen": {"low": 249.8, "high": 2944, "within": [167.0, 4290.0], "remark": "outside what the list has seen (250 to 2940); unit?"}}], "steps": [{"stage": 5, "rule_out_at": null, "rule_in_at": null, "undecided_between": [3, 7], "boxes": [{"total": 3, "decision": "undecided", "probability": 0.10978930758964746, "lower": 0.005507990431733279, "upper": 0.717856881971269, "cases": 13, "positives": 2, "totals": [3, 3], "curtailed": false}, {"total": 5, "decision": "undecided", "probability": 0.4198898529495782, "lower": 0.07137068540044317, "upper": 0.7207551788858675, "cases": 25, "positives": 7, "totals": [5, 5], "curtailed": false}, {"total": 7, "decision": "undecided", "probability": 0.8745834062601878, "lower": 0.48587527048852097, "upper": 1.0, "cases": 14, "positives": 14, "totals": [7, 7], "curtailed": false}]}, {"stage": 6, "rule_out_at": null, "rule_in_at": null, "undecided_between": [3, 9], "boxes": [{"total": 3, "decision": "undecided", "probability": 0.18249311364600518, "lower": 0.0, "upper": 0.610526628400753, "cases": 23, "positives": 3, "totals": [3, 5], "curtailed": false}, {"total": 5, "decision": "undecided", "probability": 0.18249311364600518, "lower": 0.0, "upper": 0.610526628400753, "cases": 23, "positives": 3, "totals": [3, 5], "curtailed": false}, {"total": 7, "decision": "undecided", "probability": 0.66686858097159, "lower": 0.1890022347720277, "upper": 1.0, "cases": 29, "positives": 20, "totals": [7, 9], "curtailed": false}, {"total": 9, "decision": "undecided", "probability": 0.66686858097159, "lower": 0.1890022347720277, "upper": 1.0, "cases": 29, "positives": 20, "totals": [7, 9], "curtailed": false}]}]},
  "stops": [
    {"stage": 2, "decision": "rule in", "cases": 162, "positives": 160},
    {"stage": 2, "decision": "rule out", "cases": 333, "positives": 9},
    {"stage": 4, "decision": "rule in", "cases": 22, "positives": 20},
    {"stage": 4, "decision": "undecided", "cases": 52, "positives": 23}
  ],
  "notes": [
    {"kind": "only-sharpen", "text": "After 4 of 6 questions no answer leads to a decision any more; further ones only sharpen the risk: Largest concave points and Largest area."},
    {"kind": "within-limit", "text": "A risk within a limit but without ▼ or ▲: too uncertain to stop there."}
  ],
  "provenance": [["table", "cases.csv"], ["table sha256", "fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6"], ["rows", "569"], ["cases", "569, 212 positive"], ["number of questions", "cross-validated log loss 0.138 after 6, the best; 0.660 without questions"], ["warnings", "questions that depend on few cases"], ["option as_published", "False"], ["option cost_weight", "auto"], ["option evidence", "cross-validated"], ["option held_out", "0.0"], ["option max_questions", "auto"], ["option missing", "unknown"], ["option no_evidence", "False"], ["option outcome", "diagnosis"], ["option points", "(-3, -2, -1, 1, 2, 3)"], ["option positive", "malignant"], ["psl-scorecard", "0.2.0.dev0"], ["numpy", "2.4.6"], ["scikit-learn", "1.9.1"], ["python", "3.11.7"]]
};

/**
 * The result for a case: an object of input: value, true, false or null; what is left out is
 * unknown. Throws a RangeError that names the input.
 * @param {Object<string, string|number|boolean|null>} answers
 * @param {boolean} sharpen whether who is undecided goes on to questions that only sharpen the risk
 * @param {boolean} extra whether other names than those of inputs may be there; they are ignored
 * @returns {Result}
 */
export function evaluate(answers, sharpen = false, extra = false) {
  return evaluateCase(table, answers, sharpen, extra);
}

/**
 * What to ask after these answers: one of table.questions, or its if_unknown; null where one stops.
 * As for evaluate, but an input that is left out has not been asked for yet.
 * @param {Object<string, string|number|boolean|null>} answers
 * @param {boolean} sharpen
 * @param {boolean} extra
 * @returns {Object|null}
 */
export function nextQuestion(answers, sharpen = false, extra = false) {
  const given = byInput(table, answers, extra);
  const said = (name) => given.get(name) ?? null;
  const known = [];
  while (goesOn(known, sharpen)) {
    const question = questionsOf(table, true)[known.length];
    if (!given.has(question.input)) return question;
    const other = question.if_unknown;
    const isUnknown = readValue(table, question, said(question.input)) === null;
    if (isUnknown && other && !given.has(other.input)) return other;
    known.push(readCase(table, question, said));
  }
  return null;
}

/** Whether there is a question after these answers. */
function goesOn(answers, sharpen) {
  const { decision } = decideAnswers(table, answers, sharpen);
  const deciding = table.questions.length;
  const isLast = answers.length === questionsOf(table, true).length;
  const sharpens = sharpen && deciding <= answers.length && !isLast;
  return decision === "go on" || (sharpens && decision === "undecided");
}

/**
 * The result for answers (true, false or null for unknown) to the first questions, in their order.
 * @param {(boolean|null)[]} answers
 * @param {boolean} sharpen
 * @returns {Result}
 */
export function decide(answers, sharpen = false) {
  return decideAnswers(table, answers, sharpen);
}

/**
 * Yes, no or unknown (true, false, null) for what was said to the question at this place.
 * @param {number} place counted from 0
 * @param {string|number|boolean|null} value
 * @returns {boolean|null}
 */
export function read(place, value) {
  return readAnswer(table, questionsOf(table, true)[place], value);
}

/**
 * What a list says about a case.
 * @typedef {Object} Result
 * @property {"rule out"|"rule in"|"undecided"|"go on"|"unknown"} decision
 *   "unknown": the unknown answers would have made the difference.
 * @property {string} name what the list calls the decision
 * @property {number} stage after how many questions it is reached
 * @property {number|null} total null where unknown answers leave more than one
 * @property {[number, number]} totals the least and the greatest that unknown answers lead to
 * @property {number|null} probability the risk, null where it is not known or not one
 * @property {number|null} lower
 * @property {number|null} upper
 * @property {number|null} cases behind the risk; null where both ways of an unknown answer differ
 * @property {number|null} positives
 * @property {Object<string, string>} outside by input a remark on a number that is outside what the
 *   list has seen; it changes no decision
 */

// White space as Python strips it, so that all forms of the list read the same word.
const SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const TRIM = new RegExp(`^${SPACE}+|${SPACE}+$`, "g");

/**
 * Yes, no or unknown (true, false, null) for what was said to a question.
 * @param {Object} table the decision table
 * @param {Object} question one of table.questions
 * @param {string|number|boolean|null|undefined} value
 * @returns {boolean|null}
 * @throws {RangeError} names the input
 */
function readAnswer(table, question, value) {
  const { kind } = question.condition;
  if (value === null || value === undefined || Number.isNaN(value)) {
    return { missing: true, present: false }[kind] ?? null;
  }
  const isEndless = value === Infinity || value === -Infinity;
  if (!["string", "number", "boolean"].includes(typeof value) || isEndless) {
    refuse(question, value, "a value, yes, no or null");
  }
  return READERS[kind](question, value, table.answers);
}

const READERS = {
  ">=": readAsNumber,
  "<": readAsNumber,
  in: readAsCategory,
  "not in": readAsCategory,
  yes: readAsYesOrNo,
  no: readAsYesOrNo,
  missing: readAsPresence,
  present: readAsPresence,
};

function readAsNumber(question, value, words) {
  if (typeof value === "boolean") return value; // the answer itself
  const { kind, cutoff } = question.condition;
  if (words.unknown.includes(wordOf(value))) return null;
  if (isYesOrNo(wordOf(value), words)) return words.yes.includes(wordOf(value));
  const number = numberOf(question, value, words);
  if (number === null) {
    const unit = question.unit && ` in ${question.unit}`;
    refuse(question, value, `a number with decimal point${unit} or unknown`);
  }
  return (number >= cutoff) === (kind === ">=");
}

/** The number that was said, null if it is none. */
function numberOf(question, value, words) {
  const text = withoutUnit(trimmed(value), question.unit, words);
  return isNumber(text, words) && Number.isFinite(Number(text)) ? Number(text) : null;
}

/**
 * By input the remark on a number that is outside what the list has seen.
 * @param {Object} table the decision table
 * @param {Object[]} questions
 * @param {function(string): (string|number|boolean|null)} said the value of an input
 * @returns {Object<string, string>}
 */
function outsideSeen(table, questions, said) {
  const asked = questions.flatMap((one) => (one.if_unknown ? [one, one.if_unknown] : [one]));
  const remarks = asked.flatMap((one) => {
    const number = one.seen ? numberOf(one, said(one.input), table.answers) : null;
    const isOutside = number !== null && (number < one.seen.within[0] || number > one.seen.within[1]);
    return isOutside ? [[one.input, one.seen.remark]] : [];
  });
  return Object.fromEntries(remarks);
}

function readAsCategory(question, value, words) {
  if (typeof value === "boolean") return value; // the answer itself
  const { kind, categories, choices } = question.condition;
  const category = knownCategory(value, [...categories, ...choices], words);
  if (category !== undefined) return categories.includes(category) === (kind === "in");
  if (words.unknown.includes(wordOf(value))) return null;
  const isAnswer = isYesOrNo(wordOf(value), words);
  if (choices.length && isAnswer) return words.yes.includes(wordOf(value));
  if (!choices.length && !isAnswer) return kind === "not in";
  const known = (choices.length ? choices : categories).map((one) => JSON.stringify(one));
  return refuse(question, value, `one of ${known.join(", ")} or unknown`);
}

function readAsYesOrNo(question, value, words) {
  const { kind } = question.condition;
  const short = wordOf(value).replace(/^([01])\.0*$/, "$1"); // 1.00 is 1
  if (words.unknown.includes(short)) return null;
  if (words.yes_no_inputs_yes.includes(short)) return kind === "yes";
  if (words.yes_no_inputs_no.includes(short)) return kind === "no";
  return refuse(question, value, "yes, no or unknown");
}

function readAsPresence(question, value, words) {
  return words.unknown.includes(wordOf(value)) === (question.condition.kind === "missing");
}

function refuse(question, value, expected) {
  const said = JSON.stringify(value) ?? String(value);
  throw new RangeError(`${JSON.stringify(question.input)}: ${said} came, expected ${expected}`);
}

const trimmed = (value) => String(value).replace(TRIM, "");
const wordOf = (value) => trimmed(value).toLowerCase();
const isYesOrNo = (word, words) => words.yes.includes(word) || words.no.includes(word);
const isNumber = (text, words) => new RegExp(`^(?:${words.number})$`).test(text);

/** The category that a value names: by its letters, or as a code by its number. */
function knownCategory(value, known, words) {
  const text = trimmed(value);
  const named = [String(value), text].find((one) => known.includes(one));
  if (named !== undefined || !isNumber(text, words)) return named;
  const same = known.filter((one) => isNumber(one, words) && Number(one) === Number(text));
  return new Set(same).size === 1 ? same[0] : undefined;
}

/** The number of "45 mg" or "€5" where that is the unit; the text as it came otherwise. */
function withoutUnit(text, unit, words) {
  if (!unit) return text;
  const start = text.startsWith(unit) ? text.slice(unit.length) : text;
  const rest = trimmed(text.endsWith(unit) ? text.slice(0, -unit.length) : start);
  return isNumber(rest, words) ? rest : text;
}

/**
 * The same for a case, where one value answers all questions about its input. Where there are
 * several, yes and no are refused: they would not say to which of them.
 * @param {Object} table the decision table
 * @param {Object} question one of table.questions
 * @param {string|number|boolean|null|undefined} value
 * @returns {boolean|null}
 * @throws {RangeError} names the input
 */
function readValue(table, question, value) {
  const { categories, choices } = question.condition;
  const text = trimmed(value);
  const isWord = isYesOrNo(wordOf(value), table.answers);
  const isCategory = [...categories, ...choices].some((one) => one === value || one === text);
  if (question.value_only && isWord && (typeof value === "boolean" || !isCategory)) {
    const name = JSON.stringify(question.input);
    throw new RangeError(`${name}: ${text} came, expected its value: several questions ask for it`);
  }
  return readAnswer(table, question, value);
}

/**
 * The answer of a case to a question: by its own value; where that is unknown, its substitute's.
 * @param {Object} table the decision table
 * @param {Object} question one of table.questions
 * @param {function(string): (string|number|boolean|null)} said the value of an input
 * @returns {boolean|null}
 */
function readCase(table, question, said) {
  const answer = readValue(table, question, said(question.input));
  const other = question.if_unknown;
  return answer === null && other ? readValue(table, other, said(other.input)) : answer;
}

/** The questions that decide; with sharpen also those that only sharpen the risk. */
const questionsOf = (table, sharpen) =>
  sharpen ? [...table.questions, ...table.sharpening.questions] : table.questions;

/**
 * Follow answers from the start until they end or one stops; the box where that is, with its stage.
 * @param {Object} table the decision table
 * @param {(boolean|null)[]} answers
 * @param {boolean} sharpen whether who is undecided goes on to questions that only sharpen the risk
 * @param {boolean} upwards whether unknown answers lead to the highest total, or to the lowest
 * @returns {Object}
 */
function walkAnswers(table, answers, sharpen, upwards) {
  const steps = [...table.steps, ...table.sharpening.steps];
  let box = steps[0].boxes[0];
  let stage = 0;
  for (const { points } of questionsOf(table, sharpen).slice(0, answers.length)) {
    if (box.decision !== (stage < table.questions.length ? "go on" : "undecided")) break;
    const yes = answers[stage] ?? points > 0 === upwards;
    const total = box.total + (yes ? points : 0);
    stage += 1;
    box = steps[stage].boxes.find((one) => one.total === total);
  }
  return { stage, ...box };
}

/** The end of a range over both ways of an unknown answer; null where one has no range. */
const outer = (end, one, other) => (one === null || other === null ? null : end(one, other));

/**
 * The result for answers (true, false or null for unknown) to the first questions, in their order.
 * @param {Object} table the decision table
 * @param {(boolean|null)[]} answers
 * @param {boolean} sharpen
 * @returns {Result}
 */
function decideAnswers(table, answers, sharpen = false) {
  // Unknown answers go both ways, towards the lowest and the highest total; both must agree.
  const [lowest, highest] = [false, true].map((up) => walkAnswers(table, answers, sharpen, up));
  const isOpen = lowest.decision === "go on" || highest.decision === "go on";
  const apart = isOpen ? "go on" : "unknown";
  const decision = lowest.decision === highest.decision ? lowest.decision : apart;
  const sameCounts = lowest.cases === highest.cases && lowest.positives === highest.positives;
  return {
    decision,
    name: table.names[decision] || decision,
    stage: Math.max(lowest.stage, highest.stage),
    total: lowest.total === highest.total ? lowest.total : null,
    totals: [Math.min(lowest.total, highest.total), Math.max(lowest.total, highest.total)],
    probability: lowest.probability === highest.probability ? lowest.probability : null,
    lower: outer(Math.min, lowest.lower, highest.lower),
    upper: outer(Math.max, lowest.upper, highest.upper),
    outside: {},
    cases: sameCounts ? lowest.cases : null,
    positives: sameCounts ? lowest.positives : null,
  };
}

/**
 * The result for a case: an object of input: value, true, false or null; what is left out is
 * unknown.
 * @param {Object} table the decision table
 * @param {Object<string, string|number|boolean|null>} answers
 * @param {boolean} sharpen
 * @param {boolean} extra whether other names than those of inputs may be there; they are ignored
 * @returns {Result}
 * @throws {RangeError} names the input
 */
function evaluateCase(table, answers, sharpen = false, extra = false) {
  const given = byInput(table, answers, extra);
  const said = (name) => given.get(name) ?? null;
  const questions = questionsOf(table, sharpen);
  const read = questions.map((question) => readCase(table, question, said));
  return { ...decideAnswers(table, read, sharpen), outside: outsideSeen(table, questions, said) };
}

/** The same answers by the names of their inputs, where some came as the card calls them. */
function byInput(table, answers, extra = false) {
  const questions = questionsOf(table, true);
  const asked = questions.flatMap((one) => (one.if_unknown ? [one, one.if_unknown] : [one]));
  const inputs = asked.map((question) => question.input);
  const isKnown = (name) => inputs.includes(name) || table.not_asked.includes(name);
  const given = new Map();
  for (const [said, value] of Object.entries(answers)) {
    const called = new Set(asked.filter((one) => one.label === said).map((one) => one.input));
    const name = isKnown(said) || called.size !== 1 ? said : [...called][0];
    if (!isKnown(name)) {
      if (extra) continue;
      throw new RangeError(`${JSON.stringify(name)} came, expected one of ${inputs.join(", ")}`);
    }
    if (given.has(name)) {
      throw new RangeError(`${JSON.stringify(name)} came twice, by its name and by its label`);
    }
    given.set(name, value);
  }
  return given;
}

// Written by scorecard 0.2.0.dev0, language en, sha256 of what follows:
// f64d04f78431e58c859270c335439c9a60a9cbf17ec69ce40ba39e2440db37c4
/**
 * Breast mass: malignant?
 *
 * Outcome: malignant; Population: a breast mass with a fine-needle aspirate; Source: Wisconsin
 *   breast cancer (UCI); Note: An illustration, not a clinical tool; the source names no units.
 * Add the points of each yes in order and stop where told; follow an unknown both ways.
 *   1. Largest perimeter ≥ 110       +3   biopsy at 3 or more
 *   2. Largest concave points ≥ 0.14 +3   benign at 0 or less, else refer
 * Rule out at a risk of at most 5, rule in at one of at least 85 of 100; kept by the total's own
 *   risk and, in cross-checking, by all who stop on that side; at least 10 cases behind a stop.
 *   Each risk is that of patients with this total after this question. Risks expected in new
 *   patients: learned from all cases, corrected by cross-checking. Counts are of the cases that
 *   chose the questions. 569 cases, 212 with the outcome. In cross-checking 10 of 335 with ▼ had
 *   the outcome (limit: at most 5 of 100). In cross-checking 173 of 191 with ▲ had the outcome
 *   (limit: at least 85 of 100). In cross-checking 526 of 569 cases ended with ▼ or ▲ (1.7
 *   questions on average); each was judged by a list that had not seen it. Not validated
 *   elsewhere.
 * table: cases.csv; table sha256:
 *   fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6; rows: 569; cases: 569, 212
 *   positive; psl-scorecard: 0.2.0.dev0; numpy: 2.4.6; scikit-learn: 1.9.1; python: 3.11.7
 * List sha256:8a130cc33232b3cf724d7d8d1d21a3501548e9b30e1039e394a5a2e3bd7c6827, scorecard
 *   0.2.0.dev0
 *
 * An ES module without dependencies, for browsers and Node:
 *   import { evaluate } from "./evaluator.mjs";
 *   evaluate({ "worst_perimeter": 110, "worst_concave_points": 0.14 });
 */

/** The list under its limits: questions, and per stage and total what to do and the risk. */
export const table = {
  "format": "scorecard-decisions/2",
  "sha256": "6f6fa283d80bec273468d0890fb43899f36ac2c59e2d54d9750e3de42a13540c",
  "generator": "scorecard 0.2.0.dev0",
  "language": "en",
  "model": "sha256:8a130cc33232b3cf724d7d8d1d21a3501548e9b30e1039e394a5a2e3bd7c6827",
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
  "names": {"rule out": "benign", "rule in": "biopsy", "undecided": "refer"},
  "figures": {"origin": "cross-checked", "level": 0.95, "band": "paper"},
  "policy": {"rule_out": 0.05, "rule_in": 0.85, "by": "promise", "estimate": "reached", "confidence": 0.9, "min_cases": 10, "miss_cost": null, "curtail": "decided"},
  "words": [
    "Rule out at a risk of at most 5, rule in at one of at least 85 of 100; kept by the total's own risk and, in cross-checking, by all who stop on that side; at least 10 cases behind a stop.",
    "Each risk is that of patients with this total after this question.",
    "Risks expected in new patients: learned from all cases, corrected by cross-checking. Counts are of the cases that chose the questions. 569 cases, 212 with the outcome.",
    "In cross-checking 10 of 335 with ▼ had the outcome (limit: at most 5 of 100).",
    "In cross-checking 173 of 191 with ▲ had the outcome (limit: at least 85 of 100).",
    "In cross-checking 526 of 569 cases ended with ▼ or ▲ (1.7 questions on average); each was judged by a list that had not seen it.",
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
    {"input": "worst_perimeter", "label": "Largest perimeter", "unit": "", "note": "", "text": "Largest perimeter ≥ 110", "points": 3, "condition": {"kind": ">=", "cutoff": 110, "categories": [], "choices": []}, "value_only": false, "settled_by": []},
    {"input": "worst_concave_points", "label": "Largest concave points", "unit": "", "note": "", "text": "Largest concave points ≥ 0.14", "points": 3, "condition": {"kind": ">=", "cutoff": 0.14, "categories": [], "choices": []}, "value_only": false, "settled_by": []}
  ],
  "not_asked": [],
  "steps": [
    {
      "stage": 0,
      "rule_out_at": null,
      "rule_in_at": null,
      "undecided_between": null,
      "boxes": [
        {"total": 0, "decision": "go on", "probability": 0.37258347978910367, "lower": 0.3327290425963131, "upper": 0.4137683446075898, "cases": 569, "positives": 212, "curtailed": false}
      ]
    },
    {
      "stage": 1,
      "rule_out_at": null,
      "rule_in_at": 3,
      "undecided_between": null,
      "boxes": [
        {"total": 0, "decision": "go on", "probability": 0.07950528080438625, "lower": 0.04410240359433425, "upper": 0.1995010754989386, "cases": 367, "positives": 28, "curtailed": false},
        {"total": 3, "decision": "rule in", "probability": 0.9054997130213935, "lower": 0.7124106129661858, "upper": 0.9521198151873832, "cases": 202, "positives": 184, "curtailed": false}
      ]
    },
    {
      "stage": 2,
      "rule_out_at": 0,
      "rule_in_at": null,
      "undecided_between": [3, 3],
      "boxes": [
        {"total": 0, "decision": "rule out", "probability": 0.027106638186944875, "lower": 0.006715869015598677, "upper": 0.12021655215193851, "cases": 333, "positives": 9, "curtailed": false},
        {"total": 3, "decision": "undecided", "probability": 0.5780393134797204, "lower": 0.2480964714415164, "upper": 0.8262816601207256, "cases": 34, "positives": 19, "curtailed": false}
      ]
    }
  ],
  "sharpening": {"questions": [], "steps": []},
  "stops": [
    {"stage": 1, "decision": "rule in", "cases": 202, "positives": 184},
    {"stage": 2, "decision": "rule out", "cases": 333, "positives": 9},
    {"stage": 2, "decision": "undecided", "cases": 34, "positives": 19}
  ],
  "notes": [],
  "provenance": [["table", "cases.csv"], ["table sha256", "fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6"], ["rows", "569"], ["cases", "569, 212 positive"], ["option as_published", "False"], ["option band", "paper"], ["option beam", "1"], ["option binarize", "in-search"], ["option calibration", "sigmoid"], ["option cost_weight", "auto"], ["option cutoffs", "auto"], ["option evidence", "cross-checked"], ["option held_out", "0.0"], ["option level", "0.95"], ["option lookahead", "1"], ["option loss", "entropy"], ["option max_questions", "2"], ["option min_gain", "0.0"], ["option missing", "unknown"], ["option no_evidence", "False"], ["option outcome", "diagnosis"], ["option points", "(-3, -2, -1, 1, 2, 3)"], ["option positive", "malignant"], ["option positive_points", "True"], ["option repeat_inputs", "3"], ["option search", "greedy"], ["option seed", "0"], ["option stream", "False"], ["option substitutes", "True"], ["psl-scorecard", "0.2.0.dev0"], ["numpy", "2.4.6"], ["scikit-learn", "1.9.1"], ["python", "3.11.7"]]
};

/**
 * The result for a case: an object of input: value, true, false or null; what is left out is
 * unknown. Throws a RangeError that names the input.
 * @param {Object<string, string|number|boolean|null>} answers
 * @param {boolean} sharpen whether who is undecided goes on to questions that only sharpen the risk
 * @returns {Result}
 */
export function evaluate(answers, sharpen = false) {
  return evaluateCase(table, answers, sharpen);
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
 * @property {[number, number]} totals where unknown answers lead, taken for the lowest and highest
 * @property {number|null} probability the risk, null where it is not known or not one
 * @property {number|null} lower
 * @property {number|null} upper
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
  const number = withoutUnit(trimmed(value), question.unit, words);
  if (!isNumber(number, words) || !Number.isFinite(Number(number))) {
    const unit = question.unit && ` in ${question.unit}`;
    refuse(question, value, `a number with decimal point${unit} or unknown`);
  }
  return (Number(number) >= cutoff) === (kind === ">=");
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
  return {
    decision,
    name: table.names[decision] || decision,
    stage: Math.max(lowest.stage, highest.stage),
    total: lowest.total === highest.total ? lowest.total : null,
    totals: [lowest.total, highest.total],
    probability: lowest.probability === highest.probability ? lowest.probability : null,
    lower: lowest.lower,
    upper: highest.upper,
  };
}

/**
 * The result for a case: an object of input: value, true, false or null; what is left out is
 * unknown.
 * @param {Object} table the decision table
 * @param {Object<string, string|number|boolean|null>} answers
 * @param {boolean} sharpen
 * @returns {Result}
 * @throws {RangeError} names the input
 */
function evaluateCase(table, answers, sharpen = false) {
  const given = byInput(table, answers);
  const read = (question) => readCase(table, question, (name) => given.get(name) ?? null);
  return decideAnswers(table, questionsOf(table, sharpen).map(read), sharpen);
}

/** The same answers by the names of their inputs, where some came as the card calls them. */
function byInput(table, answers) {
  const questions = questionsOf(table, true);
  const asked = questions.flatMap((one) => (one.if_unknown ? [one, one.if_unknown] : [one]));
  const inputs = asked.map((question) => question.input);
  const isKnown = (name) => inputs.includes(name) || table.not_asked.includes(name);
  const given = new Map();
  for (const [said, value] of Object.entries(answers)) {
    const called = new Set(asked.filter((one) => one.label === said).map((one) => one.input));
    const name = isKnown(said) || called.size !== 1 ? said : [...called][0];
    if (!isKnown(name)) {
      throw new RangeError(`${JSON.stringify(name)} came, expected one of ${inputs.join(", ")}`);
    }
    if (given.has(name)) {
      throw new RangeError(`${JSON.stringify(name)} came twice, by its name and by its label`);
    }
    given.set(name, value);
  }
  return given;
}

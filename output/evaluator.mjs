// Written by scorecard 0.1.0, language en, sha256 of what follows:
// 19e90b38454a537f0656664467611ed4f07305845dda2dffcaa66a5d23917c23
/**
 * Breast mass: malignant?
 *
 * Outcome: malignant; Population: a breast mass with a fine-needle aspirate; Source: Wisconsin
 *   breast cancer (UCI); Note: An illustration, not a clinical tool.
 * Add the points of each yes in order and stop where told; follow an unknown both ways.
 *   1. Largest perimeter ≥ 111.7      +3
 *   2. Largest concave points ≥ 0.141 +3   rule out at 0 or less, rule in at 6 or more, else
 *   undecided
 * Rule out at a risk of at most 5, rule in at one of at least 95 of 100; kept by the total's own
 *   risk and, in cross-checking, by all who stop on that side; at least 10 cases behind a stop.
 *   Each risk is that of the cases who get to the box. Risks expected in new patients: learned
 *   from all cases, corrected by cross-checking. Counts are of the cases that chose the
 *   questions. 569 cases, 212 with the outcome. In cross-checking 11 of 335 with ▼ had the
 *   outcome (limit: at most 5 of 100). In cross-checking 157 of 161 with ▲ had the outcome
 *   (limit: at least 95 of 100). In cross-checking 496 of 569 cases ended with ▼ or ▲ (2
 *   questions on average); each was judged by a list that had not seen it. Not externally
 *   validated.
 * - After 2 of 6 questions no answer leads to a decision any more; further ones only sharpen the
 *   risk: Largest perimeter, Largest texture, Spread of area and Largest symmetry.
 * table: cases.csv; table sha256:
 *   fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6; rows: 569; cases: 569, 212
 *   positive; number of questions: cross-checked log loss 0.145 after 6, 0.145 after 6 (the
 *   best); 0.660 without questions; psl-scorecard: 0.1.0; numpy: 2.4.6; scikit-learn: 1.9.1;
 *   python: 3.11.7
 * List sha256:460d4bddfdc4d75269efb1f98a95cb4e53408d075905333c989ca51ecff6524f, scorecard 0.1.0
 *
 * An ES module without dependencies, for browsers and Node:
 *   import { evaluate } from "./evaluator.js";
 *   evaluate({ "worst_perimeter": 111.7, "worst_concave_points": 0.141 });
 */

/** The list under its limits: questions, and per stage and total what to do and the risk. */
export const table = {
  "format": "scorecard-decisions/2",
  "sha256": "4be2c7f3fec2739abbd27ee4959a5d61f28a3dace3c76915a08f212a1ae01f73",
  "generator": "scorecard 0.1.0",
  "language": "en",
  "model": "sha256:460d4bddfdc4d75269efb1f98a95cb4e53408d075905333c989ca51ecff6524f",
  "about": {
    "title": "Breast mass: malignant?",
    "outcome": "malignant",
    "population": "a breast mass with a fine-needle aspirate",
    "rule_out": "benign",
    "rule_in": "malignant",
    "undecided": "refer",
    "source": "Wisconsin breast cancer (UCI)",
    "version": "1",
    "date": "2026-11-16",
    "note": "An illustration, not a clinical tool."
  },
  "names": {"rule out": "benign", "rule in": "malignant", "undecided": "refer"},
  "figures": {"origin": "cross-checked", "level": null, "band": ""},
  "policy": {"rule_out": 0.05, "rule_in": 0.95, "by": "promise", "estimate": "reached", "confidence": 0.9, "min_cases": 10, "miss_cost": null, "curtail": "decided"},
  "words": [
    "Rule out at a risk of at most 5, rule in at one of at least 95 of 100; kept by the total's own risk and, in cross-checking, by all who stop on that side; at least 10 cases behind a stop.",
    "Each risk is that of the cases who get to the box.",
    "Risks expected in new patients: learned from all cases, corrected by cross-checking. Counts are of the cases that chose the questions. 569 cases, 212 with the outcome.",
    "In cross-checking 11 of 335 with ▼ had the outcome (limit: at most 5 of 100).",
    "In cross-checking 157 of 161 with ▲ had the outcome (limit: at least 95 of 100).",
    "In cross-checking 496 of 569 cases ended with ▼ or ▲ (2 questions on average); each was judged by a list that had not seen it.",
    "Not externally validated."
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
    {"input": "worst_perimeter", "label": "Largest perimeter", "unit": "", "note": "", "text": "Largest perimeter ≥ 111.7", "points": 3, "condition": {"kind": ">=", "cutoff": 111.7, "categories": [], "choices": []}, "value_only": true, "settled_by": []},
    {"input": "worst_concave_points", "label": "Largest concave points", "unit": "", "note": "", "text": "Largest concave points ≥ 0.141", "points": 3, "condition": {"kind": ">=", "cutoff": 0.141, "categories": [], "choices": []}, "value_only": false, "settled_by": []}
  ],
  "not_asked": ["worst_perimeter", "worst_texture", "area_error", "worst_symmetry"],
  "steps": [
    {
      "stage": 0,
      "rule_out_at": null,
      "rule_in_at": null,
      "undecided_between": null,
      "boxes": [
        {"total": 0, "decision": "go on", "probability": 0.37258347978910367, "lower": null, "upper": null, "cases": 569, "positives": 212, "curtailed": false}
      ]
    },
    {
      "stage": 1,
      "rule_out_at": null,
      "rule_in_at": null,
      "undecided_between": null,
      "boxes": [
        {"total": 0, "decision": "go on", "probability": 0.08925227212593599, "lower": null, "upper": null, "cases": 374, "positives": 32, "curtailed": false},
        {"total": 3, "decision": "go on", "probability": 0.9128686418458987, "lower": null, "upper": null, "cases": 195, "positives": 180, "curtailed": false}
      ]
    },
    {
      "stage": 2,
      "rule_out_at": 0,
      "rule_in_at": 6,
      "undecided_between": [3, 3],
      "boxes": [
        {"total": 0, "decision": "rule out", "probability": 0.032340361953264604, "lower": null, "upper": null, "cases": 339, "positives": 11, "curtailed": false},
        {"total": 3, "decision": "undecided", "probability": 0.601545436459596, "lower": null, "upper": null, "cases": 71, "positives": 43, "curtailed": false},
        {"total": 6, "decision": "rule in", "probability": 0.9904904170304727, "lower": null, "upper": null, "cases": 159, "positives": 158, "curtailed": false}
      ]
    }
  ],
  "sharpening": {"questions": [{"input": "worst_perimeter", "label": "Largest perimeter", "unit": "", "note": "", "text": "Largest perimeter ≥ 101.2", "points": 2, "condition": {"kind": ">=", "cutoff": 101.2, "categories": [], "choices": []}, "value_only": true, "settled_by": [{"question": 0, "answer": true, "then": true}]}, {"input": "worst_texture", "label": "Largest texture", "unit": "", "note": "", "text": "Largest texture ≥ 21.4", "points": 2, "condition": {"kind": ">=", "cutoff": 21.4, "categories": [], "choices": []}, "value_only": false, "settled_by": []}, {"input": "area_error", "label": "Spread of area", "unit": "", "note": "", "text": "Spread of area ≥ 32.7", "points": 1, "condition": {"kind": ">=", "cutoff": 32.7, "categories": [], "choices": []}, "value_only": false, "settled_by": []}, {"input": "worst_symmetry", "label": "Largest symmetry", "unit": "", "note": "", "text": "Largest symmetry ≥ 0.368", "points": 2, "condition": {"kind": ">=", "cutoff": 0.368, "categories": [], "choices": []}, "value_only": false, "settled_by": []}], "steps": [{"stage": 3, "rule_out_at": null, "rule_in_at": null, "undecided_between": [3, 5], "boxes": [{"total": 3, "decision": "undecided", "probability": 0.28810680464558974, "lower": null, "upper": null, "cases": 12, "positives": 5, "curtailed": false}, {"total": 5, "decision": "undecided", "probability": 0.6954121971301453, "lower": null, "upper": null, "cases": 59, "positives": 38, "curtailed": false}]}, {"stage": 4, "rule_out_at": null, "rule_in_at": null, "undecided_between": [3, 7], "boxes": [{"total": 3, "decision": "undecided", "probability": 0.06361901882635156, "lower": null, "upper": null, "cases": 1, "positives": 0, "curtailed": false}, {"total": 5, "decision": "undecided", "probability": 0.31957029221950467, "lower": null, "upper": null, "cases": 24, "positives": 6, "curtailed": false}, {"total": 7, "decision": "undecided", "probability": 0.793792772757468, "lower": null, "upper": null, "cases": 46, "positives": 37, "curtailed": false}]}, {"stage": 5, "rule_out_at": null, "rule_in_at": null, "undecided_between": [3, 8], "boxes": [{"total": 3, "decision": "undecided", "probability": 0.04574875825145304, "lower": null, "upper": null, "cases": 0, "positives": 0, "curtailed": false}, {"total": 4, "decision": "undecided", "probability": 0.11119225042231874, "lower": null, "upper": null, "cases": 1, "positives": 0, "curtailed": false}, {"total": 5, "decision": "undecided", "probability": 0.2564368237030037, "lower": null, "upper": null, "cases": 21, "positives": 6, "curtailed": false}, {"total": 6, "decision": "undecided", "probability": 0.45471836016590483, "lower": null, "upper": null, "cases": 3, "positives": 0, "curtailed": false}, {"total": 7, "decision": "undecided", "probability": 0.696086827359776, "lower": null, "upper": null, "cases": 22, "positives": 15, "curtailed": false}, {"total": 8, "decision": "undecided", "probability": 0.8708384218944965, "lower": null, "upper": null, "cases": 24, "positives": 22, "curtailed": false}]}, {"stage": 6, "rule_out_at": null, "rule_in_at": null, "undecided_between": [3, 10], "boxes": [{"total": 3, "decision": "undecided", "probability": 0.04119761397352688, "lower": null, "upper": null, "cases": 0, "positives": 0, "curtailed": false}, {"total": 4, "decision": "undecided", "probability": 0.09956813493760641, "lower": null, "upper": null, "cases": 1, "positives": 0, "curtailed": false}, {"total": 5, "decision": "undecided", "probability": 0.21152518009102259, "lower": null, "upper": null, "cases": 16, "positives": 2, "curtailed": false}, {"total": 6, "decision": "undecided", "probability": 0.4183168139018162, "lower": null, "upper": null, "cases": 3, "positives": 0, "curtailed": false}, {"total": 7, "decision": "undecided", "probability": 0.6556155039648363, "lower": null, "upper": null, "cases": 21, "positives": 13, "curtailed": false}, {"total": 8, "decision": "undecided", "probability": 0.8510271515575126, "lower": null, "upper": null, "cases": 23, "positives": 21, "curtailed": false}, {"total": 9, "decision": "undecided", "probability": 0.9342063003939883, "lower": null, "upper": null, "cases": 6, "positives": 6, "curtailed": false}, {"total": 10, "decision": "undecided", "probability": 0.9722731172706653, "lower": null, "upper": null, "cases": 1, "positives": 1, "curtailed": false}]}]},
  "stops": [
    {"stage": 2, "decision": "rule in", "cases": 159, "positives": 158},
    {"stage": 2, "decision": "rule out", "cases": 339, "positives": 11},
    {"stage": 2, "decision": "undecided", "cases": 71, "positives": 43}
  ],
  "notes": [
    {"kind": "only-sharpen", "text": "After 2 of 6 questions no answer leads to a decision any more; further ones only sharpen the risk: Largest perimeter, Largest texture, Spread of area and Largest symmetry."}
  ],
  "provenance": [["table", "cases.csv"], ["table sha256", "fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6"], ["rows", "569"], ["cases", "569, 212 positive"], ["number of questions", "cross-checked log loss 0.145 after 6, 0.145 after 6 (the best); 0.660 without questions"], ["option as_published", "False"], ["option band", "paper"], ["option beam", "1"], ["option binarize", "in-search"], ["option calibration", "sigmoid"], ["option cutoffs", "auto"], ["option evidence", "cross-checked"], ["option held_out", "0.0"], ["option level", "0.95"], ["option lookahead", "1"], ["option loss", "entropy"], ["option max_questions", "auto"], ["option min_gain", "0.0"], ["option missing", "unknown"], ["option no_evidence", "False"], ["option outcome", "diagnosis"], ["option points", "(-3, -2, -1, 1, 2, 3)"], ["option positive", "malignant"], ["option positive_points", "True"], ["option repeat_inputs", "3"], ["option search", "greedy"], ["option seed", "0"], ["psl-scorecard", "0.1.0"], ["numpy", "2.4.6"], ["scikit-learn", "1.9.1"], ["python", "3.11.7"]]
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
  const { kind, cutoff, categories, choices } = question.condition;
  const words = table.answers;
  const numeric = kind === ">=" || kind === "<";
  const categorical = kind === "in" || kind === "not in";
  const turned = ["<", "not in", "no"].includes(kind);
  const isNumber = (one) => new RegExp(`^(?:${words.number})$`).test(one);
  const presence = kind === "missing" || kind === "present";
  const ifMissing = presence ? kind === "missing" : null;
  const refuse = (expected) => {
    const said = JSON.stringify(value) ?? String(value);
    throw new RangeError(`${JSON.stringify(question.input)}: ${said} came, expected ${expected}`);
  };
  if (value === null || value === undefined || Number.isNaN(value)) return ifMissing;
  if (typeof value === "boolean" && (numeric || categorical)) return value;
  const endless = value === Infinity || value === -Infinity;
  if (!["string", "number", "boolean"].includes(typeof value) || endless) {
    refuse("a value, yes, no or null");
  }
  const text = String(value).replace(TRIM, "");
  const word = text.toLowerCase();
  if (categorical) {
    const category = knownCategory(String(value), text, [...categories, ...choices], isNumber);
    if (category !== undefined) return categories.includes(category) !== turned;
  }
  if (words.unknown.includes(word)) return ifMissing;
  if (presence) return !ifMissing;
  const isAnswer = words.yes.includes(word) || words.no.includes(word);
  if (categorical) {
    if (choices.length && isAnswer) return words.yes.includes(word);
    if (!choices.length && !isAnswer) return turned;
    const known = choices.length ? choices : categories;
    refuse(`one of ${known.map((one) => JSON.stringify(one)).join(", ")} or unknown`);
  }
  if (!numeric) {
    const short = word.replace(/^([01])\.0*$/, "$1"); // 1.00 is 1
    if (words.yes_no_inputs_yes.includes(short)) return !turned;
    if (words.yes_no_inputs_no.includes(short)) return turned;
    refuse("yes, no or unknown");
  }
  if (isAnswer) return words.yes.includes(word);
  const number = withoutUnit(text, question.unit, isNumber);
  if (!isNumber(number) || !Number.isFinite(Number(number))) {
    refuse(`a number with decimal point${question.unit && ` in ${question.unit}`} or unknown`);
  }
  return (Number(number) >= cutoff) !== turned;
}

/** The category that a text names: by its letters, or as a code by its number. */
function knownCategory(asItStands, text, known, isNumber) {
  const named = [asItStands, text].find((one) => known.includes(one));
  if (named !== undefined || !isNumber(text)) return named;
  const same = known.filter((one) => isNumber(one) && Number(one) === Number(text));
  return new Set(same).size === 1 ? same[0] : undefined;
}

/** The number of "45 mg" or "€5" where that is the unit; the text as it came otherwise. */
function withoutUnit(text, unit, isNumber) {
  if (!unit) return text;
  const start = text.startsWith(unit) ? text.slice(unit.length) : text;
  const rest = (text.endsWith(unit) ? text.slice(0, -unit.length) : start).replace(TRIM, "");
  return isNumber(rest) ? rest : text;
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
  const text = String(value).replace(TRIM, "");
  const isWord = [...table.answers.yes, ...table.answers.no].includes(text.toLowerCase());
  const isCategory = [...categories, ...choices].some((one) => one === value || one === text);
  if (question.value_only && isWord && (typeof value === "boolean" || !isCategory)) {
    const name = JSON.stringify(question.input);
    throw new RangeError(`${name}: ${text} came, expected its value: several questions ask for it`);
  }
  return readAnswer(table, question, value);
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
  const inputs = table.questions.map((question) => question.input);
  for (const name of Object.keys(answers)) {
    if (!inputs.includes(name) && !table.not_asked.includes(name)) {
      throw new RangeError(`${JSON.stringify(name)} came, expected one of ${inputs.join(", ")}`);
    }
  }
  const said = (name) => (Object.prototype.hasOwnProperty.call(answers, name) ? answers[name] : null);
  const read = (question) => readValue(table, question, said(question.input));
  return decideAnswers(table, questionsOf(table, sharpen).map(read), sharpen);
}

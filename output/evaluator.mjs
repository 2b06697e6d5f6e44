/**
 * Breast mass: malignant?
 *
 * Outcome: malignant; Population: a breast mass with a fine-needle aspirate; Source: Wisconsin breast cancer (UCI); Note: An illustration, not a clinical tool.
 * Add the points of each yes in order and stop where told; follow an unknown both ways.
 *   1. Mean concave points ≥ 0.049    +3
 *   2. Largest area ≥ 928.5           +3   rule in at 6 or more
 *   3. Largest texture ≥ 23.35        +2   rule out at 0 or less
 *   4. Largest symmetry ≥ 0.278       +1
 *   5. Spread of radius ≥ 0.643       +2
 *   6. Largest concave points ≥ 0.131 +1   else undecided
 * Rule out at a risk of at most 5, rule in at one of at least 95 of 100; shown by the total's own estimate and, with 90 % confidence, by all who stop there together; at least 10 cases behind a stop. Each risk is that of the cases who get to the box. Held-out figures: from cases that did not choose the questions. 190 cases, 71 with the outcome. Not externally validated.
 * table: cases.csv; table sha256: fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6; rows: 569; cases: 569, 212 positive; psl-scorecard: 0.1.0; numpy: 2.4.6; scikit-learn: 1.9.1; python: 3.11.7
 * List sha256:d224858f7a50028e4ba2bce8248a57ce49bc006e6e51fe7155e90d2918e68ef2, scorecard 0.1.0
 *
 * An ES module without dependencies, for browsers and Node:
 *   import { evaluate } from "./evaluator.js";
 *   evaluate({ "mean_concave_points": 0.049, "worst_area": 928.5 });
 */

/** The list under its limits: questions, and per stage and total what to do and the risk. */
export const table = {
  "format": "scorecard-decisions/1",
  "generator": "scorecard 0.1.0",
  "model": "sha256:d224858f7a50028e4ba2bce8248a57ce49bc006e6e51fe7155e90d2918e68ef2",
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
  "figures": {"origin": "held-out", "level": 0.95, "band": "paper"},
  "policy": {"rule_out": 0.05, "rule_in": 0.95, "by": "group", "estimate": "reached", "confidence": 0.9, "min_cases": 10, "miss_cost": null, "curtail": "decided"},
  "words": [
    "Rule out at a risk of at most 5, rule in at one of at least 95 of 100; shown by the total's own estimate and, with 90 % confidence, by all who stop there together; at least 10 cases behind a stop.",
    "Each risk is that of the cases who get to the box.",
    "Held-out figures: from cases that did not choose the questions. 190 cases, 71 with the outcome.",
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
    {"input": "mean_concave_points", "label": "Mean concave points", "unit": "", "note": "", "text": "Mean concave points ≥ 0.049", "points": 3, "condition": {"kind": ">=", "cutoff": 0.049, "categories": [], "choices": []}},
    {"input": "worst_area", "label": "Largest area", "unit": "", "note": "", "text": "Largest area ≥ 928.5", "points": 3, "condition": {"kind": ">=", "cutoff": 928.5, "categories": [], "choices": []}},
    {"input": "worst_texture", "label": "Largest texture", "unit": "", "note": "", "text": "Largest texture ≥ 23.35", "points": 2, "condition": {"kind": ">=", "cutoff": 23.35, "categories": [], "choices": []}},
    {"input": "worst_symmetry", "label": "Largest symmetry", "unit": "", "note": "", "text": "Largest symmetry ≥ 0.278", "points": 1, "condition": {"kind": ">=", "cutoff": 0.278, "categories": [], "choices": []}},
    {"input": "radius_error", "label": "Spread of radius", "unit": "", "note": "", "text": "Spread of radius ≥ 0.643", "points": 2, "condition": {"kind": ">=", "cutoff": 0.643, "categories": [], "choices": []}},
    {"input": "worst_concave_points", "label": "Largest concave points", "unit": "", "note": "", "text": "Largest concave points ≥ 0.131", "points": 1, "condition": {"kind": ">=", "cutoff": 0.131, "categories": [], "choices": []}}
  ],
  "not_asked": [],
  "steps": [
    {
      "stage": 0,
      "rule_out_at": null,
      "rule_in_at": null,
      "undecided_between": null,
      "boxes": [
        {"total": 0, "decision": "go on", "probability": 0.3736842105263158, "lower": 0.3047279508899647, "upper": 0.4466488312979434, "cases": 190, "positives": 71, "curtailed": false}
      ]
    },
    {
      "stage": 1,
      "rule_out_at": null,
      "rule_in_at": null,
      "undecided_between": null,
      "boxes": [
        {"total": 0, "decision": "go on", "probability": 0.047619047619047616, "lower": 0.013057332036604589, "upper": 0.11713896079725875, "cases": 105, "positives": 5, "curtailed": false},
        {"total": 3, "decision": "go on", "probability": 0.7764705882352941, "lower": 0.6583279684156552, "upper": 0.8694172490028629, "cases": 85, "positives": 66, "curtailed": false}
      ]
    },
    {
      "stage": 2,
      "rule_out_at": null,
      "rule_in_at": 6,
      "undecided_between": null,
      "boxes": [
        {"total": 0, "decision": "go on", "probability": 0.029411764705882353, "lower": 0.004026449132770904, "upper": 0.09736389947265522, "cases": 102, "positives": 3, "curtailed": false},
        {"total": 3, "decision": "go on", "probability": 0.4444444444444444, "lower": 0.24927775072612374, "upper": 0.6528005579340042, "cases": 36, "positives": 16, "curtailed": false},
        {"total": 6, "decision": "rule in", "probability": 1.0, "lower": 0.9120439047442115, "upper": 1.0, "cases": 52, "positives": 52, "curtailed": false}
      ]
    },
    {
      "stage": 3,
      "rule_out_at": 0,
      "rule_in_at": null,
      "undecided_between": null,
      "boxes": [
        {"total": 0, "decision": "rule out", "probability": 0.0, "lower": 0.0, "upper": 0.09651277941601083, "cases": 54, "positives": 0, "curtailed": false},
        {"total": 2, "decision": "go on", "probability": 0.0625, "lower": 0.006707385566126647, "upper": 0.21454357624728393, "cases": 48, "positives": 3, "curtailed": false},
        {"total": 3, "decision": "go on", "probability": 0.07142857142857142, "lower": 0.006707385566126647, "upper": 0.43280656767632064, "cases": 14, "positives": 1, "curtailed": false},
        {"total": 5, "decision": "go on", "probability": 0.6818181818181818, "lower": 0.3814228972533974, "upper": 0.9009272489932418, "cases": 22, "positives": 15, "curtailed": false}
      ]
    },
    {
      "stage": 4,
      "rule_out_at": null,
      "rule_in_at": null,
      "undecided_between": null,
      "boxes": [
        {"total": 2, "decision": "go on", "probability": 0.03571428571428571, "lower": 8.939351195182114e-05, "upper": 0.25829338880779784, "cases": 28, "positives": 1, "curtailed": false},
        {"total": 3, "decision": "go on", "probability": 0.08695652173913043, "lower": 0.003214899162432661, "upper": 0.3695588931575456, "cases": 23, "positives": 2, "curtailed": false},
        {"total": 4, "decision": "go on", "probability": 0.09090909090909091, "lower": 0.003214899162432661, "upper": 0.544067148093351, "cases": 11, "positives": 1, "curtailed": false},
        {"total": 5, "decision": "go on", "probability": 0.3333333333333333, "lower": 0.013138726159438065, "upper": 0.8805396464401574, "cases": 6, "positives": 2, "curtailed": false},
        {"total": 6, "decision": "go on", "probability": 0.8125, "lower": 0.4368605064575009, "upper": 0.9825735295178142, "cases": 16, "positives": 13, "curtailed": false}
      ]
    },
    {
      "stage": 5,
      "rule_out_at": null,
      "rule_in_at": null,
      "undecided_between": null,
      "boxes": [
        {"total": 2, "decision": "go on", "probability": 0.03571428571428571, "lower": 7.44796009361325e-05, "upper": 0.26378779734869034, "cases": 28, "positives": 1, "curtailed": false},
        {"total": 3, "decision": "go on", "probability": 0.08695652173913043, "lower": 0.0029289374910605073, "upper": 0.3758989567278736, "cases": 23, "positives": 2, "curtailed": false},
        {"total": 4, "decision": "go on", "probability": 0.1, "lower": 0.0029289374910605073, "upper": 0.5895875247774736, "cases": 10, "positives": 1, "curtailed": false},
        {"total": 5, "decision": "go on", "probability": 0.3333333333333333, "lower": 0.011975272773757638, "upper": 0.8861429380778487, "cases": 6, "positives": 2, "curtailed": false},
        {"total": 6, "decision": "go on", "probability": 0.7647058823529411, "lower": 0.3929323576845668, "upper": 0.966620693772742, "cases": 17, "positives": 13, "curtailed": false},
        {"total": 7, "decision": "go on", "probability": 0.7647058823529411, "lower": 0.3929323576845668, "upper": 1.0, "cases": 0, "positives": 0, "curtailed": false},
        {"total": 8, "decision": "go on", "probability": 0.7647058823529411, "lower": 0.3929323576845668, "upper": 1.0, "cases": 0, "positives": 0, "curtailed": false}
      ]
    },
    {
      "stage": 6,
      "rule_out_at": null,
      "rule_in_at": null,
      "undecided_between": [2, 9],
      "boxes": [
        {"total": 2, "decision": "undecided", "probability": 0.03571428571428571, "lower": 6.874508014812205e-05, "upper": 0.2661826396146591, "cases": 28, "positives": 1, "curtailed": false},
        {"total": 3, "decision": "undecided", "probability": 0.07142857142857142, "lower": 0.0034190452130381578, "upper": 0.44140607517237584, "cases": 19, "positives": 2, "curtailed": false},
        {"total": 4, "decision": "undecided", "probability": 0.07142857142857142, "lower": 0.0034190452130381578, "upper": 0.5008606022093256, "cases": 9, "positives": 0, "curtailed": false},
        {"total": 5, "decision": "undecided", "probability": 0.2222222222222222, "lower": 0.007436828830718623, "upper": 0.7356206645931984, "cases": 9, "positives": 2, "curtailed": false},
        {"total": 6, "decision": "undecided", "probability": 0.3333333333333333, "lower": 0.011498116699023087, "upper": 0.8885144144105703, "cases": 6, "positives": 2, "curtailed": false},
        {"total": 7, "decision": "undecided", "probability": 0.9230769230769231, "lower": 0.5053283356014359, "upper": 0.9998519395459082, "cases": 13, "positives": 12, "curtailed": false},
        {"total": 8, "decision": "undecided", "probability": 0.9230769230769231, "lower": 0.5053283356014359, "upper": 1.0, "cases": 0, "positives": 0, "curtailed": false},
        {"total": 9, "decision": "undecided", "probability": 0.9230769230769231, "lower": 0.5053283356014359, "upper": 1.0, "cases": 0, "positives": 0, "curtailed": false}
      ]
    }
  ],
  "stops": [
    {"stage": 2, "decision": "rule in", "cases": 52, "positives": 52},
    {"stage": 3, "decision": "rule out", "cases": 54, "positives": 0},
    {"stage": 6, "decision": "undecided", "cases": 84, "positives": 19}
  ],
  "notes": [],
  "provenance": [["table", "cases.csv"], ["table sha256", "fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6"], ["rows", "569"], ["cases", "569, 212 positive"], ["option band", "paper"], ["option beam", "1"], ["option binarize", "in-search"], ["option calibration", "isotonic"], ["option cutoffs", "exact"], ["option evidence", "True"], ["option held_out", "0.3333333333333333"], ["option level", "0.95"], ["option lookahead", "1"], ["option loss", "entropy"], ["option max_questions", "6"], ["option min_gain", "0.0"], ["option missing", "unknown"], ["option outcome", "diagnosis"], ["option points", "(-3, -2, -1, 1, 2, 3)"], ["option positive", "malignant"], ["option search", "greedy"], ["option seed", "0"], ["psl-scorecard", "0.1.0"], ["numpy", "2.4.6"], ["scikit-learn", "1.9.1"], ["python", "3.11.7"]]
};

/**
 * The result for a case: an object of input: value, true, false or null; what is left out is
 * unknown. Throws a RangeError that names the input.
 * @param {Object<string, string|number|boolean|null>} answers
 * @returns {Result}
 */
export function evaluate(answers) {
  return evaluateCase(table, answers);
}

/**
 * The result for answers (true, false or null for unknown) to the first questions, in their order.
 * @param {(boolean|null)[]} answers
 * @returns {Result}
 */
export function decide(answers) {
  return decideAnswers(table, answers);
}

/**
 * Yes, no or unknown (true, false, null) for what was said to the question at this place.
 * @param {number} place counted from 0
 * @param {string|number|boolean|null} value
 * @returns {boolean|null}
 */
export function read(place, value) {
  return readAnswer(table, table.questions[place], value);
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
    for (const said of [String(value), text]) {
      if (categories.includes(said) || choices.includes(said)) {
        return categories.includes(said) !== turned;
      }
    }
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
  if (!new RegExp(`^(?:${words.number})$`).test(text) || !Number.isFinite(Number(text))) {
    refuse(`a number with decimal point${question.unit && ` in ${question.unit}`} or unknown`);
  }
  return (Number(text) >= cutoff) !== turned;
}

/**
 * Follow answers from the start until they end or one stops; the box where that is, with its stage.
 * @param {Object} table the decision table
 * @param {(boolean|null)[]} answers
 * @param {boolean} upwards whether unknown answers lead to the highest total, or to the lowest
 * @returns {Object}
 */
function walkAnswers(table, answers, upwards) {
  let box = table.steps[0].boxes[0];
  let stage = 0;
  for (const { points } of table.questions.slice(0, answers.length)) {
    if (box.decision !== "go on") break;
    const yes = answers[stage] ?? points > 0 === upwards;
    const total = box.total + (yes ? points : 0);
    stage += 1;
    box = table.steps[stage].boxes.find((one) => one.total === total);
  }
  return { stage, ...box };
}

/**
 * The result for answers (true, false or null for unknown) to the first questions, in their order.
 * @param {Object} table the decision table
 * @param {(boolean|null)[]} answers
 * @returns {Result}
 */
function decideAnswers(table, answers) {
  // Unknown answers go both ways, towards the lowest and the highest total; both must agree.
  const [lowest, highest] = [false, true].map((upwards) => walkAnswers(table, answers, upwards));
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
 * @returns {Result}
 * @throws {RangeError} names the input
 */
function evaluateCase(table, answers) {
  const inputs = table.questions.map((question) => question.input);
  for (const name of Object.keys(answers)) {
    if (!inputs.includes(name) && !table.not_asked.includes(name)) {
      throw new RangeError(`${JSON.stringify(name)} came, expected one of ${inputs.join(", ")}`);
    }
  }
  const said = (name) => (Object.prototype.hasOwnProperty.call(answers, name) ? answers[name] : null);
  return decideAnswers(
    table,
    table.questions.map((question) => readAnswer(table, question, said(question.input))),
  );
}

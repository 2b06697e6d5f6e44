// Fills in Questionnaires as a renderer does that knows enableWhen and the SDC guide's variables and
// calculated expressions: a line of JSON per Questionnaire, a line of responses back.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const fhirpath = require("fhirpath");
const model = require("fhirpath/fhir-context/r4");
const { UcumLhcUtils } = require("@lhncbc/ucum-lhc");

const ends = (one, end) => one.url.endsWith(end);
const expressionOf = (item, end) => item.extension?.find((one) => ends(one, end))?.valueExpression.expression;
const compiled = (expression) => fhirpath.compile(expression, model);

function prepared(questionnaire) {
  const variables = questionnaire.extension
    .filter((one) => ends(one, "/variable"))
    .map(({ valueExpression: { name, expression } }) => [name, compiled(expression)]);
  const items = questionnaire.item.map((item) => {
    const expression = expressionOf(item, "calculatedExpression");
    return { ...item, calculate: expression && compiled(expression) };
  });
  return { variables, items };
}

function calculated({ variables, items }, answers) {
  const asItem = ([linkId, answer]) => ({ linkId, answer: [answer] });
  const resource = { resourceType: "QuestionnaireResponse", status: "in-progress" };
  resource.item = [...answers].map(asItem);
  const context = { resource };
  for (const [name, run] of variables) context[name] = run(resource, context);
  for (const { linkId, type, calculate } of items.filter((one) => one.calculate)) {
    const [value] = calculate(resource, context);
    const kind = `value${type[0].toUpperCase()}${type.slice(1)}`;
    if (value === undefined) answers.delete(linkId);
    else answers.set(linkId, { [kind]: value });
  }
  return resource;
}

const holds = (answers) => ({ question, operator, answerBoolean, answerString }) => {
  if (operator === "exists") return answers.has(question) === answerBoolean;
  const answer = answers.get(question);
  return answer !== undefined && (answer.valueBoolean ?? answer.valueString) === (answerBoolean ?? answerString);
};

function filledIn(form, entries) {
  const answers = new Map();
  for (let round = 0; round <= form.items.length; round += 1) {
    calculated(form, answers);
    const enabled = form.items.filter((one) => !one.calculate && (one.enableWhen ?? []).every(holds(answers)));
    const next = enabled.find((one) => entries[one.linkId] && !answers.has(one.linkId));
    if (!next) {
      const resource = calculated(form, answers);
      return { resource, told: Object.fromEntries(answers), shown: enabled.map((one) => one.linkId) };
    }
    answers.set(next.linkId, entries[next.linkId]);
  }
  throw new Error("it does not come to an end");
}

const filledInAll = (form, cases) => cases.map((one) => filledIn(form, one));

for await (const line of createInterface({ input: process.stdin })) {
  const { questionnaire, cases, units } = JSON.parse(line);
  const ucum = UcumLhcUtils.getInstance();
  const answer = units
    ? units.filter((one) => ucum.validateUnitString(one).status !== "valid")
    : filledInAll(prepared(questionnaire), cases);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

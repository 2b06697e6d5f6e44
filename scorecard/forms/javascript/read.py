"""Compare a generated ES module with what is written here, or run it in Node."""

from __future__ import annotations

import shutil
import tempfile
from functools import partial
from pathlib import Path

from scorecard.forms.found import Found, NotRunError, Work
from scorecard.forms.json.read import table_faults
from scorecard.forms.origin import Origin, origin_of_source
from scorecard.forms.programs import answers_of_program, found_in_code, found_of

NODE_DRIVER = """
import { readFileSync } from "node:fs";
import * as card from "./evaluator.mjs";
const work = JSON.parse(readFileSync(0, "utf8"));
const tried = (call, ...values) => {
  try {
    return call(...values);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};
process.stdout.write(JSON.stringify({
  cases: work.cases.map((one) => tried(card.evaluate, one)),
  walks: work.walks.map((one) => tried(card.decide, one)),
  sharpened: work.sharpened.map((one) => tried(card.decide, one, true)),
  values: [null, NaN].flatMap((nothing) => work.values.map((one) => tried(card.evaluate,
    Object.fromEntries(Object.entries(one).map(([name, value]) => [name, value ?? nothing]))))),
  table: card.table,
}));
"""


def origin(content: bytes) -> Origin | None:
    return origin_of_source("javascript", content)


def found(content: bytes, right: bytes | None, work: Work) -> Found:
    return found_in_code("javascript", content, right, work, partial(run, content, work))


def run(source: bytes, work: Work) -> Found:
    """What a module says that exports `evaluate`, `decide` and `table`."""
    node = shutil.which("node")
    if node is None:
        raise NotRunError("node is not installed")
    with tempfile.TemporaryDirectory() as folder:
        # Under this ending every version of Node takes it for a module.
        Path(folder, "evaluator.mjs").write_bytes(source)
        driver = Path(folder, "driver.mjs")
        driver.write_text(NODE_DRIVER, encoding="utf-8")
        answer = answers_of_program([node, str(driver)], work)
    return found_of(answer, table_faults(answer["table"], work))

-- Breast mass: malignant?
--
-- Outcome: malignant; Population: a breast mass with a fine-needle aspirate; Source: Wisconsin breast cancer (UCI); Note: An illustration, not a clinical tool.
-- Add the points of each yes in order and stop where told; follow an unknown both ways.
--   1. Mean concave points ≥ 0.049    +3
--   2. Largest area ≥ 928.5           +3   rule in at 6 or more
--   3. Largest texture ≥ 23.35        +2   rule out at 0 or less
--   4. Largest symmetry ≥ 0.278       +1
--   5. Spread of radius ≥ 0.643       +2
--   6. Largest concave points ≥ 0.131 +1   else undecided
-- Rule out at a risk of at most 5, rule in at one of at least 95 of 100; shown by the total's own estimate and, with 90 % confidence, by all who stop there together; at least 10 cases behind a stop. Each risk is that of the cases who get to the box. Held-out figures: from cases that did not choose the questions. 190 cases, 71 with the outcome. Not externally validated.
-- table: cases.csv; table sha256: fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6; rows: 569; cases: 569, 212 positive; psl-scorecard: 0.1.0; numpy: 2.4.6; scikit-learn: 1.9.1; python: 3.11.7
-- List sha256:d224858f7a50028e4ba2bce8248a57ce49bc006e6e51fe7155e90d2918e68ef2, scorecard 0.1.0
--
-- One SELECT for PostgreSQL, SQLite (3.8.3 or newer) and DuckDB. It reads the table cases and
-- adds to each row scorecard_decision, scorecard_stage, scorecard_total, scorecard_probability,
-- scorecard_lower and scorecard_upper, and how it got there: scorecard_q1 … are the answers
-- (1 yes, 0 no, NULL unknown), scorecard_low1 … and scorecard_high1 … the totals after them.
-- NULL, NaN and words such as 'unknown' are unknown; an unknown answer never counts as no.
-- A value that is no answer puts its input into scorecard_problem, and the row has no result.
-- Columns: numbers where a number is compared, text for categories; text, boolean or 0 and 1 for
-- yes and no. Numbers are written as 35e-2, or with more digits as a whole number times powers of
-- two, to be the same 64-bit number everywhere.
WITH scorecard_said AS (
  -- What was said, and the same in small letters; NULL if that is unknown.
  SELECT
    cases.*,
    cases."mean_concave_points" AS scorecard_v1,
    CASE WHEN lower(trim(CAST(cases."mean_concave_points" AS TEXT))) NOT IN ('', '#n/a', '-', '.', '?', 'fehlt', 'k.a.', 'missing', 'n/a', 'na', 'nan', 'null', 'unbekannt', 'unknown', '–')
      THEN lower(trim(CAST(cases."mean_concave_points" AS TEXT))) END AS scorecard_w1,
    cases."worst_area" AS scorecard_v2,
    CASE WHEN lower(trim(CAST(cases."worst_area" AS TEXT))) NOT IN ('', '#n/a', '-', '.', '?', 'fehlt', 'k.a.', 'missing', 'n/a', 'na', 'nan', 'null', 'unbekannt', 'unknown', '–')
      THEN lower(trim(CAST(cases."worst_area" AS TEXT))) END AS scorecard_w2,
    cases."worst_texture" AS scorecard_v3,
    CASE WHEN lower(trim(CAST(cases."worst_texture" AS TEXT))) NOT IN ('', '#n/a', '-', '.', '?', 'fehlt', 'k.a.', 'missing', 'n/a', 'na', 'nan', 'null', 'unbekannt', 'unknown', '–')
      THEN lower(trim(CAST(cases."worst_texture" AS TEXT))) END AS scorecard_w3,
    cases."worst_symmetry" AS scorecard_v4,
    CASE WHEN lower(trim(CAST(cases."worst_symmetry" AS TEXT))) NOT IN ('', '#n/a', '-', '.', '?', 'fehlt', 'k.a.', 'missing', 'n/a', 'na', 'nan', 'null', 'unbekannt', 'unknown', '–')
      THEN lower(trim(CAST(cases."worst_symmetry" AS TEXT))) END AS scorecard_w4,
    cases."radius_error" AS scorecard_v5,
    CASE WHEN lower(trim(CAST(cases."radius_error" AS TEXT))) NOT IN ('', '#n/a', '-', '.', '?', 'fehlt', 'k.a.', 'missing', 'n/a', 'na', 'nan', 'null', 'unbekannt', 'unknown', '–')
      THEN lower(trim(CAST(cases."radius_error" AS TEXT))) END AS scorecard_w5,
    cases."worst_concave_points" AS scorecard_v6,
    CASE WHEN lower(trim(CAST(cases."worst_concave_points" AS TEXT))) NOT IN ('', '#n/a', '-', '.', '?', 'fehlt', 'k.a.', 'missing', 'n/a', 'na', 'nan', 'null', 'unbekannt', 'unknown', '–')
      THEN lower(trim(CAST(cases."worst_concave_points" AS TEXT))) END AS scorecard_w6
  FROM cases
), scorecard_answers AS (
  SELECT
    scorecard_said.*,
    -- 1. Mean concave points ≥ 0.049
    CASE
      WHEN scorecard_w1 IS NULL THEN NULL
      WHEN scorecard_v1 >= CAST(49e-3 AS DOUBLE PRECISION) THEN 1
      WHEN scorecard_v1 < CAST(49e-3 AS DOUBLE PRECISION) THEN 0
    END AS scorecard_q1,
    -- 2. Largest area ≥ 928.5
    CASE
      WHEN scorecard_w2 IS NULL THEN NULL
      WHEN scorecard_v2 >= CAST(9285e-1 AS DOUBLE PRECISION) THEN 1
      WHEN scorecard_v2 < CAST(9285e-1 AS DOUBLE PRECISION) THEN 0
    END AS scorecard_q2,
    -- 3. Largest texture ≥ 23.35
    CASE
      WHEN scorecard_w3 IS NULL THEN NULL
      WHEN scorecard_v3 >= CAST(2335e-2 AS DOUBLE PRECISION) THEN 1
      WHEN scorecard_v3 < CAST(2335e-2 AS DOUBLE PRECISION) THEN 0
    END AS scorecard_q3,
    -- 4. Largest symmetry ≥ 0.278
    CASE
      WHEN scorecard_w4 IS NULL THEN NULL
      WHEN scorecard_v4 >= CAST(278e-3 AS DOUBLE PRECISION) THEN 1
      WHEN scorecard_v4 < CAST(278e-3 AS DOUBLE PRECISION) THEN 0
    END AS scorecard_q4,
    -- 5. Spread of radius ≥ 0.643
    CASE
      WHEN scorecard_w5 IS NULL THEN NULL
      WHEN scorecard_v5 >= CAST(643e-3 AS DOUBLE PRECISION) THEN 1
      WHEN scorecard_v5 < CAST(643e-3 AS DOUBLE PRECISION) THEN 0
    END AS scorecard_q5,
    -- 6. Largest concave points ≥ 0.131
    CASE
      WHEN scorecard_w6 IS NULL THEN NULL
      WHEN scorecard_v6 >= CAST(131e-3 AS DOUBLE PRECISION) THEN 1
      WHEN scorecard_v6 < CAST(131e-3 AS DOUBLE PRECISION) THEN 0
    END AS scorecard_q6,
    CASE
      WHEN scorecard_w1 IS NOT NULL AND NOT (scorecard_v1 BETWEEN -(CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0 /* 1.7976931348623157e+308 */) AND (CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0 /* 1.7976931348623157e+308 */)) THEN 'mean_concave_points'
      WHEN scorecard_w2 IS NOT NULL AND NOT (scorecard_v2 BETWEEN -(CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0 /* 1.7976931348623157e+308 */) AND (CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0 /* 1.7976931348623157e+308 */)) THEN 'worst_area'
      WHEN scorecard_w3 IS NOT NULL AND NOT (scorecard_v3 BETWEEN -(CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0 /* 1.7976931348623157e+308 */) AND (CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0 /* 1.7976931348623157e+308 */)) THEN 'worst_texture'
      WHEN scorecard_w4 IS NOT NULL AND NOT (scorecard_v4 BETWEEN -(CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0 /* 1.7976931348623157e+308 */) AND (CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0 /* 1.7976931348623157e+308 */)) THEN 'worst_symmetry'
      WHEN scorecard_w5 IS NOT NULL AND NOT (scorecard_v5 BETWEEN -(CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0 /* 1.7976931348623157e+308 */) AND (CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0 /* 1.7976931348623157e+308 */)) THEN 'radius_error'
      WHEN scorecard_w6 IS NOT NULL AND NOT (scorecard_v6 BETWEEN -(CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0 /* 1.7976931348623157e+308 */) AND (CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0 /* 1.7976931348623157e+308 */)) THEN 'worst_concave_points'
      WHEN 1 = 0 THEN ''
    END AS scorecard_problem
  FROM scorecard_said
), scorecard_points AS (
  -- The points of each question, with unknown answers taken for the lowest and the highest total.
  SELECT
    scorecard_answers.*,
    3 * COALESCE(scorecard_q1, 0) AS scorecard_l1,
    3 * COALESCE(scorecard_q1, 1) AS scorecard_h1,
    3 * COALESCE(scorecard_q2, 0) AS scorecard_l2,
    3 * COALESCE(scorecard_q2, 1) AS scorecard_h2,
    2 * COALESCE(scorecard_q3, 0) AS scorecard_l3,
    2 * COALESCE(scorecard_q3, 1) AS scorecard_h3,
    1 * COALESCE(scorecard_q4, 0) AS scorecard_l4,
    1 * COALESCE(scorecard_q4, 1) AS scorecard_h4,
    2 * COALESCE(scorecard_q5, 0) AS scorecard_l5,
    2 * COALESCE(scorecard_q5, 1) AS scorecard_h5,
    1 * COALESCE(scorecard_q6, 0) AS scorecard_l6,
    1 * COALESCE(scorecard_q6, 1) AS scorecard_h6
  FROM scorecard_answers
), scorecard_totals AS (
  -- The total after each question.
  SELECT
    scorecard_points.*,
scorecard_l1 AS scorecard_low1,
scorecard_h1 AS scorecard_high1,
scorecard_l1 + scorecard_l2 AS scorecard_low2,
scorecard_h1 + scorecard_h2 AS scorecard_high2,
scorecard_l1 + scorecard_l2 + scorecard_l3 AS scorecard_low3,
scorecard_h1 + scorecard_h2 + scorecard_h3 AS scorecard_high3,
scorecard_l1 + scorecard_l2 + scorecard_l3 + scorecard_l4 AS scorecard_low4,
scorecard_h1 + scorecard_h2 + scorecard_h3 + scorecard_h4 AS scorecard_high4,
scorecard_l1 + scorecard_l2 + scorecard_l3 + scorecard_l4 + scorecard_l5 AS scorecard_low5,
scorecard_h1 + scorecard_h2 + scorecard_h3 + scorecard_h4 + scorecard_h5 AS scorecard_high5,
scorecard_l1 + scorecard_l2 + scorecard_l3 + scorecard_l4 + scorecard_l5 + scorecard_l6 AS scorecard_low6,
scorecard_h1 + scorecard_h2 + scorecard_h3 + scorecard_h4 + scorecard_h5 + scorecard_h6 AS scorecard_high6
  FROM scorecard_points
), scorecard_stages AS (
  -- After how many questions each of the two stops.
  SELECT
    scorecard_totals.*,
    CASE WHEN scorecard_problem IS NOT NULL THEN NULL
      WHEN scorecard_low2 >= 6 THEN 2
      WHEN scorecard_low3 <= 0 THEN 3
      ELSE 6 END AS scorecard_low_stage,
    CASE WHEN scorecard_problem IS NOT NULL THEN NULL
      WHEN scorecard_high2 >= 6 THEN 2
      WHEN scorecard_high3 <= 0 THEN 3
      ELSE 6 END AS scorecard_high_stage
  FROM scorecard_totals
), scorecard_ends AS (
  SELECT
    scorecard_stages.*,
    CASE scorecard_low_stage WHEN 0 THEN 0 WHEN 1 THEN scorecard_low1 WHEN 2 THEN scorecard_low2 WHEN 3 THEN scorecard_low3 WHEN 4 THEN scorecard_low4 WHEN 5 THEN scorecard_low5 WHEN 6 THEN scorecard_low6 END AS scorecard_low,
    CASE scorecard_high_stage WHEN 0 THEN 0 WHEN 1 THEN scorecard_high1 WHEN 2 THEN scorecard_high2 WHEN 3 THEN scorecard_high3 WHEN 4 THEN scorecard_high4 WHEN 5 THEN scorecard_high5 WHEN 6 THEN scorecard_high6 END AS scorecard_high
  FROM scorecard_stages
), scorecard_boxes (stage, total, decision, risk, lower, upper) AS (
  -- Every stop: after so many questions, at this total.
  VALUES
    (2, 6, 'rule in', 1e0, (CAST(8214961179103126e0 AS DOUBLE PRECISION) / 9007199254740992e0 /* 0.9120439047442115 */), 1e0),
    (3, 0, 'rule out', 0e0, 0e0, (CAST(6954478678630996e0 AS DOUBLE PRECISION) / 72057594037927936e0 /* 0.09651277941601083 */)),
    (6, 2, 'undecided', (CAST(5146971002709138e0 AS DOUBLE PRECISION) / 144115188075855872e0 /* 0.03571428571428571 */), (CAST(5072491599276234e0 AS DOUBLE PRECISION) / 1152921504606846976e0 / 64e0 /* 6.874508014812205e-05 */), (CAST(4795120146324295e0 AS DOUBLE PRECISION) / 18014398509481984e0 /* 0.2661826396146591 */)),
    (6, 3, 'undecided', (CAST(5146971002709138e0 AS DOUBLE PRECISION) / 72057594037927936e0 /* 0.07142857142857142 */), (CAST(7883781502669581e0 AS DOUBLE PRECISION) / 1152921504606846976e0 / 2e0 /* 0.0034190452130381578 */), (CAST(7951664942661540e0 AS DOUBLE PRECISION) / 18014398509481984e0 /* 0.44140607517237584 */)),
    (6, 4, 'undecided', (CAST(5146971002709138e0 AS DOUBLE PRECISION) / 72057594037927936e0 /* 0.07142857142857142 */), (CAST(7883781502669581e0 AS DOUBLE PRECISION) / 1152921504606846976e0 / 2e0 /* 0.0034190452130381578 */), (CAST(4511351242948962e0 AS DOUBLE PRECISION) / 9007199254740992e0 /* 0.5008606022093256 */)),
    (6, 5, 'undecided', (CAST(8006399337547548e0 AS DOUBLE PRECISION) / 36028797018963968e0 /* 0.2222222222222222 */), (CAST(8574079885015693e0 AS DOUBLE PRECISION) / 1152921504606846976e0 / 1e0 /* 0.007436828830718623 */), (CAST(6625881901895930e0 AS DOUBLE PRECISION) / 9007199254740992e0 /* 0.7356206645931984 */)),
    (6, 6, 'undecided', (CAST(6004799503160661e0 AS DOUBLE PRECISION) / 18014398509481984e0 /* 0.3333333333333333 */), (CAST(6628213002391405e0 AS DOUBLE PRECISION) / 576460752303423488e0 /* 0.011498116699023087 */), (CAST(8003026371305518e0 AS DOUBLE PRECISION) / 9007199254740992e0 /* 0.8885144144105703 */)),
    (6, 7, 'undecided', (CAST(8314337773607070e0 AS DOUBLE PRECISION) / 9007199254740992e0 /* 0.9230769230769231 */), (CAST(4551593007828759e0 AS DOUBLE PRECISION) / 9007199254740992e0 /* 0.5053283356014359 */), (CAST(9005865644729240e0 AS DOUBLE PRECISION) / 9007199254740992e0 /* 0.9998519395459082 */)),
    (6, 8, 'undecided', (CAST(8314337773607070e0 AS DOUBLE PRECISION) / 9007199254740992e0 /* 0.9230769230769231 */), (CAST(4551593007828759e0 AS DOUBLE PRECISION) / 9007199254740992e0 /* 0.5053283356014359 */), 1e0),
    (6, 9, 'undecided', (CAST(8314337773607070e0 AS DOUBLE PRECISION) / 9007199254740992e0 /* 0.9230769230769231 */), (CAST(4551593007828759e0 AS DOUBLE PRECISION) / 9007199254740992e0 /* 0.5053283356014359 */), 1e0)
)
SELECT
  scorecard_ends.*,
  CASE WHEN scorecard_problem IS NOT NULL THEN NULL
    WHEN lowest.decision = highest.decision THEN lowest.decision ELSE 'unknown'
  END AS scorecard_decision,
  CASE WHEN lowest.stage > highest.stage THEN lowest.stage ELSE highest.stage END AS scorecard_stage,
  CASE WHEN lowest.total = highest.total THEN lowest.total END AS scorecard_total,
  CAST(CASE WHEN lowest.risk = highest.risk THEN lowest.risk END AS DOUBLE PRECISION)
    AS scorecard_probability,
  CAST(lowest.lower AS DOUBLE PRECISION) AS scorecard_lower,
  CAST(highest.upper AS DOUBLE PRECISION) AS scorecard_upper
FROM scorecard_ends
LEFT JOIN scorecard_boxes lowest
  ON lowest.stage = scorecard_low_stage AND lowest.total = scorecard_low
LEFT JOIN scorecard_boxes highest
  ON highest.stage = scorecard_high_stage AND highest.total = scorecard_high;

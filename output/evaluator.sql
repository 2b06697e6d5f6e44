-- Written by scorecard 0.2.0.dev0, language en, sha256 of what follows:
-- b32fdcd6221f9c3ee11ab655d5e8d6e10efa2786192af282fb3b5197aa9cde78
-- Breast mass: malignant?
--
-- Outcome: malignant; Population: a breast mass with a fine-needle aspirate; Source: Wisconsin
--   breast cancer (UCI); Note: An illustration, not a clinical tool; the source names no units.
-- Add the points of each yes in order and stop where told; follow an unknown both ways.
--   1. Largest perimeter ≥ 110       +3   biopsy at 3 or more
--   2. Largest concave points ≥ 0.14 +3   benign at 0 or less, else refer
-- Rule out at a risk of at most 5, rule in at one of at least 85 of 100; kept by the total's own
--   risk and, in cross-checking, by all who stop on that side; at least 10 cases behind a stop.
--   Each risk is that of patients with this total after this question. Risks expected in new
--   patients: learned from all cases, corrected by cross-checking. Counts are of the cases that
--   chose the questions. 569 cases, 212 with the outcome. In cross-checking 10 of 335 with ▼ had
--   the outcome (limit: at most 5 of 100). In cross-checking 173 of 191 with ▲ had the outcome
--   (limit: at least 85 of 100). In cross-checking 526 of 569 cases ended with ▼ or ▲ (1.7
--   questions on average); each was judged by a list that had not seen it. Not validated
--   elsewhere.
-- table: cases.csv; table sha256:
--   fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6; rows: 569; cases: 569, 212
--   positive; psl-scorecard: 0.2.0.dev0; numpy: 2.4.6; scikit-learn: 1.9.1; python: 3.11.7
-- List sha256:8a130cc33232b3cf724d7d8d1d21a3501548e9b30e1039e394a5a2e3bd7c6827, scorecard
--   0.2.0.dev0
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
WITH scorecard_words (word, says) AS (
  -- What words say.
  VALUES
    ('', 'unknown'),
    ('#n/a', 'unknown'),
    ('-', 'unknown'),
    ('.', 'unknown'),
    ('?', 'unknown'),
    ('fehlt', 'unknown'),
    ('k.a.', 'unknown'),
    ('missing', 'unknown'),
    ('n/a', 'unknown'),
    ('na', 'unknown'),
    ('nan', 'unknown'),
    ('null', 'unknown'),
    ('unbekannt', 'unknown'),
    ('unknown', 'unknown'),
    ('–', 'unknown')
), scorecard_largest (number) AS (
  -- NaN and infinities are beyond the largest number.
  SELECT /* 1.7976931348623157e+308 */ (CAST(9007199254740991e0 AS DOUBLE PRECISION) * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 1152921504606846976e0 * 2048e0)
), scorecard_said AS (
  -- What was said, and the same in small letters; NULL if that is unknown.
  SELECT
    cases.*,
    cases."worst_perimeter" AS scorecard_v1,
    CASE WHEN lower(trim(CAST(cases."worst_perimeter" AS TEXT)))
      NOT IN (SELECT word FROM scorecard_words WHERE says = 'unknown')
      THEN lower(trim(CAST(cases."worst_perimeter" AS TEXT))) END AS scorecard_w1,
    cases."worst_concave_points" AS scorecard_v2,
    CASE WHEN lower(trim(CAST(cases."worst_concave_points" AS TEXT)))
      NOT IN (SELECT word FROM scorecard_words WHERE says = 'unknown')
      THEN lower(trim(CAST(cases."worst_concave_points" AS TEXT))) END AS scorecard_w2
  FROM cases
), scorecard_answers AS (
  SELECT
    scorecard_said.*,
    -- 1. Largest perimeter ≥ 110
    CASE
      WHEN scorecard_w1 IS NULL THEN NULL
      WHEN scorecard_v1 >= CAST(11e1 AS DOUBLE PRECISION) THEN 1
      WHEN scorecard_v1 < CAST(11e1 AS DOUBLE PRECISION) THEN 0
    END AS scorecard_q1,
    -- 2. Largest concave points ≥ 0.14
    CASE
      WHEN scorecard_w2 IS NULL THEN NULL
      WHEN scorecard_v2 >= CAST(14e-2 AS DOUBLE PRECISION) THEN 1
      WHEN scorecard_v2 < CAST(14e-2 AS DOUBLE PRECISION) THEN 0
    END AS scorecard_q2,
    -- The first input whose value is no answer.
    CASE
      WHEN scorecard_w1 IS NOT NULL AND NOT (scorecard_v1 BETWEEN -(SELECT number FROM scorecard_largest) AND (SELECT number FROM scorecard_largest))
        THEN 'worst_perimeter'
      WHEN scorecard_w2 IS NOT NULL AND NOT (scorecard_v2 BETWEEN -(SELECT number FROM scorecard_largest) AND (SELECT number FROM scorecard_largest))
        THEN 'worst_concave_points'
    END AS scorecard_problem
  FROM scorecard_said
), scorecard_points AS (
  -- The points of each question, with unknown answers taken for the lowest and the highest total.
  SELECT
    scorecard_answers.*,
    3 * COALESCE(scorecard_q1, 0) AS scorecard_l1,
    3 * COALESCE(scorecard_q1, 1) AS scorecard_h1,
    3 * COALESCE(scorecard_q2, 0) AS scorecard_l2,
    3 * COALESCE(scorecard_q2, 1) AS scorecard_h2
  FROM scorecard_answers
), scorecard_totals AS (
  -- The total after each question.
  SELECT
    scorecard_points.*,
    scorecard_l1 AS scorecard_low1,
    scorecard_h1 AS scorecard_high1,
    scorecard_l1 + scorecard_l2 AS scorecard_low2,
    scorecard_h1 + scorecard_h2 AS scorecard_high2
  FROM scorecard_points
), scorecard_stages AS (
  -- After how many questions each of the two stops.
  SELECT
    scorecard_totals.*,
    CASE WHEN scorecard_problem IS NOT NULL THEN NULL
      WHEN scorecard_low1 >= 3 THEN 1
      ELSE 2 END AS scorecard_low_stage,
    CASE WHEN scorecard_problem IS NOT NULL THEN NULL
      WHEN scorecard_high1 >= 3 THEN 1
      ELSE 2 END AS scorecard_high_stage
  FROM scorecard_totals
), scorecard_ends AS (
  SELECT
    scorecard_stages.*,
    CASE scorecard_low_stage WHEN 0 THEN 0 WHEN 1 THEN scorecard_low1 WHEN 2 THEN scorecard_low2 END AS scorecard_low,
    CASE scorecard_high_stage WHEN 0 THEN 0 WHEN 1 THEN scorecard_high1 WHEN 2 THEN scorecard_high2 END AS scorecard_high
  FROM scorecard_stages
), scorecard_boxes (stage, total, decision, risk, lower, upper) AS (
  -- Every stop: after so many questions, at this total.
  VALUES
    (1, 3, 'rule in',
      /* 0.9054997130213935 */ (CAST(8156016340294478e0 AS DOUBLE PRECISION) / 9007199254740992e0),
      /* 0.7124106129661858 */ (CAST(6416824342178602e0 AS DOUBLE PRECISION) / 9007199254740992e0),
      /* 0.9521198151873832 */ (CAST(8575932889779929e0 AS DOUBLE PRECISION) / 9007199254740992e0)),
    (2, 0, 'rule out',
      /* 0.027106638186944875 */ (CAST(7812956520831475e0 AS DOUBLE PRECISION) / 288230376151711744e0),
      /* 0.006715869015598677 */ (CAST(7742869810206531e0 AS DOUBLE PRECISION) / 1152921504606846976e0 / 1e0),
      /* 0.12021655215193851 */ (CAST(8662515511603777e0 AS DOUBLE PRECISION) / 72057594037927936e0)),
    (2, 3, 'undecided',
      /* 0.5780393134797204 */ (CAST(5206515273585532e0 AS DOUBLE PRECISION) / 9007199254740992e0),
      /* 0.2480964714415164 */ (CAST(8938617410687585e0 AS DOUBLE PRECISION) / 36028797018963968e0),
      /* 0.8262816601207256 */ (CAST(7442483553245549e0 AS DOUBLE PRECISION) / 9007199254740992e0))
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

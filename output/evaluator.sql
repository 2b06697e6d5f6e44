-- Written by scorecard 0.2.0.dev0, language en, sha256 of what follows:
-- f6de1071849974648465342febf95d5fa367979067590630e0b482d404f0592c
-- Breast mass: malignant?
--
-- Outcome: malignant; Population: a breast mass with a fine-needle aspirate; Source: Wisconsin
--   breast cancer (UCI); Note: An illustration, not a clinical tool; the source names no units.
-- Add the points of each yes in order and stop where told; follow an unknown both ways.
--   1. Largest perimeter ≥ 110       +3
--   2. Largest concave points ≥ 0.14 +3   benign at 0 or less, biopsy at 6 or more
--   3. Largest texture ≥ 23.5        +2
--   4. Spread of area ≥ 33           +2   biopsy at 7 or more, else refer
-- Rule out at a risk of at most 5, rule in at one of at least 90 of 100; kept by the total's own
--   risk and, in cross-validation, by all who stop on that side; at least 10 cases behind a
--   stop. Each risk is that of patients with this total after this question. Risks expected in
--   new patients: learned from all cases, corrected by cross-validation. Counts are of the cases
--   that chose the questions. 569 cases, 212 with the outcome. In cross-validation 10 of 335
--   with ▼ had the outcome (limit: at most 5 of 100). In cross-validation 181 of 194 with ▲ had
--   the outcome (limit: at least 90 of 100). In cross-validation 529 of 569 cases ended with ▼
--   or ▲ (1.9 questions on average); each was judged by a list that had not seen it. Not
--   validated elsewhere.
-- - After 4 of 6 questions no answer leads to a decision any more; further ones only sharpen the
--   risk: Largest concave points and Largest area.
-- - A risk within a limit but without ▼ or ▲: too uncertain to stop there.
-- table: cases.csv; table sha256:
--   fefd0594fe431ad9205a996d0fb446ec2f093a41fbee00c6df7fcc29518b15c6; rows: 569; cases: 569, 212
--   positive; number of questions: cross-validated log loss 0.138 after 6, the best; 0.660
--   without questions; warnings: questions that depend on few cases; psl-scorecard: 0.2.0.dev0;
--   numpy: 2.4.6; scikit-learn: 1.9.1; python: 3.11.7
-- List sha256:a28c9cdfa116b0d13f6d8e2df9ada4e02f670c0bf99eac025e805e9312f3a3f2, scorecard
--   0.2.0.dev0
--
-- One SELECT for PostgreSQL, SQLite (3.8.3 or newer) and DuckDB. It reads the table cases and
-- adds to each row scorecard_decision, scorecard_stage, scorecard_total, scorecard_probability,
-- scorecard_lower, scorecard_upper, scorecard_cases and scorecard_positives, and how it got there: scorecard_q1 … are the answers
-- (1 yes, 0 no, NULL unknown), scorecard_low1 … and scorecard_high1 … the totals after them.
-- NULL, NaN and words such as 'unknown' are unknown; an unknown answer never counts as no.
-- A value that is no answer puts its input into scorecard_problem, and the row has no result.
-- scorecard_outside names the inputs whose number is far from all that the list has seen, with a
-- semicolon between them, or is NULL; no decision depends on it.
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
      THEN lower(trim(CAST(cases."worst_concave_points" AS TEXT))) END AS scorecard_w2,
    cases."worst_texture" AS scorecard_v3,
    CASE WHEN lower(trim(CAST(cases."worst_texture" AS TEXT)))
      NOT IN (SELECT word FROM scorecard_words WHERE says = 'unknown')
      THEN lower(trim(CAST(cases."worst_texture" AS TEXT))) END AS scorecard_w3,
    cases."area_error" AS scorecard_v4,
    CASE WHEN lower(trim(CAST(cases."area_error" AS TEXT)))
      NOT IN (SELECT word FROM scorecard_words WHERE says = 'unknown')
      THEN lower(trim(CAST(cases."area_error" AS TEXT))) END AS scorecard_w4
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
    -- 3. Largest texture ≥ 23.5
    CASE
      WHEN scorecard_w3 IS NULL THEN NULL
      WHEN scorecard_v3 >= CAST(235e-1 AS DOUBLE PRECISION) THEN 1
      WHEN scorecard_v3 < CAST(235e-1 AS DOUBLE PRECISION) THEN 0
    END AS scorecard_q3,
    -- 4. Spread of area ≥ 33
    CASE
      WHEN scorecard_w4 IS NULL THEN NULL
      WHEN scorecard_v4 >= CAST(33e0 AS DOUBLE PRECISION) THEN 1
      WHEN scorecard_v4 < CAST(33e0 AS DOUBLE PRECISION) THEN 0
    END AS scorecard_q4,
    -- The first input whose value is no answer.
    CASE
      WHEN scorecard_w1 IS NOT NULL AND NOT (scorecard_v1 BETWEEN -(SELECT number FROM scorecard_largest) AND (SELECT number FROM scorecard_largest))
        THEN 'worst_perimeter'
      WHEN scorecard_w2 IS NOT NULL AND NOT (scorecard_v2 BETWEEN -(SELECT number FROM scorecard_largest) AND (SELECT number FROM scorecard_largest))
        THEN 'worst_concave_points'
      WHEN scorecard_w3 IS NOT NULL AND NOT (scorecard_v3 BETWEEN -(SELECT number FROM scorecard_largest) AND (SELECT number FROM scorecard_largest))
        THEN 'worst_texture'
      WHEN scorecard_w4 IS NOT NULL AND NOT (scorecard_v4 BETWEEN -(SELECT number FROM scorecard_largest) AND (SELECT number FROM scorecard_largest))
        THEN 'area_error'
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
    2 * COALESCE(scorecard_q4, 0) AS scorecard_l4,
    2 * COALESCE(scorecard_q4, 1) AS scorecard_h4
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
    scorecard_h1 + scorecard_h2 + scorecard_h3 + scorecard_h4 AS scorecard_high4
  FROM scorecard_points
), scorecard_stages AS (
  -- After how many questions each of the two stops.
  SELECT
    scorecard_totals.*,
    CASE WHEN scorecard_problem IS NOT NULL THEN NULL
      WHEN scorecard_low2 <= 0 OR scorecard_low2 >= 6 THEN 2
      ELSE 4 END AS scorecard_low_stage,
    CASE WHEN scorecard_problem IS NOT NULL THEN NULL
      WHEN scorecard_high2 <= 0 OR scorecard_high2 >= 6 THEN 2
      ELSE 4 END AS scorecard_high_stage
  FROM scorecard_totals
), scorecard_ends AS (
  SELECT
    scorecard_stages.*,
    CASE scorecard_low_stage WHEN 0 THEN 0 WHEN 1 THEN scorecard_low1 WHEN 2 THEN scorecard_low2 WHEN 3 THEN scorecard_low3 WHEN 4 THEN scorecard_low4 END AS scorecard_low,
    CASE scorecard_high_stage WHEN 0 THEN 0 WHEN 1 THEN scorecard_high1 WHEN 2 THEN scorecard_high2 WHEN 3 THEN scorecard_high3 WHEN 4 THEN scorecard_high4 END AS scorecard_high
  FROM scorecard_stages
), scorecard_boxes (stage, total, decision, risk, lower, upper, cases, positives) AS (
  -- Every stop: after so many questions, at this total.
  VALUES
    (2, 0, 'rule out',
      /* 0.027106638186944875 */ (CAST(7812956520831475e0 AS DOUBLE PRECISION) / 288230376151711744e0),
      /* 0.006715869015598677 */ (CAST(7742869810206531e0 AS DOUBLE PRECISION) / 1152921504606846976e0 / 1e0),
      /* 0.12021655215193851 */ (CAST(8662515511603777e0 AS DOUBLE PRECISION) / 72057594037927936e0),
      333e0,
      9e0),
    (2, 6, 'rule in',
      987017833024611e-15,
      /* 0.8534317246139561 */ (CAST(7687029593915145e0 AS DOUBLE PRECISION) / 9007199254740992e0),
      /* 0.9994184545803603 */ (CAST(9001961159270615e0 AS DOUBLE PRECISION) / 9007199254740992e0),
      162e0,
      16e1),
    (4, 3, 'undecided',
      /* 0.11865552019886778 */ (CAST(8550031304849173e0 AS DOUBLE PRECISION) / 72057594037927936e0),
      /* 0.004836947724769088 */ (CAST(5576621048545442e0 AS DOUBLE PRECISION) / 1152921504606846976e0 / 1e0),
      /* 0.6539481080986764 */ (CAST(5890240911905680e0 AS DOUBLE PRECISION) / 9007199254740992e0),
      15e0,
      2e0),
    (4, 5, 'undecided',
      /* 0.5554136912128946 */ (CAST(5002721785565728e0 AS DOUBLE PRECISION) / 9007199254740992e0),
      /* 0.25504255777327434 */ (CAST(4594438272605346e0 AS DOUBLE PRECISION) / 18014398509481984e0),
      /* 0.8567634549165072 */ (CAST(7717039152613281e0 AS DOUBLE PRECISION) / 9007199254740992e0),
      37e0,
      21e0),
    (4, 7, 'rule in',
      /* 0.9176002884263388 */ (CAST(8265008634063838e0 AS DOUBLE PRECISION) / 9007199254740992e0),
      /* 0.45954784433373197 */ (CAST(8278478002001240e0 AS DOUBLE PRECISION) / 18014398509481984e0),
      /* 0.9971750038407269 */ (CAST(8981753951440541e0 AS DOUBLE PRECISION) / 9007199254740992e0),
      22e0,
      2e1)
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
  -- The range covers both ways of an unknown answer.
  CAST(CASE WHEN lowest.lower <= highest.lower THEN lowest.lower
    WHEN lowest.lower > highest.lower THEN highest.lower END AS DOUBLE PRECISION) AS scorecard_lower,
  CAST(CASE WHEN lowest.upper >= highest.upper THEN lowest.upper
    WHEN lowest.upper < highest.upper THEN highest.upper END AS DOUBLE PRECISION) AS scorecard_upper,
  CAST(CASE WHEN lowest.cases = highest.cases AND lowest.positives = highest.positives
    THEN lowest.cases END AS DOUBLE PRECISION) AS scorecard_cases,
  CAST(CASE WHEN lowest.cases = highest.cases AND lowest.positives = highest.positives
    THEN lowest.positives END AS DOUBLE PRECISION) AS scorecard_positives,
  CASE WHEN scorecard_problem IS NULL THEN NULLIF(substr(
    -- worst_perimeter: outside what the list has seen (58.1 to 212); unit?
    CASE WHEN scorecard_w1 IS NOT NULL AND (scorecard_v1 < CAST(387e-1 AS DOUBLE PRECISION) OR scorecard_v1 > CAST(288e0 AS DOUBLE PRECISION))
      THEN '; worst_perimeter' ELSE '' END
    -- worst_concave_points: outside what the list has seen (0 to 0.27); unit?
    || CASE WHEN scorecard_w2 IS NOT NULL AND (scorecard_v2 < CAST(-135e-3 AS DOUBLE PRECISION) OR scorecard_v2 > CAST(405e-3 AS DOUBLE PRECISION))
      THEN '; worst_concave_points' ELSE '' END
    -- worst_texture: outside what the list has seen (14.8 to 41.9); unit?
    || CASE WHEN scorecard_w3 IS NOT NULL AND (scorecard_v3 < CAST(988e-2 AS DOUBLE PRECISION) OR scorecard_v3 > CAST(554e-1 AS DOUBLE PRECISION))
      THEN '; worst_texture' ELSE '' END
    -- area_error: outside what the list has seen (8.32 to 180); unit?
    || CASE WHEN scorecard_w4 IS NOT NULL AND (scorecard_v4 < CAST(555e-2 AS DOUBLE PRECISION) OR scorecard_v4 > CAST(266e0 AS DOUBLE PRECISION))
      THEN '; area_error' ELSE '' END
  , 3), '') END AS scorecard_outside
FROM scorecard_ends
LEFT JOIN scorecard_boxes lowest
  ON lowest.stage = scorecard_low_stage AND lowest.total = scorecard_low
LEFT JOIN scorecard_boxes highest
  ON highest.stage = scorecard_high_stage AND highest.total = scorecard_high;

-- Written by scorecard 0.2.0.dev0, language en, sha256 of what follows:
-- 625c960fcf7d039c8723458460eb0149521542a537127c29c36cbee6fa17f20a
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
-- For DuckDB. Adds to each row of the table cases: scorecard_answers, a letter per
-- question (1 yes, 0 no, ? unknown, ! no answer); scorecard_outside and scorecard_problem, the inputs
-- whose number is far from all that the list has seen, or whose value is no answer (such a row has
-- no result); and the result. An unknown answer never counts as no.
-- Made with: scorecard export MODEL --to sql --dialect duckdb
WITH scorecard_rows AS (
  SELECT cases.*,
    CASE -- 1. Largest perimeter ≥ 110
      WHEN CASE typeof(cases."worst_perimeter") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."worst_perimeter" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."worst_perimeter" AS DOUBLE) END BETWEEN 110e0 AND 1.7976931348623157e+308 THEN '1'
      WHEN CASE typeof(cases."worst_perimeter") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."worst_perimeter" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."worst_perimeter" AS DOUBLE) END BETWEEN -1.7976931348623157e+308 AND 110e0 THEN '0'
      WHEN cases."worst_perimeter" IS NULL OR regexp_full_match(lower(trim(CAST(cases."worst_perimeter" AS TEXT), E' \t\n\r' || chr(160))), '|#n/a|-|\.|\?|fehlt|k\.a\.|missing|n/a|na|nan|null|unbekannt|unknown|–') THEN '?'
      WHEN lower(trim(CAST(cases."worst_perimeter" AS TEXT), E' \t\n\r' || chr(160))) IN ('ja', 'true', 'wahr', 'yes') THEN '1'
      WHEN lower(trim(CAST(cases."worst_perimeter" AS TEXT), E' \t\n\r' || chr(160))) IN ('falsch', 'false', 'nein', 'no') THEN '0' ELSE '!' END ||
    CASE -- 2. Largest concave points ≥ 0.14
      WHEN CASE typeof(cases."worst_concave_points") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."worst_concave_points" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."worst_concave_points" AS DOUBLE) END BETWEEN 0.14e0 AND 1.7976931348623157e+308 THEN '1'
      WHEN CASE typeof(cases."worst_concave_points") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."worst_concave_points" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."worst_concave_points" AS DOUBLE) END BETWEEN -1.7976931348623157e+308 AND 0.14e0 THEN '0'
      WHEN cases."worst_concave_points" IS NULL OR regexp_full_match(lower(trim(CAST(cases."worst_concave_points" AS TEXT), E' \t\n\r' || chr(160))), '|#n/a|-|\.|\?|fehlt|k\.a\.|missing|n/a|na|nan|null|unbekannt|unknown|–') THEN '?' ELSE '!' END ||
    CASE -- 3. Largest texture ≥ 23.5
      WHEN CASE typeof(cases."worst_texture") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."worst_texture" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."worst_texture" AS DOUBLE) END BETWEEN 23.5e0 AND 1.7976931348623157e+308 THEN '1'
      WHEN CASE typeof(cases."worst_texture") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."worst_texture" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."worst_texture" AS DOUBLE) END BETWEEN -1.7976931348623157e+308 AND 23.5e0 THEN '0'
      WHEN cases."worst_texture" IS NULL OR regexp_full_match(lower(trim(CAST(cases."worst_texture" AS TEXT), E' \t\n\r' || chr(160))), '|#n/a|-|\.|\?|fehlt|k\.a\.|missing|n/a|na|nan|null|unbekannt|unknown|–') THEN '?'
      WHEN lower(trim(CAST(cases."worst_texture" AS TEXT), E' \t\n\r' || chr(160))) IN ('ja', 'true', 'wahr', 'yes') THEN '1'
      WHEN lower(trim(CAST(cases."worst_texture" AS TEXT), E' \t\n\r' || chr(160))) IN ('falsch', 'false', 'nein', 'no') THEN '0' ELSE '!' END ||
    CASE -- 4. Spread of area ≥ 33
      WHEN CASE typeof(cases."area_error") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."area_error" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."area_error" AS DOUBLE) END BETWEEN 33e0 AND 1.7976931348623157e+308 THEN '1'
      WHEN CASE typeof(cases."area_error") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."area_error" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."area_error" AS DOUBLE) END BETWEEN -1.7976931348623157e+308 AND 33e0 THEN '0'
      WHEN cases."area_error" IS NULL OR regexp_full_match(lower(trim(CAST(cases."area_error" AS TEXT), E' \t\n\r' || chr(160))), '|#n/a|-|\.|\?|fehlt|k\.a\.|missing|n/a|na|nan|null|unbekannt|unknown|–') THEN '?'
      WHEN lower(trim(CAST(cases."area_error" AS TEXT), E' \t\n\r' || chr(160))) IN ('ja', 'true', 'wahr', 'yes') THEN '1'
      WHEN lower(trim(CAST(cases."area_error" AS TEXT), E' \t\n\r' || chr(160))) IN ('falsch', 'false', 'nein', 'no') THEN '0' ELSE '!' END
    AS scorecard_answers,
    NULLIF(substr(
      CASE WHEN CASE typeof(cases."worst_perimeter") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."worst_perimeter" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."worst_perimeter" AS DOUBLE) END BETWEEN -1.7976931348623157e+308 AND 1.7976931348623157e+308 -- worst_perimeter: outside what the list has seen (58.1 to 212); unit?
        AND NOT CASE typeof(cases."worst_perimeter") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."worst_perimeter" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."worst_perimeter" AS DOUBLE) END BETWEEN 38.7e0 AND 288e0
        THEN '; worst_perimeter' ELSE '' END ||
      CASE WHEN CASE typeof(cases."worst_concave_points") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."worst_concave_points" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."worst_concave_points" AS DOUBLE) END BETWEEN -1.7976931348623157e+308 AND 1.7976931348623157e+308 -- worst_concave_points: outside what the list has seen (0 to 0.27); unit?
        AND NOT CASE typeof(cases."worst_concave_points") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."worst_concave_points" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."worst_concave_points" AS DOUBLE) END BETWEEN -0.135e0 AND 0.405e0
        THEN '; worst_concave_points' ELSE '' END ||
      CASE WHEN CASE typeof(cases."worst_texture") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."worst_texture" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."worst_texture" AS DOUBLE) END BETWEEN -1.7976931348623157e+308 AND 1.7976931348623157e+308 -- worst_texture: outside what the list has seen (14.8 to 41.9); unit?
        AND NOT CASE typeof(cases."worst_texture") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."worst_texture" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."worst_texture" AS DOUBLE) END BETWEEN 9.88e0 AND 55.4e0
        THEN '; worst_texture' ELSE '' END ||
      CASE WHEN CASE typeof(cases."area_error") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."area_error" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."area_error" AS DOUBLE) END BETWEEN -1.7976931348623157e+308 AND 1.7976931348623157e+308 -- area_error: outside what the list has seen (8.32 to 180); unit?
        AND NOT CASE typeof(cases."area_error") WHEN 'VARCHAR' THEN TRY_CAST(regexp_extract(trim(CAST(cases."area_error" AS TEXT), E' \t\n\r' || chr(160)), '^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$', 1) AS DOUBLE) WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST(cases."area_error" AS DOUBLE) END BETWEEN 5.55e0 AND 266e0
        THEN '; area_error' ELSE '' END
    , 3), '') AS scorecard_outside FROM cases
), scorecard_stage0 AS ( -- each pattern of answers once
  SELECT DISTINCT scorecard_answers AS answers,
    CASE WHEN scorecard_answers LIKE '%!%' THEN NULL ELSE 0 END AS low0,
    CASE WHEN scorecard_answers LIKE '%!%' THEN NULL ELSE 0 END AS high0 FROM scorecard_rows
), scorecard_stage1 AS ( -- the total; an unknown answer goes both ways, at a stop nobody goes on
  SELECT b.*, low0 + CASE WHEN substr(answers, 1, 1) = '1' THEN 3 ELSE 0 END AS low1,
    high0 + CASE WHEN substr(answers, 1, 1) <> '0' THEN 3 ELSE 0 END AS high1 FROM scorecard_stage0 b
), scorecard_stage2 AS (
  SELECT b.*, low1 + CASE WHEN substr(answers, 2, 1) = '1' THEN 3 ELSE 0 END AS low2,
    high1 + CASE WHEN substr(answers, 2, 1) <> '0' THEN 3 ELSE 0 END AS high2 FROM scorecard_stage1 b
), scorecard_stage3 AS (
  SELECT b.*, CASE WHEN NOT (low2 <= 0 OR low2 >= 6) THEN low2 + CASE WHEN substr(answers, 3, 1) = '1' THEN 2 ELSE 0 END END AS low3,
    CASE WHEN NOT (high2 <= 0 OR high2 >= 6) THEN high2 + CASE WHEN substr(answers, 3, 1) <> '0' THEN 2 ELSE 0 END END AS high3 FROM scorecard_stage2 b
), scorecard_stage4 AS (
  SELECT b.*, low3 + CASE WHEN substr(answers, 4, 1) = '1' THEN 2 ELSE 0 END AS low4,
    high3 + CASE WHEN substr(answers, 4, 1) <> '0' THEN 2 ELSE 0 END AS high4 FROM scorecard_stage3 b
), scorecard_boxes (stage, total, decision, probability, lower, upper, cases, positives) AS (VALUES
  (2, 0, 'rule out', 0.027106638186944875e0, 0.006715869015598677e0, 0.12021655215193851e0, 333e0, 9e0),
  (2, 6, 'rule in', 0.987017833024611e0, 0.8534317246139561e0, 0.9994184545803603e0, 162e0, 160e0),
  (4, 3, 'undecided', 0.11865552019886778e0, 0.004836947724769088e0, 0.6539481080986764e0, 15e0, 2e0),
  (4, 5, 'undecided', 0.5554136912128946e0, 0.25504255777327434e0, 0.8567634549165072e0, 37e0, 21e0),
  (4, 7, 'rule in', 0.9176002884263388e0, 0.45954784433373197e0, 0.9971750038407269e0, 22e0, 20e0)
), scorecard_results AS MATERIALIZED (
  SELECT answers, CASE WHEN 1 = 0 THEN ''
    WHEN substr(answers, 1, 1) = '!' THEN 'worst_perimeter'
    WHEN substr(answers, 2, 1) = '!' THEN 'worst_concave_points'
    WHEN substr(answers, 3, 1) = '!' THEN 'worst_texture'
    WHEN substr(answers, 4, 1) = '!' THEN 'area_error'
    END AS scorecard_problem, CASE WHEN l.decision = h.decision THEN l.decision
      WHEN l.decision <> h.decision THEN 'unknown' END AS scorecard_decision,
    CASE WHEN l.stage > h.stage THEN l.stage ELSE h.stage END AS scorecard_stage, CASE WHEN l.total = h.total THEN l.total END AS scorecard_total,
    CAST(CASE WHEN l.probability = h.probability THEN l.probability END AS DOUBLE) AS scorecard_probability,
    CAST(CASE WHEN l.lower <= h.lower THEN l.lower WHEN l.lower > h.lower THEN h.lower END AS DOUBLE) AS scorecard_lower,
    CAST(CASE WHEN l.upper >= h.upper THEN l.upper WHEN l.upper < h.upper THEN h.upper END AS DOUBLE) AS scorecard_upper,
    CAST(CASE WHEN l.cases = h.cases AND l.positives = h.positives THEN l.cases END AS DOUBLE) AS scorecard_cases,
    CAST(CASE WHEN l.cases = h.cases AND l.positives = h.positives THEN l.positives END AS DOUBLE) AS scorecard_positives
  FROM scorecard_stage4 LEFT JOIN scorecard_boxes l ON l.total = COALESCE(low4, low3, low2, low1, low0, NULL) AND l.stage = CASE WHEN low4 IS NOT NULL THEN 4 WHEN low3 IS NOT NULL THEN 3 WHEN low2 IS NOT NULL THEN 2 WHEN low1 IS NOT NULL THEN 1 WHEN low0 = 0 THEN 0 END
  LEFT JOIN scorecard_boxes h ON h.total = COALESCE(high4, high3, high2, high1, high0, NULL) AND h.stage = CASE WHEN high4 IS NOT NULL THEN 4 WHEN high3 IS NOT NULL THEN 3 WHEN high2 IS NOT NULL THEN 2 WHEN high1 IS NOT NULL THEN 1 WHEN high0 = 0 THEN 0 END
)
SELECT scorecard_rows.*, scorecard_problem, scorecard_decision, scorecard_stage, scorecard_total,
  scorecard_probability, scorecard_lower, scorecard_upper, scorecard_cases, scorecard_positives
FROM scorecard_rows JOIN scorecard_results ON answers = scorecard_answers;

"""A simulated chest-pain cohort: nobody in it is a patient.

The paper's cohort (1,199 patients of general practitioners, 135 with coronary heart disease, ten
yes/no findings) is not public. This one has the same size and the same ten findings; how they
depend on the outcome is made up so that the five findings of the Marburg Heart Score matter most.
Nothing about chest pain can be learned from it.
"""

from dataclasses import dataclass

import numpy as np

SIMULATED = "Simulated cases: they show the program, not medicine."

CASES, POSITIVES = 1199, 135


@dataclass(frozen=True)
class Finding:
    """A yes/no finding with its made-up frequency among the healthy and the ill."""

    name: str
    healthy: float
    ill: float


# The first five are those of the Marburg Heart Score (Bösner et al. 2010); the frequencies are not.
FINDINGS = (
    Finding("age_gender", 0.33, 0.80),
    Finding("known_vascular_disease", 0.12, 0.50),
    Finding("pain_depends_on_exercise", 0.18, 0.58),
    Finding("pain_not_reproducible_by_palpation", 0.55, 0.88),
    Finding("patient_assumes_cardiac_origin", 0.35, 0.66),
    Finding("no_muscle_tension", 0.60, 0.74),
    Finding("pain_is_not_sharp", 0.62, 0.73),
    Finding("diabetes", 0.12, 0.20),
    Finding("heart_failure", 0.05, 0.10),
    Finding("no_cough", 0.80, 0.86),
)
MARBURG = tuple(finding.name for finding in FINDINGS[:5])


def simulated_cohort(seed=0):
    """Findings (1,199 × 10, 0 or 1) and outcomes; the same seed gives the same cohort.

    A common severity makes findings of one case resemble each other, as they do in reality.
    """
    generator = np.random.default_rng(seed)
    ill = np.zeros(CASES, bool)
    ill[generator.choice(CASES, POSITIVES, replace=False)] = True
    severity = generator.normal(0, 0.5, CASES)
    odds = [np.where(ill, _logit(one.ill), _logit(one.healthy)) for one in FINDINGS]
    chances = 1 / (1 + np.exp(-(np.column_stack(odds) + severity[:, None])))
    return (generator.random(chances.shape) < chances).astype(np.int64), ill.astype(np.int64)


def _logit(share):
    return np.log(share / (1 - share))

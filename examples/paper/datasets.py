"""The tables of the study: the open ones, and a simulated one in the place of the closed one."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import fetch_openml, load_breast_cancer

from examples.paper.chest_pain import FINDINGS, SIMULATED, simulated_cohort

OPENML = {"ILPD": 41945, "BCC": 42900}
FILES = {"ILPD": "ilpd.csv", "BCC": "bcc.csv"}


@dataclass(frozen=True)
class Dataset:
    """Numbers only, the outcome 1 where positive; `note` stands on everything made from it."""

    name: str
    X: np.ndarray
    y: np.ndarray
    inputs: tuple[str, ...]
    note: str = ""

    @property
    def is_binary(self):
        return bool(np.isin(self.X, (0, 1)).all())


def chest_pain():
    X, y = simulated_cohort()
    names = tuple(finding.name for finding in FINDINGS)
    return Dataset("chest pain (simulated)", X.astype(float), y, names, SIMULATED)


def breast_cancer():
    """The ten mean measurements of scikit-learn's breast cancer data; positive is malignant."""
    data = load_breast_cancer()
    names = tuple(name.replace(" ", "_") for name in data.feature_names[:10])
    return Dataset("breast cancer (Wisconsin)", data.data[:, :10], 1 - data.target, names)


def local(name, folder):
    """A table from a folder, its last column the outcome with 1 for positive; `None` if absent."""
    path = Path(folder) / FILES[name]
    if not path.is_file():
        return None
    with path.open(encoding="utf-8") as file:
        *inputs, _ = file.readline().strip().split(",")
        rows = np.loadtxt(file, delimiter=",")
    return Dataset(name, rows[:, :-1], rows[:, -1].astype(int), tuple(inputs))


def from_openml(name):
    """A table from openml.org; the network is needed once."""
    frame, outcome = fetch_openml(
        data_id=OPENML[name], as_frame=True, return_X_y=True, parser="auto"
    )
    numbers = frame.apply(lambda column: column.astype("category").cat.codes
                          if column.dtype.kind in "OUSb" or str(column.dtype) == "category"
                          else column)  # fmt: skip
    X = numbers.to_numpy(float)
    # Both tables code the outcome 1 and 2; in ILPD 1 is the liver patient, in BCC 2 the cancer.
    positive = "1" if name == "ILPD" else "2"
    y = (outcome.astype(str) == positive).to_numpy().astype(int)
    X = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    return Dataset(name, X, y, tuple(map(str, frame.columns)))


def available(folder=None, network=False):
    """Every table that is at hand: simulated, built in, local, from the network."""
    found = [chest_pain(), breast_cancer()]
    for name in OPENML:
        table = local(name, folder) if folder else None
        if table is None and network:
            table = from_openml(name)
        if table is not None:
            found.append(table)
    return found

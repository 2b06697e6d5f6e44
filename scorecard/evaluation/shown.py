"""How the result of an evaluation shows itself, in a terminal and in a notebook."""

from __future__ import annotations

from typing import Any


class ShownResult:
    """What `evaluate` gives; all figures are methods and properties of its two kinds."""

    def to_frame(self, backend: str | None = None) -> Any:
        """A data frame with a row per number of questions: each measure with its 95 % interval.

        After resampling there is one for each method that was judged. `backend` is "pandas" or
        "polars"; by default pandas where it is loaded, else polars.
        """
        from scorecard.display import frame_of_rows
        from scorecard.evaluation.report import rows_of

        found: Any = self
        return frame_of_rows(rows_of(found), backend)

    def __str__(self) -> str:
        """The verdict and what was found, as `scorecard evaluate` prints it."""
        from scorecard.evaluation.report import text_of

        found: Any = self
        return text_of(found)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: print it, or give it to make_report>"

    def _repr_html_(self) -> str:
        from scorecard.evaluation.report import report_of
        from scorecard.evaluation.write import report_for_notebook

        found: Any = self
        return report_for_notebook(report_of(found))

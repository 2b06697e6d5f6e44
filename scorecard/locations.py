"""Where the built-in templates are.

They live in `templates/` at the top of the repository, where people look for them, and inside the
package in a wheel. The folder is found from this file and not from the installed distribution: a
checkout that hides an installed wheel has to use its own templates.
"""

from pathlib import Path

from scorecard.errors import ScorecardError

_PACKAGE = Path(__file__).resolve().parent


def templates_folder(package: Path = _PACKAGE) -> Path:
    """The folder of the built-in templates, in a wheel, an editable install or a checkout."""
    candidates = (package / "templates", package.parent / "templates")
    for folder in candidates:
        # The README tells our folder from another project's `templates` beside the package.
        if (folder / "README.md").is_file():
            return folder
    raise ScorecardError(
        f"the built-in templates were looked for in {str(candidates[0])!r} and "
        f"{str(candidates[1])!r} and are in neither: install psl-scorecard again"
    )

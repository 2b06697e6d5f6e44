"""Make .venv ready: an interpreter, the package, Pango for the PDFs.

Run by `make setup`. With `--development`, run by `make test`, the development tools are installed
as well and a browser to test the handout in. It does nothing when nothing has changed since the
last time. Written for any Python 3.6, so that an interpreter too old for scorecard can still say
so in one line.
"""

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "installed"
BROWSER_STAMP = VENV / "looked-for-a-browser"
ENGINES_STAMP = VENV / "looked-for-engines"
VENV_PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

THIS_PYTHON = sys.version_info[:2]
OLDEST = (3, 11)
NEWER_PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11")
PIP_WITH_GROUPS = "pip>=25.1"  # the first that understands `--group`
WHEELS_ONLY = ("--only-binary", ":all:")  # nothing is compiled on a user's machine
EVERYTHING = ".[learn]"

# The libraries WeasyPrint opens, by their names on Linux, macOS and Windows.
PRINT_LIBRARIES = (
    ("libpango-1.0.so.0", "libpango-1.0.dylib", "libpango-1.0-0.dll"),
    ("libpangoft2-1.0.so.0", "libpangoft2-1.0.dylib", "libpangoft2-1.0-0.dll"),
    ("libharfbuzz-subset.so.0", "libharfbuzz-subset.0.dylib", "libharfbuzz-subset-0.dll"),
)
WINDOWS_FOLDERS = ("C:\\msys64\\ucrt64\\bin", "C:\\msys64\\mingw64\\bin")
DEBIAN_PACKAGES = ("libpango-1.0-0", "libpangoft2-1.0-0", "libharfbuzz-subset0")
PANGO_COMMANDS = (
    ("apt-get", "apt-get install -y " + " ".join(DEBIAN_PACKAGES)),
    ("dnf", "dnf install -y pango harfbuzz"),
    (
        "apk",
        "apk add so:libpango-1.0.so.0 so:libpangoft2-1.0.so.0 so:libharfbuzz-subset.so.0",
    ),
    ("brew", "brew install pango"),
    ("pacman", "pacman -S --noconfirm pango harfbuzz"),
)

# Browsers of one kind, by their names on the PATH and by their places where there is no such name.
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
)
BROWSER_COMMANDS = (
    ("apt-get", "apt-get install -y chromium"),
    ("dnf", "dnf install -y chromium"),
    ("apk", "apk add chromium"),
    ("brew", "brew install --cask chromium"),
    ("pacman", "pacman -S --noconfirm chromium"),
)


class SetupError(Exception):
    """What is missing and the command that helps, in one line."""


def main(development=False):
    try:
        fresh = is_installed(development)
        if not fresh:
            install(development)
        look_for_pango(may_install=not fresh)
        if development:
            look_for_a_browser()
            look_for_engines()
    except SetupError as error:
        sys.exit("setup: {}".format(error))
    except subprocess.CalledProcessError as error:
        # The command has already said what is wrong.
        sys.exit("setup: this command failed: {}".format(" ".join(map(str, error.cmd))))


# The environment ----------------------------------------------------------------------------------


def is_installed(development):
    """The development tools come with the product, so they are enough for either."""
    if not VENV_PYTHON.exists() or not STAMP.exists():
        return False
    enough = [stamp(True)] if development else [stamp(True), stamp(False)]
    return STAMP.read_text() in enough


def stamp(development):
    return fingerprint() + (" with development tools" if development else "")


def fingerprint():
    """Contents rather than times, so that switching branches does not reinstall. The path is in it
    because an editable install breaks when its folder is moved."""
    parts = [
        str(ROOT).encode(),
        (ROOT / "pyproject.toml").read_bytes(),
        Path(__file__).read_bytes(),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def install(development):
    if STAMP.exists():
        STAMP.unlink()
    uv = shutil.which("uv")
    what = " and its development tools" if development else ""
    print("setup: installing scorecard{} into .venv".format(what), flush=True)
    if uv:
        install_with_uv(uv, development)
    else:
        install_with_pip(development)
    STAMP.write_text(stamp(development))


def install_with_uv(uv, development):
    if not VENV_PYTHON.exists():
        oldest = ">={}.{}".format(*OLDEST)
        run(uv, "venv", "--clear", "--seed", "--python", find_python() or oldest, VENV)
    tools = ("--group", "dev") if development else ()
    run(uv, "pip", "install", "--python", VENV_PYTHON, "--editable", EVERYTHING, *tools)


def install_with_pip(development):
    if not works(VENV_PYTHON, "import pip"):
        python = find_python()
        if python is None:
            raise SetupError(
                "python3 is {}.{}, scorecard needs {}.{} or newer: install one of {}".format(
                    *THIS_PYTHON, *OLDEST, ", ".join(NEWER_PYTHONS)
                )
            )
        if not works(python, "import venv, ensurepip"):
            raise SetupError(venv_remedy(python))
        run(python, "-m", "venv", "--clear", VENV)
    pip = (VENV_PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    if development:
        run(*pip, "--upgrade", PIP_WITH_GROUPS)
        run(*pip, *WHEELS_ONLY, "--editable", EVERYTHING, "--group", "dev")
    else:
        run(*pip, *WHEELS_ONLY, "--editable", EVERYTHING)


def find_python():
    """The interpreter running this if it is new enough, else the newest on the PATH, else None."""
    if THIS_PYTHON >= OLDEST:
        return sys.executable
    # A name on the PATH may be a version manager's shim for nothing: only a run shows.
    is_new_enough = "import sys; sys.exit(sys.version_info < {!r})".format(OLDEST)
    found = (shutil.which(name) for name in NEWER_PYTHONS)
    return next((python for python in found if python and works(python, is_new_enough)), None)


def venv_remedy(python):
    if shutil.which("apt-get"):
        version = "import sys; print('%d.%d' % sys.version_info[:2])"
        answer = subprocess.check_output([python, "-c", version], universal_newlines=True)
        return "Python's venv module is missing: {}apt-get install -y python{}-venv".format(
            sudo(), answer.strip()
        )
    return "Python's venv or ensurepip module is missing: install it, or uv, and try again"


# The libraries that draw the PDFs -----------------------------------------------------------------


def look_for_pango(may_install):
    if pango_is_there():
        return
    if may_install and is_debian_root():
        install_pango_on_debian()
        if pango_is_there():
            return
    # Not a refusal: everything but the PDFs works without.
    print("setup: Pango is missing, PDFs cannot be made; install it with: " + pango_command())


def pango_is_there():
    # In the interpreter that will use it: another may be of another architecture.
    check = subprocess.run([str(VENV_PYTHON), __file__, "--print-libraries"])
    return check.returncode == 0


def print_libraries_open():
    for folder in WINDOWS_FOLDERS:
        if hasattr(os, "add_dll_directory") and Path(folder).is_dir():
            os.add_dll_directory(folder)
    return all(any(opens(name) for name in names) for names in PRINT_LIBRARIES)


def opens(library):
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def is_debian_root():
    return is_root() and shutil.which("apt-get") and Path("/etc/debian_version").exists()


def install_pango_on_debian():
    install_on_debian(DEBIAN_PACKAGES)


def install_on_debian(packages):
    print("setup: installing " + " ".join(packages), flush=True)
    install_packages = ("apt-get", "install", "-y", "-qq", "--no-install-recommends")
    if subprocess.call(install_packages + packages) == 0:
        return
    # A fresh container has no package lists yet.
    if subprocess.call(("apt-get", "update", "-qq")) == 0:
        subprocess.call(install_packages + packages)


def pango_command():
    command = command_of(PANGO_COMMANDS)
    if command is None and os.name == "nt":
        return "pacman -S --noconfirm mingw-w64-ucrt-x86_64-pango (in an MSYS2 shell)"
    return command or "your package manager (the packages are called pango and harfbuzz)"


def command_of(commands):
    """The command of the package manager that is here, or None."""
    for manager, command in commands:
        if shutil.which(manager):
            return command if manager == "brew" else sudo() + command
    return None


# The browser the handout is tested in -------------------------------------------------------------


def look_for_a_browser():
    if find_browser():
        return
    # Once: offline, nobody wants to wait for it again at every run.
    if is_debian_root() and not has_looked():
        install_on_debian(("chromium",))
        BROWSER_STAMP.write_text(fingerprint())
        if find_browser():
            return
    # Not a refusal: the tests that need it are skipped, and say so.
    command = command_of(BROWSER_COMMANDS) or "your package manager (it is called chromium)"
    print("setup: no browser, the handout is not tested in one; install it with: " + command)


def has_looked():
    return BROWSER_STAMP.exists() and BROWSER_STAMP.read_text() == fingerprint()


def find_browser():
    """The program of a browser to test with, or None; SCORECARD_BROWSER names another one."""
    named = os.environ.get("SCORECARD_BROWSER")
    if named:
        return named
    on_path = (shutil.which(name) for name in BROWSERS)
    places = (place for place in BROWSER_PLACES if Path(place).exists())
    return next((program for program in on_path if program), None) or next(places, None)


# The programs of others that run forms to fill in -------------------------------------------------


def look_for_engines():
    """Those of npm, in the versions that tests/engines names, into a folder of their own."""
    npm, here = shutil.which("npm"), ROOT / "tests" / "engines"
    if not here.is_dir():
        return
    wanted = hashlib.sha256((here / "package.json").read_bytes()).hexdigest()
    if ENGINES_STAMP.exists() and ENGINES_STAMP.read_text() == wanted:
        return
    command = "npm install --no-package-lock --prefix tests/engines"
    quiet = ("--silent", "--no-audit", "--no-fund")
    if npm is None or subprocess.call([npm, *command.split()[1:], *quiet], cwd=str(ROOT)) != 0:
        # Not a refusal: the tests that need them are skipped, and say so.
        print("setup: forms for ODK and FHIR are not run; install their engines with: " + command)
    ENGINES_STAMP.write_text(wanted)


def is_root():
    return hasattr(os, "geteuid") and os.geteuid() == 0


def sudo():
    return "" if is_root() else "sudo "


# Running things -----------------------------------------------------------------------------------


def run(*command):
    subprocess.check_call([str(part) for part in command], cwd=str(ROOT))


def works(python, code):
    if not Path(python).exists():
        return False
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.call([str(python), "-c", code], **quiet) == 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--print-libraries"]:
        sys.exit(not print_libraries_open())
    main(development=sys.argv[1:] == ["--development"])

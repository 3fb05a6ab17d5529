# Sourced by scripts/run and scripts/test, with $root set: `prepare KIND` leaves a complete .venv of KIND (run or dev)
# beside pyproject.toml. While the environment is up to date, nothing here starts a slow process.

# Everything that an installation depends on. The stamp is a copy of it, so that a change is seen by its content and not
# by its date; the path comes first, because an environment that was moved no longer works.
installed_from() {
    printf '%s\n' "$root"
    cat "$root/pyproject.toml" "$root/constraints.txt" "$root/hatch_build.py" "$root"/src/yomikiri/locale/*/*.po
    # What the library of kernels is built from, and by.
    # (The names have no blanks, so the shell may take them apart.)
    (cd "$root/src/yomikiri" && cat $(cat machine/sources.txt) machine/*.py machine/compiler/*.py)
}

up_to_date() {
    [ -x "$root/.venv/bin/python" ] && [ ! -e "$root/.venv/unfinished" ] && [ -f "$root/.venv/stamp-$1" ] &&
        installed_from | cmp -s - "$root/.venv/stamp-$1" && library_as_built
}

# Whether the library of kernels is as it was made: the compiler leaves a copy. (What is missing is told apart as well.)
library_as_built() {
    diff -rq "$root/build/kernels/lib" "$root/src/yomikiri/machine/lib" >/dev/null 2>&1
}

# A name on PATH proves little (a shim may stand for nothing, Debian may lack venv), so each one is tried.
find_python() {
    for name in python3.13 python3.12 python3.11 python3 python; do
        if "$name" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    echo 'error: no Python 3.11 or newer (with its venv module) was found on PATH' >&2
    return 1
}

prepare() {
    up_to_date "$1" && return
    python=$(find_python) || return
    installed_from | "$python" "$root/scripts/install.py" "$root" "$1"
}

#!/usr/bin/env bash
# Installs the exporter into an environment of its own and says where things are:
# python, version, state (the exporter's state of the project) and home (the secret that seals it).
set -euo pipefail

project=${EXPORTER_PROJECT:-.}
environment=$RUNNER_TEMP/level-exporter
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

fail() { printf '::error::%s\n' "$*"; exit 1; }

[[ $project != *$'\n'* ]] || fail "the input project must be one line"
[[ -f $project/exporter.yaml ]] ||
    fail "$project has no exporter.yaml (the input project names the folder that has it)"
# A state that came with a change could say anything of the levels, once its author knows the secret.
if [[ -n $(git -C "$project" ls-files -- .exporter | head -n 1) ]]; then
    fail "$project/.exporter is committed (remove it with: git rm -r --cached $project/.exporter)"
fi

python -m venv "$environment"
python=$environment/bin/python
[[ -x $python ]] || python=$environment/Scripts/python.exe
pip() { "$python" -m pip "$1" --quiet --disable-pip-version-check "${@:2}"; }
if [[ -n ${EXPORTER_INSTALL:-} ]]; then
    pip install "$EXPORTER_INSTALL"
else
    # Compiled once for each version: the folder is cached. A backslash would be no separator in patterns.
    EXPORTER_WHEEL=${EXPORTER_WHEEL//\\//}
    compgen -G "$EXPORTER_WHEEL/*.whl" >/dev/null ||
        pip wheel --no-deps --wheel-dir "$EXPORTER_WHEEL" "$checkout"
    pip install "$EXPORTER_WHEEL"/*.whl
fi
version=$("$python" -m exporter --version)

{
    printf 'python=%s\n' "$python"
    printf 'version=%s\n' "${version#exporter }"
    printf 'state=%s\n' "$project/.exporter"
    printf 'home=%s\n' "$RUNNER_TEMP/level-exporter-home"
} >>"$GITHUB_OUTPUT"

#!/usr/bin/env bash
# How files are written, and what has to say the same in several places: .editorconfig, .clang-format, pyproject.toml, the version, the notices.
# Installs ruff and clang-format where they are missing. Ends with 77 where that cannot be done, and with 1 where CI=true.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
source scripts/setup.sh
failed=0 passed=0 unchecked=()
check() { # NAME LINES: fails when there are any
    if [ -n "$2" ]; then
        printf 'habits: %s:\n%s\n' "$1" "$(head -n 20 <<<"$2")"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}
written=(':!*/src/test/resources/*') # data that tests read is as it was found

check "trailing blanks" "$(git grep -nIP '[ \t]+$' -- "${written[@]}")"
check "carriage returns" "$(git grep -lIP '\r$' -- "${written[@]}")"
check "tabs before text" "$(git grep -nIP '^ *\t' -- "${written[@]}" ':!*Makefile' ':!*.tsv')"
check "no newline at the end" "$(git grep -lI '' -- "${written[@]}" | while IFS= read -r file; do
    [ ! -f "$file" ] || [ -z "$(tail -c 1 "$file")" ] || echo "$file"
done)"

cannot() { # NAME: what it looks at was not looked at
    unchecked+=("$1")
    printf 'habits: nothing was checked by %s: %s\n' "$1" "$obstacle"
}
if find_ruff; then
    check "ruff" "$("$ruff" check --quiet --output-format concise . 2>&1)"
else
    cannot ruff
fi
# Version 14 and later lay these files out alike; a file that conforms joins the list and stays.
if install_missing format; then
    check "clang-format (clang-format -i FILE)" "$(while IFS= read -r file; do
        clang-format "$file" | cmp -s - "$file" || echo "$file"
    done <native/test/house/formatted.txt)"
else
    cannot clang-format
fi
check "listed in formatted.txt, and gone" "$(while IFS= read -r file; do [ -f "$file" ] || echo "$file"; done <native/test/house/formatted.txt)"

# The version stands in pom.xml; what cannot read it there says the same.
version=$(sed -n 's|.*<revision>\(.*\)</revision>.*|\1|p' pom.xml)
check "pom.xml has no <revision>" "$([ -n "$version" ] || echo pom.xml)"
check "the Python package's version is not $version" "$(grep -qx "__version__ = \"$version\"" native/python/lacuna/__init__.py || echo native/python/lacuna/__init__.py)"
check "CHANGELOG.md knows nothing of $version" "$(grep -q "^## .*$version" CHANGELOG.md || echo CHANGELOG.md)"

# What is shipped has its notice.
check "libraries without a line in installer/notices.tsv" "$(installer/notices.py app/target/lib --missing)"

check "pages of docs/decisions whose number is not their own" "$(for page in docs/decisions/[0-9]*.md; do
    number=$(basename "$page")
    number=$((10#${number%%-*}))
    grep -q "^# $number\. " "$page" || echo "$page"
done)"

printf '%d passed, %d failed, %d skipped\n' $passed $failed ${#unchecked[@]}
[ $failed = 0 ] || exit 1
[ ${#unchecked[@]} = 0 ] || { [ "${CI:-}" = true ] && exit 1; exit 77; }

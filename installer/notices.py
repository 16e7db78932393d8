#!/usr/bin/env python3
"""Third-party notices, Debian's copyright and a bill of materials (CycloneDX 1.5), from installer/notices.tsv and the jars themselves.

    notices.py FOLDER… --version V --out DIR    writes THIRD-PARTY-NOTICES, copyright and lacuna.cdx.json there
    notices.py FOLDER… --missing                prints jars that have no line, and ends
"""
import argparse
import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
OURS = ("app-", "fx-ui-", "device-bridge-", "allocator-core-")
LEGAL = re.compile(r"(META-INF/|^|/)[^/]*(licen[cs]e|notice)(\.txt|\.md)?$", re.IGNORECASE)
COMMON = {"Apache-2.0": "/usr/share/common-licenses/Apache-2.0", "LGPL-2.1-or-later": "/usr/share/common-licenses/LGPL-2.1",
          "GPL-2.0-only": "/usr/share/common-licenses/GPL-2"}


def table():
    lines = (HERE / "notices.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def jars(folders):
    found = (jar for folder in folders for jar in Path(folder).glob("*.jar"))
    return sorted((jar for jar in found if not jar.name.startswith(OURS)), key=lambda jar: jar.name)


def line_of(jar, lines):
    """Its line: the longest beginning of a name that fits."""
    return max((line for line in lines if jar.name.startswith(line[0])), key=lambda line: len(line[0]), default=None)


def version_of(jar):
    return re.sub(r"^.*?-(\d[^-]*(?:-M\d+)?)(?:-linux(?:-aarch64)?)?\.jar$", r"\1", jar.name)


def artifact_of(jar):
    return re.sub(r"-\d.*", "", jar.name)


def notices(found, lines):
    out = ["Lacuna is licensed under Apache-2.0 (LICENSE). It travels with:", ""]
    for jar in found:
        _, _, name, licence, holder, home = line_of(jar, lines)
        out += [f"{name} {version_of(jar)} ({jar.name})", f"  {holder}", f"  {licence}; {home}", ""]
    out += ["OpenJDK's runtime, linked", "  Copyright (c) Oracle and/or its affiliates",
            "  GPL-2.0-only WITH Classpath-exception-2.0; its notices: lib/runtime/legal", ""]
    wanted = {word for jar in found for word in re.split(r"\W(?:AND|OR|WITH)\W", line_of(jar, lines)[3])}
    for licence in sorted(wanted):
        text = HERE / "licences" / f"{licence}.txt"
        if text.exists():
            out += ["-" * 72, licence, "", text.read_text(encoding="utf-8").rstrip(), ""]
        elif licence in COMMON:
            out += ["-" * 72, f"{licence}: {COMMON[licence]}", ""]
    for jar in found:
        with zipfile.ZipFile(jar) as inside:
            for name in inside.namelist():
                if LEGAL.search(name) and "notice" in name.lower():
                    out += ["-" * 72, f"{jar.name}, {name}", "", inside.read(name).decode("utf-8", "replace").rstrip(), ""]
    return "\n".join(out)


def copyright_file(found, lines):
    """Debian's machine-readable form, 1.0."""
    out = ["Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/", "Upstream-Name: lacuna", "",
           "Files: *", "Copyright: 2026 The Lacuna authors", "License: Apache-2.0", ""]
    for jar in found:
        _, _, _, licence, holder, _ = line_of(jar, lines)
        where = "lib/app" if not jar.name.startswith("javafx") else "lib/runtime"
        name = f"opt/lacuna/{where}/{jar.name}" if where == "lib/app" else "opt/lacuna/lib/runtime/*"
        debian = licence.replace(" AND ", " and ").replace(" OR ", " or ")
        debian = debian.replace("GPL-2.0-only WITH Classpath-exception-2.0", "GPL-2 with Classpath exception")
        block = [f"Files: {name}", f"Copyright: {holder}", f"License: {debian}", ""]
        if block != out[-len(block):]:
            out += block
    used = {word for jar in found for word in re.split(r"\W(?:AND|OR|WITH)\W", line_of(jar, lines)[3])}
    for licence in sorted(used | {"Apache-2.0"}):
        text = HERE / "licences" / f"{licence}.txt"
        if text.exists():
            body = "\n".join(" " + (line or ".") for line in text.read_text(encoding="utf-8").rstrip().splitlines())
        elif licence in COMMON:
            body = f" On Debian systems the full text is {COMMON[licence]}."
        else:
            continue
        name = "GPL-2 with Classpath exception" if licence == "GPL-2.0-only" else licence
        extra = "\n Linking this library with others does not put those under its terms: lib/runtime/legal has the exception's words." if licence == "GPL-2.0-only" else ""
        out += [f"License: {name}", body + extra, ""]
    return "\n".join(out)


def bill(found, lines, ours):
    parts = []
    for jar in found:
        line = line_of(jar, lines)
        group, artifact, version = line[1], artifact_of(jar), version_of(jar)
        parts.append({"type": "library", "group": group, "name": artifact, "version": version, "purl": f"pkg:maven/{group}/{artifact}@{version}",
                      "licenses": [{"expression": line[3]}], "copyright": line[4],
                      "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(jar.read_bytes()).hexdigest()}]})
    whole = {"type": "application", "name": "lacuna", "version": ours, "licenses": [{"expression": "Apache-2.0"}]}
    return json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": whole}, "components": parts},
                      indent=1, ensure_ascii=False) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("--version")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    lines = table()
    found = jars(asked.folders)
    missing = [jar.name for jar in found if line_of(jar, lines) is None]
    if asked.missing or missing:
        print("\n".join(missing), end="\n" if missing else "")
        sys.exit(0 if asked.missing else "installer/notices.tsv: no line for " + ", ".join(missing))
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "THIRD-PARTY-NOTICES").write_text(notices(found, lines), encoding="utf-8")
    (asked.out / "copyright").write_text(copyright_file(found, lines), encoding="utf-8")
    (asked.out / "lacuna.cdx.json").write_text(bill(found, lines, asked.version), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Whether the floors of native/src hold: no file includes or calls upwards, and files of one floor call in no circle but
where the comment at the top of each says "Circle with x.c: reason".

usage: house.py FOLDER_OF_OBJECTS [SOURCES [ORDER]]     $CC and $NM name the tools

Prints what is broken, a line each, and ends with 1 where anything is. The order of the floors stands in order.txt.
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.dirname(os.path.dirname(HERE))
CIRCLE = re.compile(r"Circle with ([\w.]+): \w")


def read_order(path):
    with open(path) as lines:
        return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]


def files_of(sources, endings):
    found = []
    for folder, _, names in os.walk(sources):
        found += [os.path.relpath(os.path.join(folder, name), sources) for name in names if name.endswith(endings)]
    return sorted(found)


def floor_of(path):
    return os.path.dirname(path)


def output_of(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"house: {command[0]} ended with {done.returncode}")
    return done.stdout


def included_by(sources, paths, cc):
    """{file: what the preprocessor reads of our own for it, at whatever depth}"""
    language = "c++" if paths[0].endswith(".cpp") else "c"
    flags = ["-D_GNU_SOURCE", "-DLACUNA_CHECK", "-I" + os.path.join(NATIVE, "include"), "-iquote", sources]
    rules = output_of(*cc, "-MM", "-x", language, *flags, *(os.path.join(sources, path) for path in paths))
    included = {}
    for rule in rules.replace("\\\n", " ").splitlines():
        words = [os.path.relpath(os.path.realpath(word), os.path.realpath(sources)) for word in rule.split()[1:]]
        included[words[0]] = {word for word in words[1:] if not word.startswith("..")}
    return included


def symbols_of(objects, path, nm):
    """What a file's object defines for others, and what it wants of them."""
    stem = os.path.join(objects, os.path.splitext(path)[0] + ".o")
    defined, wanted = set(), set()
    for line in output_of(nm, "-P", stem).splitlines():
        name, kind = line.split()[:2]
        if kind == "U":
            wanted.add(name)
        elif kind.isupper():
            defined.add(name)
    return defined, wanted


def calls_among(objects, files, nm):
    """{file: {other file: names}}"""
    home, wants = {}, {}
    for path in files:
        defined, wants[path] = symbols_of(objects, path, nm)
        for name in defined:
            home.setdefault(name, path)
    calls = {path: {} for path in files}
    for path in files:
        for name in wants[path]:
            other = home.get(name, path)
            if other != path:
                calls[path].setdefault(other, set()).add(name)
    return calls


def reachable(calls, start):
    seen, ahead = set(), list(calls[start])
    while ahead:
        path = ahead.pop()
        if path not in seen:
            seen.add(path)
            ahead += calls[path]
    return seen


def excused(sources, path):
    """The files that the comment at the top of a file names as those of its circle."""
    with open(os.path.join(sources, path)) as file:
        top = re.match(r"\s*/\*.*?\*/", file.read(), re.DOTALL)
    return set(CIRCLE.findall(top.group())) if top else set()


def broken_includes(sources, order, cc):
    included = {}
    for endings in ((".c", ".h"), (".cpp",)):
        paths = files_of(sources, endings)
        if paths:
            included.update(included_by(sources, paths, cc))
    for path, others in sorted(included.items()):
        floor = floor_of(path)
        for other in sorted(others):
            above = floor_of(other)
            if above and (not floor or order.index(above) > order.index(floor)):
                yield f"{path} includes {other}, which lies above it"


def broken_calls(sources, order, calls):
    for path, others in sorted(calls.items()):
        for other, names in sorted(others.items()):
            wanted = ", ".join(sorted(names))
            circle = floor_of(other) == floor_of(path) and path in reachable(calls, other)
            if order.index(floor_of(other)) > order.index(floor_of(path)):
                yield f"{path} calls {other}, which lies above it: {wanted}"
            elif circle and os.path.basename(other) not in excused(sources, path):
                yield f"{path} and {other} call one another, at last: {wanted}"


def broken(objects, sources, order, cc, nm):
    files = files_of(sources, (".c", ".cpp"))
    unknown = sorted({floor_of(path) for path in files_of(sources, (".c", ".cpp", ".h"))} - set(order) - {""})
    if unknown or "" in {floor_of(path) for path in files}:
        return ["no floor of order.txt: " + (" ".join(unknown) or "a source in src itself")]
    found = list(broken_includes(sources, order, cc))
    return found + list(broken_calls(sources, order, calls_among(objects, files, nm)))


SOURCES = os.path.join(NATIVE, "src")
ORDER = os.path.join(HERE, "order.txt")


def main(objects, sources=SOURCES, order=ORDER):
    cc, nm = os.environ.get("CC", "cc").split(), os.environ.get("NM", "nm")
    found = broken(objects, sources, read_order(order), cc, nm)
    for line in found:
        print("house: " + line)
    return 1 if found else 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))

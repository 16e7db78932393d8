"""The virtual functions of a C++ class, read from a preprocessed header, and a class that forwards every one of them.

The front has to answer whatever the framework's allocator can be asked, in every version; a function that it does not
know goes to the allocator behind it. Which functions there are differs between versions, so they are read from the
headers that the front is compiled against, never from a list.
"""

import collections
import re

Virtual = collections.namedtuple("Virtual", "returns name parameters const noexcept")
Parameter = collections.namedtuple("Parameter", "type name")

_CLASS = r"\b(?:class|struct)\s+(?:__attribute__\s*\(\([^;{}]*?\)\)\s*)?%s(?:\s+final)?\s*(?::[^;{}]*)?\{"
_BASE = re.compile(r":\s*public\s+([\w:]+)")
_OPENING, _CLOSING = "(<[{", ")>]}"


class Unreadable(Exception):
    """A declaration that is not understood; one sentence."""


# ---------------------------------------------------------------- finding declarations


def _body(source, name):
    """(names of public bases, text between the braces) of a class that is defined in the source."""
    found = re.search(_CLASS % re.escape(name), source)
    if found is None:
        raise Unreadable("the headers define no class %s" % name)
    depth, at = 1, found.end()
    while depth and at < len(source):
        depth += {"{": 1, "}": -1}.get(source[at], 0)
        at += 1
    return _BASE.findall(found.group(0)), source[found.end() : at - 1]


def _members(body):
    """Declarations without their bodies."""
    member, braces, parentheses = [], 0, 0
    for char in body:
        if braces == 0:
            parentheses += {"(": 1, ")": -1}.get(char, 0)
        if parentheses == 0 and char in "{}":
            braces += 1 if char == "{" else -1
        if braces == 0 and parentheses == 0 and char in "};":
            yield "".join(member)
            member = []
        elif braces == 0:
            member.append(char)


def _split(text, separator=","):
    """Parts between separators that lie in no brackets."""
    parts, depth, part = [], 0, []
    for char in text:
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
        if char == separator and depth == 0:
            parts.append("".join(part))
            part = []
        else:
            part.append(char)
    parts.append("".join(part))
    return [part.strip() for part in parts if part.strip()]


# ---------------------------------------------------------------- reading one


def _parameter(text, number):
    text = _split(text, "=")[0]
    named = re.match(r"(.*[\s*&>])([A-Za-z_]\w*)$", text, re.DOTALL)
    kind = named.group(1).strip() if named else text
    if named and (kind in ("const", "unsigned", "struct") or not re.search(r"\w", kind)):
        kind = text  # a type of two words without a name
    return Parameter(" ".join(kind.split()), "argument%d" % number)


def _virtual(member):
    """What a declaration says, or None where it is no virtual function."""
    member = re.sub(r"\b(public|protected|private)\s*:", " ", member)
    member = " ".join(re.sub(r"__attribute__\s*\(\(.*?\)\)|\[\[.*?\]\]", " ", member).split())
    overrides = re.search(r"\)\s*(const)?\s*(noexcept)?\s*override\b", member) is not None
    if not (member.startswith("virtual ") or overrides) or "~" in member:
        return None
    declared = re.match(r"(?:virtual\s+)?(.+?)\b(\w+)\s*\((.*)\)([^()]*)$", member)
    if declared is None:
        raise Unreadable("cannot read the declaration: %s" % member)
    returns, name, parameters, rest = declared.groups()
    listed = [] if parameters.strip() in ("", "void") else _split(parameters)
    return Virtual(
        returns.strip(), name, tuple(_parameter(text, n) for n, text in enumerate(listed)),
        "const" in rest.split(), "noexcept" in rest.split(),
    )  # fmt: skip


def _unqualified(kind):
    """A class and its base may name one type with and without its namespace."""
    return re.sub(r"\bc10::", "", kind)


def read(source, name):
    """All virtual functions of a class and of its bases, each once, those of the class first.

    :param source: preprocessed C++ text that holds the class and its bases
    :raises Unreadable: where one of them is not defined there, or a declaration is not understood
    """
    found, waiting = collections.OrderedDict(), [name]
    while waiting:
        bases, body = _body(source, waiting.pop(0).split("::")[-1])
        waiting.extend(bases)
        for virtual in filter(None, map(_virtual, _members(body))):
            found.setdefault((virtual.name, tuple(_unqualified(p.type) for p in virtual.parameters), virtual.const), virtual)
    return list(found.values())


# ---------------------------------------------------------------- writing


def _argument(parameter):
    by_value = not re.search(r"[&*]$", parameter.type)
    return "std::move(%s)" % parameter.name if by_value else parameter.name


def macro(virtual):
    """The name that says that a function of these parameters is there: FRONT_HAS_recordStream_const_DataPtr_c10_Stream."""
    words = [virtual.name] + [p.type for p in virtual.parameters]
    return "FRONT_HAS_" + "_".join(re.sub(r"\W+", "_", word).strip("_") for word in words)


def forwards(virtuals):
    """C++ text: members that override these functions and hand them to ``native``, and for each the macro that names it."""
    lines = []
    for v in virtuals:
        parameters = ", ".join("%s %s" % p for p in v.parameters)
        lines.append("#define %s 1" % macro(v))
        lines.append("%s %s(%s)%s%s override {" % (
            v.returns, v.name, parameters, " const" if v.const else "", " noexcept" if v.noexcept else "",
        ))  # fmt: skip
        lines.append("    return native->%s(%s);" % (v.name, ", ".join(map(_argument, v.parameters))))
        lines.append("}")
    return "\n".join(lines) + "\n"

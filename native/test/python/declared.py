"""What the agent's headers declare, and what the package's sources make of it: (result, arguments) of each function, in words."""

import ast
import os
import re

WORDS = {"int": "int", "uint32_t": "u32", "uint64_t": "u64", "size_t": "u64", "double": "double", "void": "nothing"}


def _word(text):
    if "*" in text or "[" in text or "(" in text:
        return "address"
    kind = text.replace("const", "").split()[0]
    return WORDS.get(kind, kind)


def _arguments(text):
    """Split at the commas that are no function pointer's own."""
    depth, parts = 0, [""]
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [] if parts == ["void"] else [_word(part.strip()) for part in parts]


def of_headers(*paths):
    """Name of each function -> its result and its arguments."""
    texts = []
    for path in paths:
        with open(path) as file:
            texts.append(re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL))
    text, found = "\n".join(texts), {}
    for declared in re.findall(r"^LACUNA_API ([^;]*);", text, flags=re.MULTILINE):
        result, name, arguments = re.match(r"(.*?)(lacuna_\w+)\((.*)\)\s*$", declared, flags=re.DOTALL).groups()
        found[name] = _word(result.strip() + " "), _arguments(" ".join(arguments.split()))
    return found


class _Uses(ast.NodeVisitor):
    """Which of the agent's functions a source looks up, and what it says that they return."""

    def __init__(self):
        self.used, self.declared, self._names = set(), {}, {}

    def _function(self, node):
        """The agent's function that an expression stands for; None for others."""
        if isinstance(node, ast.Attribute) and node.attr.startswith("lacuna_"):
            return node.attr
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "getattr":
            return self._text(node.args[1])
        return self._names.get(ast.dump(node, annotate_fields=False).replace("Store()", "Load()"))

    @staticmethod
    def _text(node):
        value = getattr(node, "value", getattr(node, "s", None))
        return value if isinstance(value, str) and value.startswith("lacuna_") else None

    def visit_Assign(self, node):
        self.generic_visit(node)
        function = self._function(node.value)
        for target in node.targets:
            if function is not None:
                self._names[ast.dump(target, annotate_fields=False).replace("Store()", "Load()")] = function
            elif isinstance(target, ast.Attribute) and target.attr == "restype":
                self.declared[self._function(target.value)] = node.value

    def visit_Attribute(self, node):
        self.generic_visit(node)
        self.used.add(self._function(node))

    def visit_Call(self, node):
        self.generic_visit(node)
        self.used.add(self._function(node))


def of_source(path):
    """(functions that are looked up, those whose result is declared -> the expression's source)."""
    with open(path) as file:
        tree = ast.parse(file.read())
    uses = _Uses()
    uses.visit(tree)
    return uses.used - {None}, {name: ast.dump(result) for name, result in uses.declared.items()}


def sources(package):
    for folder, _, files in os.walk(package):
        yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith(".py"))

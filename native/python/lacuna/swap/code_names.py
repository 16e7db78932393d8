"""What Python code names: globals that it reads or writes, attributes that it takes."""

import dis
import functools
import os
import sys
import sysconfig
import types
import weakref

# Built-in functions whose effects nobody could look at, or take back.
UNSEEN = frozenset(("print", "input", "open", "exec", "eval", "globals", "locals", "vars", "__import__", "breakpoint"))
_GLOBAL = frozenset(("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "STORE_NAME", "DELETE_GLOBAL"))
_IMPORT = frozenset(("IMPORT_NAME",))
_PACKAGES = ("site-packages", "dist-packages")


class Names:
    """Of one function's code, with what is defined inside it."""

    __slots__ = ("globals", "attributes", "imports")

    def __init__(self, of_globals, attributes, imports):
        self.globals, self.attributes, self.imports = tuple(of_globals), frozenset(attributes), tuple(imports)


@functools.lru_cache(maxsize=4096)
def names_in(code):
    of_globals, imports = {}, {}
    attributes = set(code.co_names)
    for instruction in dis.get_instructions(code):
        if instruction.opname in _GLOBAL:
            of_globals[instruction.argval] = True
        elif instruction.opname in _IMPORT:
            imports[instruction.argval] = True
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            more = names_in(inner)
            of_globals.update(dict.fromkeys(more.globals))
            imports.update(dict.fromkeys(more.imports))
            attributes |= more.attributes
    return Names(of_globals, attributes, imports)


@functools.lru_cache(maxsize=1)
def _libraries():
    """Directories of code that keeps nothing of its callers': the interpreter's own, PyTorch's, NumPy's and ours."""
    found = [sysconfig.get_paths()["stdlib"], sysconfig.get_paths()["platstdlib"], os.path.dirname(os.path.dirname(__file__))]
    for name in ("torch", "numpy"):
        module = sys.modules.get(name)
        if module is not None and getattr(module, "__file__", None):
            found.append(os.path.dirname(module.__file__))
    return tuple(path.rstrip(os.sep) + os.sep for path in found)


@functools.lru_cache(maxsize=4096)
def is_library_file(path):
    if path.startswith("<frozen"):
        return True
    for directory in _libraries():
        if path.startswith(directory) and path[len(directory) :].partition(os.sep)[0] not in _PACKAGES:
            return True
    return False


def is_library_module(module):
    """Whether a module is one whose state is not the script's; what has no file is the interpreter's."""
    if module.__name__ == "__main__":
        return False
    path = getattr(module, "__file__", None)
    return path is None or is_library_file(path)


_classes = weakref.WeakKeyDictionary()


def is_library_class(cls):
    known = _classes.get(cls)
    if known is None:
        module = sys.modules.get(cls.__module__)
        known = _classes[cls] = module is not None and is_library_module(module)
    return known

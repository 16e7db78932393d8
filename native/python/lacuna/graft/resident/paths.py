"""Paths that were asked for."""

import os
import stat

from .refusal import Refusal, plain


def path_of(text):
    """A path as a line can hold it: what is not printable ASCII, and blanks, stand as %20."""
    raw, at = bytearray(), 0
    while at < len(text):
        if text[at] == "%" and len(text) >= at + 3 and all(c in "0123456789abcdefABCDEF" for c in text[at + 1 : at + 3]):
            raw.append(int(text[at + 1 : at + 3], 16))
            at += 3
        else:
            raw += text[at].encode()
            at += 1
    if 0 in raw:
        raise Refusal("bad-request", "a path holds no zero byte")
    return os.fsdecode(bytes(raw))


def check_path(path):
    """A file that can be made: asked before anything is switched on."""
    if not os.path.isabs(path):
        raise Refusal("bad-request", "a path begins with /")
    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        raise Refusal("bad-request", "there is something of that name already that is no file")
    if not os.access(os.path.dirname(path), os.W_OK | os.X_OK):
        raise Refusal("cannot", "nothing can be written to %s as this process sees it" % plain(os.path.dirname(path), 200))


def existing(path):
    """A path in this process's eyes; blanks are %20."""
    path = path_of(path)
    if not os.path.isabs(path) or not os.path.exists(path):
        raise Refusal("bad-request", "%s is not here, as this process sees it" % plain(path or "a path", 200))
    return path


def load_file(name, path):
    import importlib.util

    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

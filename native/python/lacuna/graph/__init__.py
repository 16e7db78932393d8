"""``python3 -m lacuna graph MODEL``: the operator graph of a training step, for ``lacuna plan``, out of what this Python can read.

ONNX files are read with ``onnx``, TorchScript with ``torch.jit``, programs of ``torch.export`` with ``torch.export``: each by its own
library, in the environment where the model was made. What comes out is node-link JSON (docs/formats.md)."""

import json
import os
import sys

USAGE = """\
usage: python3 -m lacuna graph MODEL [--input 8,3,224,224]... [-o FILE]

Writes the operator graph of a training step as JSON, for 'lacuna plan FILE' and 'lacuna estimate --graph FILE'.

MODEL is an ONNX file (.onnx; needs the package onnx), a TorchScript file (.pt, .ts), or a program saved by torch.export
(.pt2; needs PyTorch 2.1). --input gives the shape of an input, in order, where the file does not fix it; TorchScript always
needs it. Sizes are those of the operators' results; costs count operations, twice as many going backward.
"""


class Unreadable(Exception):
    """The model cannot be read; the text says what to do."""


def main(arguments):
    """The exit status: 0, 2 for wrong words, 3 for what cannot be read."""
    shapes, target, model = [], None, None
    words = list(arguments)
    try:
        while words:
            word = words.pop(0)
            if word in ("-h", "--help"):
                sys.stdout.write(USAGE)
                return 0
            if word == "--input":
                shapes.append([int(size) for size in words.pop(0).split(",")])
            elif word == "-o":
                target = words.pop(0)
            elif word.startswith("-") or model is not None:
                raise ValueError(word)
            else:
                model = word
        if model is None or any(size < 1 for shape in shapes for size in shape):
            raise ValueError("no model, or a size below 1")
    except (IndexError, ValueError):
        sys.stderr.write(USAGE)
        return 2
    try:
        document = json.dumps(node_link(model, shapes))
    except Unreadable as why:
        sys.stderr.write("lacuna: %s: %s\n" % (model, why))
        return 3
    if target is None:
        print(document)
        return 0
    try:
        with open(target, "w", encoding="utf-8") as file:
            file.write(document)
    except OSError as broken:
        sys.stderr.write("lacuna: %s: %s\n" % (target, broken.strerror))
        return 3
    return 0


def node_link(path, shapes):
    """The step's graph of a model in a file."""
    from .training import step

    if not os.path.isfile(path):
        raise Unreadable("no such file")
    name, ending = os.path.splitext(os.path.basename(path))
    try:
        return step(name, _reader(ending)(path, shapes))
    except ImportError as missing:
        raise Unreadable("%s; install it where this Python finds it" % missing)


def _reader(ending):
    if ending == ".onnx":
        from .from_onnx import operators
    elif ending == ".pt2":
        from .from_export import operators
    else:
        from .from_script import operators
    return operators

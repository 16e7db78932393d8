"""Programs of ``torch.export``."""

from . import Unreadable
from .training import Operator, operations, product


def operators(path, shapes):
    import torch

    if not hasattr(torch, "export") or not hasattr(torch.export, "load"):
        raise Unreadable("this PyTorch (%s) has no torch.export; it takes 2.1 or later" % torch.__version__)
    try:
        program = torch.export.load(path)
    except Exception as why:  # whatever the archive makes of a damaged file
        raise Unreadable("no program that this PyTorch reads: %s" % str(why).strip().partition("\n")[0])
    made, found = {}, []
    for node in program.graph.nodes:
        results = [value for value in _values(node) if hasattr(value, "shape")]
        if node.op != "call_function" or not results:
            continue
        sources = sorted({made[read] for read in node.all_input_nodes if read in made})
        reads = [list(_whole(value.shape)) for read in node.all_input_nodes for value in _values(read) if hasattr(value, "shape")]
        size = sum(product(_whole(value.shape)) * value.element_size() for value in results)
        made[node] = len(found)
        kind = getattr(node.target, "__name__", str(node.target))
        found.append(Operator(kind, sources, size, operations(kind, _whole(results[0].shape), reads)))
    if not found:
        raise Unreadable("it holds no operators")
    return found


def _values(node):
    value = node.meta.get("val")
    return value if isinstance(value, (list, tuple)) else [value]


def _whole(shape):
    """What may vary counts with the size that it was exported with."""
    return [int(getattr(getattr(size, "node", None), "hint", None) or size) for size in shape]

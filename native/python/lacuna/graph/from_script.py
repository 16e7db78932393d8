"""TorchScript files: run once on zeros, on the host, with every operator written down as PyTorch dispatches it."""

from . import Unreadable
from .training import Operator, operations, product


def operators(path, shapes):
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    class Written(TorchDispatchMode):
        """Keeps every result, so that no two tensors share an identity."""

        def __init__(self):
            super().__init__()
            self.operators, self.made, self.kept = [], {}, []

        def __torch_dispatch__(self, function, types, arguments=(), named=None):
            result = function(*arguments, **(named or {}))
            reads, results = list(_tensors((arguments, named))), list(_tensors(result))
            if reads and results:
                sources = sorted({self.made[id(read)] for read in reads if id(read) in self.made})
                size = sum(product(tensor.shape) * tensor.element_size() for tensor in results)
                kind = str(getattr(function, "__name__", function))
                cost = operations(kind, list(results[0].shape), [list(read.shape) for read in reads])
                for tensor in results:
                    self.made[id(tensor)] = len(self.operators)
                self.kept += results
                self.operators.append(Operator(kind, sources, size, cost))
            return result

    def _tensors(value):
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, dict):
            yield from _tensors(list(value.values()))
        elif isinstance(value, (list, tuple)):
            for each in value:
                yield from _tensors(each)

    if not shapes:
        raise Unreadable("TorchScript does not tell the shapes of its inputs: give --input")
    try:
        module = torch.jit.load(path, map_location="cpu").eval()
    except (RuntimeError, ValueError) as why:
        raise Unreadable("no TorchScript that this PyTorch reads: %s" % _first_line(why))
    written, inputs = Written(), [torch.zeros(shape) for shape in shapes]
    try:
        with torch.no_grad(), written:
            module(*inputs)
    except (RuntimeError, TypeError) as why:
        raise Unreadable("inputs of these shapes do not go through it: %s" % _last_line(why))
    return written.operators


def _first_line(why):
    return str(why).strip().partition("\n")[0] or type(why).__name__


def _last_line(why):
    """Where PyTorch says what happened; before that it shows the program."""
    return str(why).strip().rpartition("\n")[2] or type(why).__name__

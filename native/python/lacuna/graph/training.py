"""Forward operators to a step: each goes backward once, from the last to the first."""

from collections import namedtuple

# reads: numbers of the operators whose results it reads; operations: of its forward pass
Operator = namedtuple("Operator", "name reads size operations")


# Operators whose results lie where their inputs do, by the names of ATen and ONNX.
VIEWS = {
    "view", "t", "transpose", "permute", "expand", "detach", "unsqueeze", "squeeze", "alias", "slice", "select", "reshape", "flatten",
    "_unsafe_view", "_reshape_alias", "getitem", "split", "chunk", "unbind", "identity",
}  # fmt: skip


def without_views(operators):
    """Those that make something of their own; what reads a view reads what it shows."""
    kept, shown = [], []
    for operator in operators:
        reads = sorted({source for read in operator.reads for source in shown[read]})
        if operator.name.partition(".")[0].lower() in VIEWS:
            shown.append(reads)
        else:
            shown.append([len(kept)])
            kept.append(operator._replace(reads=reads))
    return kept


def step(name, operators):
    """Node-link JSON. An operator goes backward with its inputs, its result and the gradients of those that read it; what that
    makes is as large as its inputs. Weights are no values: their gradients stay with them."""
    operators = without_views(operators)
    readers = [[] for _ in operators]
    for number, operator in enumerate(operators):
        for read in operator.reads:
            readers[read].append(number)
    nodes, links, count = [], [], len(operators)

    def backward(number):
        return 2 * count - 1 - number

    for number, operator in enumerate(operators):
        nodes.append(_node(number, operator.name, operator.operations, operator.size, False))
        links += [{"source": read, "target": number} for read in operator.reads]
    for number in reversed(range(count)):
        operator = operators[number]
        made = sum(operators[read].size for read in operator.reads) or operator.size
        nodes.append(_node(backward(number), operator.name + ".backward", 2 * operator.operations, made, True))
        links += [{"source": source, "target": backward(number)} for source in (number, *operator.reads)]
        links += [{"source": backward(reader), "target": backward(number)} for reader in sorted(set(readers[number]))]
    return {"directed": True, "multigraph": False, "graph": {"name": name}, "nodes": nodes, "links": links}


def _node(number, name, operations, size, backward):
    return {"id": number, "name": name, "cost_cpu": max(1, int(operations)), "cost_ram": max(1, int(size)), "backward": backward}


def product(shape):
    """Elements of a shape."""
    elements = 1
    for size in shape:
        elements *= size
    return elements


def operations(kind, result, reads):
    """Of an operator of this kind: `result` and `reads` are shapes, weights among them. Matrix products and convolutions count their
    sums, everything else an operation an element."""
    kind = kind.lower()
    if "conv" in kind and len(reads) > 1:
        return 2 * product(result) * product(reads[1][1:])
    if any(word in kind for word in ("matmul", "gemm", "linear", "mm", "einsum")) and reads:
        # The last size of the first matrix is summed over; a bias may stand before it.
        return 2 * product(result) * next((shape[-1] for shape in reads if len(shape) > 1), 1)
    if "attention" in kind and len(reads) > 1:
        return 4 * product(reads[0]) * reads[1][-2]
    return max([product(result), *map(product, reads)])

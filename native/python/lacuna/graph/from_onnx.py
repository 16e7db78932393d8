"""ONNX files."""

from . import Unreadable
from .training import Operator, operations, product


def operators(path, shapes):
    import onnx

    try:
        model = onnx.load(path, load_external_data=False)
    except Exception as why:  # whatever the parser makes of a damaged file
        raise Unreadable("no ONNX file: %s" % str(why).strip().partition("\n")[0])
    weights = {weight.name for weight in model.graph.initializer}
    inputs = [value for value in model.graph.input if value.name not in weights]
    for value, shape in zip(inputs, shapes):
        sizes = value.type.tensor_type.shape.dim
        if len(sizes) != len(shape):
            raise Unreadable("input %s has %d sizes, not %d" % (value.name, len(sizes), len(shape)))
        for size, given in zip(sizes, shape):
            size.ClearField("dim_param")
            size.dim_value = given
    graph = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
    known = {weight.name: (list(weight.dims), weight.data_type) for weight in graph.initializer}
    for value in (*graph.input, *graph.value_info, *graph.output):
        kind = value.type.tensor_type
        if kind.HasField("shape"):
            known[value.name] = ([size.dim_value for size in kind.shape.dim], kind.elem_type)
    return _operators(onnx, graph, known)


def _operators(onnx, graph, known):
    made, found = {}, []
    for node in graph.node:
        missing = [name for name in node.output if name and (name not in known or 0 in known[name][0])]
        if missing:
            raise Unreadable("nothing tells the shape of %s: give --input" % missing[0])
        results = [known[name] for name in node.output if name]
        reads = [known[name][0] for name in node.input if name in known]
        size = sum(product(shape) * _bytes(onnx, kind) for shape, kind in results)
        sources = sorted({made[name] for name in node.input if name in made})
        for name in node.output:
            made[name] = len(found)
        found.append(Operator(node.op_type, sources, size, operations(node.op_type, results[0][0], reads)))
    if not found:
        raise Unreadable("it holds no operators")
    return found


def _bytes(onnx, kind):
    return onnx.helper.tensor_dtype_to_np_dtype(kind).itemsize

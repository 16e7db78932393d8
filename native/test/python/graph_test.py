"""``python3 -m lacuna graph``: what a step's graph is made of, without PyTorch; out of TorchScript files and of torch.export's where
there is one that has it; and out of ONNX files, by the package ``onnx`` or by a stand-in with as much of it as is asked."""

import contextlib
import io
import json
import os
import sys
import tempfile
import types
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "python"))

from lacuna import graph  # noqa: E402
from lacuna.graph.training import Operator, operations, step, without_views  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

try:
    import onnx
except ImportError:
    onnx = None

exports = torch is not None and hasattr(torch, "export") and hasattr(torch.export, "load")

CHAIN = [Operator("conv", [], 400, 90), Operator("relu", [0], 400, 100), Operator("view", [1], 400, 100), Operator("mm", [2, 0], 40, 50)]


def said(*words):
    """(exit status, stdout, stderr) of the command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = graph.main(list(words))
    return status, out.getvalue(), err.getvalue()


class StepTest(unittest.TestCase):
    def test_a_view_is_what_it_shows(self):
        self.assertEqual([(each.name, each.reads) for each in without_views(CHAIN)], [("conv", []), ("relu", [0]), ("mm", [0, 1])])

    def test_each_operator_goes_backward_once_from_the_last_to_the_first(self):
        nodes = step("net", CHAIN)["nodes"]
        self.assertEqual([node["name"] for node in nodes], ["conv", "relu", "mm", "mm.backward", "relu.backward", "conv.backward"])
        self.assertEqual([node["id"] for node in nodes], list(range(6)))
        self.assertEqual([node["backward"] for node in nodes], [False] * 3 + [True] * 3)

    def test_going_backward_takes_twice_as_long_and_makes_what_was_read(self):
        nodes = step("net", CHAIN)["nodes"]
        self.assertEqual((nodes[3]["cost_cpu"], nodes[3]["cost_ram"]), (100, 800))
        self.assertEqual((nodes[5]["cost_cpu"], nodes[5]["cost_ram"]), (180, 400))

    def test_an_operator_goes_backward_with_inputs_result_and_its_readers_gradients(self):
        links = {(link["source"], link["target"]) for link in step("net", CHAIN)["links"]}
        self.assertEqual({source for source, target in links if target == 4}, {1, 0, 3})
        self.assertEqual({source for source, target in links if target == 5}, {0, 4, 3})

    def test_no_operator_is_made_before_what_it_reads(self):
        self.assertTrue(all(link["source"] < link["target"] for link in step("net", CHAIN)["links"]))

    def test_products_count_their_sums(self):
        self.assertEqual(operations("conv2d", [4, 8, 32, 32], [[4, 3, 32, 32], [8, 3, 3, 3]]), 2 * 4 * 8 * 32 * 32 * 27)
        self.assertEqual(operations("addmm", [4, 10], [[10], [4, 128], [128, 10]]), 2 * 4 * 10 * 128)
        self.assertEqual(operations("aten.linear", [4, 10], [[4, 128], [10, 128], [10]]), 2 * 4 * 10 * 128)
        self.assertEqual(operations("relu", [4, 10], [[4, 10]]), 40)


class CommandTest(unittest.TestCase):
    def test_wrong_words_are_status_2_and_unreadable_files_3(self):
        for words in ((), ("--input",), ("m.pt", "--input", "4,x"), ("m.pt", "other.pt"), ("m.pt", "--input", "0,3")):
            self.assertEqual(said(*words)[0], 2, words)
        status, out, err = said("/nonexistent/net.onnx")
        self.assertEqual((status, out), (3, ""))
        self.assertEqual(err, "lacuna: /nonexistent/net.onnx: no such file\n")

    @unittest.skipUnless(torch, "no PyTorch")
    def test_torchscript_is_read_and_says_what_it_needs(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.pt")
            net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(2048, 10))
            torch.jit.script(net).save(path)
            status, out, _ = said(path, "--input", "4,3,16,16")
            self.assertEqual(status, 0)
            nodes = json.loads(out)["nodes"]
            self.assertEqual([node["cost_ram"] for node in nodes[:3]], [4 * 8 * 256 * 4, 4 * 8 * 256 * 4, 160])
            self.assertEqual(len(nodes), 6)
            self.assertIn("give --input", said(path)[2])
            self.assertEqual(said(path, "--input", "4,5,16,16")[0], 3)

    @unittest.skipUnless(exports, "no PyTorch with torch.export")
    def test_a_program_of_torch_export_is_read_with_the_shapes_that_it_was_exported_with(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.pt2")
            net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(2048, 10))
            torch.export.save(torch.export.export(net, (torch.zeros(4, 3, 16, 16),)), path)
            status, out, _ = said(path)
            self.assertEqual(status, 0)
            nodes = json.loads(out)["nodes"]
            self.assertEqual([node["cost_ram"] for node in nodes[:3]], [4 * 8 * 256 * 4, 4 * 8 * 256 * 4, 160])
            self.assertEqual(nodes[0]["cost_cpu"], 2 * 4 * 8 * 256 * 27)
            self.assertEqual(len(nodes), 6, "flatten is a view")
            with open(path, "r+b") as file:
                file.truncate(100)
            status, out, err = said(path)
            self.assertEqual((status, out), (3, ""))
            self.assertIn("no program that this PyTorch reads", err)

    @unittest.skipUnless(exports, "no PyTorch with torch.export")
    def test_what_may_vary_counts_with_the_size_that_it_was_exported_with(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.pt2")
            batch = torch.export.Dim("batch", min=2, max=64)
            program = torch.export.export(torch.nn.Linear(16, 8), (torch.zeros(4, 16),), dynamic_shapes=({0: batch},))
            torch.export.save(program, path)
            status, out, err = said(path)
            self.assertEqual(status, 0, err)
            self.assertEqual(json.loads(out)["nodes"][0]["cost_ram"], 4 * 8 * 4)

    @unittest.skipIf(exports or torch is None, "no older PyTorch")
    def test_an_older_pytorch_says_what_it_takes(self):
        with tempfile.NamedTemporaryFile(suffix=".pt2") as file:
            status, _, err = said(file.name)
            self.assertEqual(status, 3)
            self.assertIn("it takes 2.1 or later", err)


def value(name, shape, kind=1):
    """An ONNX value: unknown sizes are names."""
    sizes = [
        types.SimpleNamespace(
            dim_value=size if isinstance(size, int) else 0, dim_param="" if isinstance(size, int) else size, ClearField=lambda field: None
        )
        for size in shape or ()
    ]
    tensor = types.SimpleNamespace(shape=types.SimpleNamespace(dim=sizes), elem_type=kind, HasField=lambda field: shape is not None)
    return types.SimpleNamespace(name=name, type=types.SimpleNamespace(tensor_type=tensor))


def node(kind, inputs, outputs):
    return types.SimpleNamespace(op_type=kind, input=inputs, output=outputs)


class StandIn(types.ModuleType):
    """As much of the package ``onnx`` as is asked: a file is a graph that a test has made, whose results are inferred by `infer`."""

    def __init__(self, graph, infer):
        super().__init__("onnx")
        self.graph, self.infer = graph, infer
        self.shape_inference = types.SimpleNamespace(infer_shapes=self.infer_shapes)
        self.helper = types.SimpleNamespace(tensor_dtype_to_np_dtype=lambda kind: types.SimpleNamespace(itemsize={1: 4, 10: 2}[kind]))

    def load(self, path, load_external_data):
        if self.graph is None:
            raise ValueError("Error parsing message\nwith type 'onnx.ModelProto'")
        return types.SimpleNamespace(graph=self.graph)

    def infer_shapes(self, model, data_prop):
        self.infer(model.graph)
        return model


def relu_of_a_product():
    """x, whose batch may vary, times a weight of 16 × 8, in 16 bits; shifted and cut at 0."""
    weight = types.SimpleNamespace(name="w", dims=[16, 8], data_type=10)
    graph = types.SimpleNamespace(
        initializer=[weight],
        input=[value("x", ["batch", 16], 10), value("w", [16, 8], 10)],
        value_info=[],
        output=[value("y", None, 10)],
        node=[node("MatMul", ["x", "w"], ["product"]), node("Reshape", ["product", ""], ["same"]), node("Relu", ["same"], ["y"])],
    )

    def infer(graph):
        batch = graph.input[0].type.tensor_type.shape.dim[0].dim_value
        graph.value_info = [value(name, [batch, 8], 10) for name in ("product", "same")]
        graph.output = [value("y", [batch, 8], 10)]

    return StandIn(graph, infer)


class OnnxTest(unittest.TestCase):
    def read(self, package, *words):
        with tempfile.NamedTemporaryFile(suffix=".onnx") as file, mock.patch.dict(sys.modules, {"onnx": package}):
            return said(file.name, *words)

    def test_shapes_are_inferred_and_weights_are_no_values(self):
        status, out, err = self.read(relu_of_a_product(), "--input", "4,16")
        self.assertEqual(status, 0, err)
        nodes = json.loads(out)["nodes"]
        self.assertEqual([each["name"] for each in nodes], ["MatMul", "Relu", "Relu.backward", "MatMul.backward"])
        self.assertEqual([each["cost_ram"] for each in nodes[:2]], [4 * 8 * 2] * 2)
        self.assertEqual(nodes[0]["cost_cpu"], 2 * 4 * 8 * 16)
        self.assertIn({"source": 0, "target": 1}, json.loads(out)["links"], "a view is what it shows")

    def test_a_size_that_nothing_tells_is_asked_for(self):
        status, out, err = self.read(relu_of_a_product())
        self.assertEqual((status, out), (3, ""))
        self.assertIn("nothing tells the shape of product: give --input", err)
        self.assertIn("input x has 2 sizes, not 3", self.read(relu_of_a_product(), "--input", "4,16,1")[2])

    def test_what_is_no_onnx_and_what_holds_nothing_is_said_to(self):
        self.assertIn("no ONNX file: Error parsing message\n", self.read(StandIn(None, None))[2])
        empty = types.SimpleNamespace(initializer=[], input=[], value_info=[], output=[], node=[])
        self.assertIn("it holds no operators", self.read(StandIn(empty, lambda graph: None))[2])

    def test_without_the_package_it_is_named(self):
        status, _, err = self.read(None)
        self.assertEqual(status, 3)
        self.assertRegex(err, "onnx.*install it where this Python finds it")

    @unittest.skipUnless(onnx, "no onnx")
    def test_a_file_of_the_real_package_is_read(self):
        helper, kind = onnx.helper, onnx.TensorProto.FLOAT
        graph = helper.make_graph(
            [helper.make_node("MatMul", ["x", "w"], ["product"]), helper.make_node("Relu", ["product"], ["y"])],
            "net",
            [helper.make_tensor_value_info("x", kind, ["batch", 16])],
            [helper.make_tensor_value_info("y", kind, ["batch", 8])],
            [helper.make_tensor("w", kind, [16, 8], [0.0] * 128)],
        )
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.onnx")
            onnx.save(helper.make_model(graph), path)
            self.assertEqual(said(path)[0], 3)
            status, out, err = said(path, "--input", "4,16")
            self.assertEqual(status, 0, err)
            nodes = json.loads(out)["nodes"]
            self.assertEqual([each["cost_ram"] for each in nodes[:2]], [4 * 8 * 4] * 2)
            self.assertEqual(nodes[0]["cost_cpu"], 2 * 4 * 8 * 16)


if __name__ == "__main__":
    unittest.main()

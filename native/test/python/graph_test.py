"""``python3 -m lacuna graph``: what a step's graph is made of, without PyTorch; and out of a TorchScript file where there is one."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "python"))

from lacuna import graph  # noqa: E402
from lacuna.graph.training import Operator, operations, step, without_views  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

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


if __name__ == "__main__":
    unittest.main()

"""PyTorch built for CUDA. LACUNA_CUDA_PYTHON names an interpreter that has one, LACUNA_CUDA_LIBRARIES a folder of libraries
that it is to find first: a stand-in for the driver will do, since nothing here asks what kernels compute."""

import os
import unittest

import watcher
from case import Case

CUDA = 2  # lacuna_backend
MIB = 1 << 20

# Some 790 MiB at its peak, of which 580 are saved for backward.
TRAINING = """
    import json, os, sys
    import torch
    from torch import nn

    class Block(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.norm, self.up, self.down = nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x):
            return x + self.down(nn.functional.gelu(self.up(self.norm(x))))

    device = torch.device(os.environ.get("DEVICE", "cuda:0"))
    model = nn.Sequential(*[Block(512) for _ in range(12)]).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(int(sys.argv[1])):
        optimizer.zero_grad()
        model(torch.randn(2432, 512).to(device)).sum().backward()
        optimizer.step()
        if sys.argv[2:]:
            print("step", step, flush=True)
            input()
    torch.cuda.synchronize()
    import lacuna
    stats = dict(lacuna.swap_stats(str(device)), reserved=torch.cuda.max_memory_reserved(device))
    print(json.dumps(stats))
"""


@unittest.skipUnless(os.environ.get("LACUNA_CUDA_PYTHON"), "LACUNA_CUDA_PYTHON names no Python with PyTorch for CUDA")
class Cuda(Case):
    limit_seconds = 300  # importing such a PyTorch takes a while
    python = os.environ.get("LACUNA_CUDA_PYTHON", "")

    def setting(self, **extra):
        libraries = os.environ.get("LACUNA_CUDA_LIBRARIES")
        return dict(extra, LD_LIBRARY_PATH=libraries) if libraries else extra

    def train(self, *options, **extra):
        return self.run_under([self.script(TRAINING), "6"], options, **self.setting(**extra))

    def start(self, steps, *options, **extra):
        process = self.start_under([self.script(TRAINING), str(steps), "hold"], options, **self.setting(**extra))
        self.step(process, 0)
        return process

    def step(self, process, number):
        self.assertEqual(process.stdout.readline(), "step %d\n" % number)

    def go_on(self, process, number):
        process.stdin.write("\n")
        process.stdin.flush()
        self.step(process, number)

    def control(self):
        (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"), self.limit_seconds)
        control = watcher.Control(socket)
        self.addCleanup(control.close)
        return control

    def end(self, process):
        out, err = process.communicate("\n", timeout=self.limit_seconds)
        self.assertEqual((process.returncode, err), (0, ""))
        return out

    def test_the_gpu_is_the_usual_device_and_number_0(self):
        process = self.start(2)
        self.assertEqual(self.telemetry().devices(), {0: (CUDA, 0)})
        control = self.control()
        self.assertIn(" optimisation=off ", control.ask("set optimisation=off") + " ")
        self.assertEqual((self.telemetry().device("optimisation"), self.telemetry().device("backend")), (0, CUDA))
        self.assertGreater(watcher.values(control.ask("get"))["allocated_bytes"], 90 * MIB)
        self.go_on(process, 1)
        self.end(process)

    def test_what_is_loaded_on_the_host_has_no_pretended_capacity(self):
        script = self.script(
            """
            import torch
            checkpoint = {str(i): torch.ones(50, 1 << 20, dtype=torch.uint8) for i in range(4)}
            on_device = {name: tensor[:2].cuda() for name, tensor in checkpoint.items()}
            print(torch.cuda.memory_allocated() >> 20)
            """
        )
        done = self.run_under([script], ("--capacity", "64MiB"), **self.setting())
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "8\n", ""))

    def test_the_capacity_is_the_gpus(self):
        done = self.train("--capacity", "600MiB")
        self.assertEqual(done.returncode, 1)
        self.assertIn("CUDA out of memory. Tried to allocate", done.stderr)

    def test_what_does_not_fit_the_gpu_trains_with_swapping(self):
        for mode in ("on", "all"):
            done = self.train("--capacity", "600MiB", "--swap", mode)
            self.assertEqual(done.stderr, "")
            told = self.result(done)
            self.assertLessEqual(told["reserved"], 600 * MIB)
            self.assertGreater(min(told["swapped_out_bytes"], told["swapped_in_bytes"]), 100 * MIB, mode)
            self.assertEqual(told["copy_failures"], 0)

    def test_swapping_layers_and_policies_reach_the_gpu_live(self):
        process, steps = self.start(16), 16
        control = self.control()
        self.assertIn(" swap=all ", control.ask("set swap=all") + " ")
        control.ask("profile")
        for number in range(1, steps):
            self.go_on(process, number)
        profile = control.ask("profile")
        layers = control.ask("layers")
        self.assertIn(" measuring=no ", profile)
        self.assertIn("layer.1=0:", layers)
        saved = int(profile.split(" layer.1=")[1].split(":")[3])
        self.assertGreater(saved, 20 * MIB)
        self.assertTrue(control.ask("policy kinds=KKSS first=1").startswith("ok layers="), profile)
        self.assertGreater(watcher.values(control.ask("get"))["swapped_out_bytes"], 1000 * MIB)
        self.end(process)

    def test_swapping_is_done_on_the_gpu_that_a_model_is_on(self):
        done = self.train("--swap", "all", DEVICE="cuda:1", STANDIN_DEVICES="2")
        if "invalid device ordinal" in done.stderr:
            self.skipTest("there is one GPU")
        self.assertGreater(self.result(done)["swapped_out_bytes"], 1000 * MIB)
        self.assertEqual(done.stderr, "")

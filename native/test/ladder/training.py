"""Training as people write it."""

import functools
import os

import told
from registry import MIB, case
from told import DEVICE, needs


@case(quick=True)
def transformer(t):
    import models

    model = models.transformer()
    t.bits("weights", t.do("train", lambda: models.train(model, steps=6)))
    t.stats()


@case()
def accumulation(t):
    import models
    import torch

    model, losses = models.transformer(), []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    def steps():
        for step in range(8):
            loss = models.loss_of(model, step) / 4
            loss.backward()
            losses.append(loss.detach())
            if step % 4 == 3:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()

    t.do("train", steps)
    t.bits("losses", *losses)
    t.stats()


@case(quick=True, cuda=True, said=("lacuna: torch.backends.cudnn.benchmark is kept off",))
def resnet(t):
    """With cudnn.benchmark, as every tutorial has it."""
    import torch

    torch.backends.cudnn.benchmark = True
    train_images(t, needs("torchvision").models.resnet18, figures=False)  # what a benchmark tries is allocated, too


@case()
def images(t):
    train_images(t, needs("torchvision").models.resnet18)


@case()
def vision_transformer(t):
    vision = needs("torchvision").models
    if not hasattr(vision, "VisionTransformer"):
        raise told.Skipped("no VisionTransformer")
    sizes = {"image_size": 64, "patch_size": 16, "num_layers": 3, "num_heads": 4, "hidden_dim": 64, "mlp_dim": 128}
    train_images(t, lambda: vision.VisionTransformer(**sizes))


def train_images(t, make, figures=True):
    import torch

    torch.manual_seed(1)
    model = make().to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

    def steps():
        for size in (8, 4, 8):
            optimizer.zero_grad()
            images = torch.randn(size, 3, 64, 64).to(DEVICE)
            torch.nn.functional.cross_entropy(model(images), torch.zeros(size, dtype=torch.long).to(DEVICE)).backward()
            optimizer.step()

    t.do("train", steps)
    t.bits("weights", next(model.parameters()))
    t.do("evaluate", lambda: model.eval()(torch.randn(2, 3, 64, 64).to(DEVICE)).detach())
    if figures:
        t.stats()


@case()
def recurrent(t):
    """Without cuDNN, whose recurrent layers the stand-in has not."""
    import torch
    from torch import nn

    torch.backends.cudnn.enabled = False
    model = nn.LSTM(64, 128, num_layers=2, dropout=0.1, batch_first=True).to(DEVICE)
    t.do("train", lambda: [model(torch.randn(4, length, 64).to(DEVICE))[0].sum().backward() for length in (10, 40, 20)])
    t.stats()


@case()
def mixed_precision(t):
    import models
    import torch

    model = models.transformer()
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.cuda.amp.GradScaler(enabled=DEVICE == "cuda") if not hasattr(torch, "amp") or not hasattr(torch.amp, "GradScaler") else torch.amp.GradScaler(DEVICE, enabled=DEVICE == "cuda")

    def steps():
        for step in range(4):
            with torch.autocast(DEVICE, dtype=torch.bfloat16 if step % 2 or DEVICE == "cpu" else torch.float16):
                loss = models.loss_of(model, step)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()

    t.do("train", steps)  # which steps are skipped is read from memory that no kernel has written: no figures are compared
    t.bits("weights", next(model.parameters()))


@case()
def checkpointing(t):
    import models
    import torch
    from torch.utils.checkpoint import checkpoint

    model = models.transformer()
    for reentrant in (False, True):
        def step(reentrant=reentrant):
            inputs, _ = models.batch(1)
            around = lambda block, x: checkpoint(block, x, use_reentrant=reentrant)  # noqa: E731
            model(inputs, around).sum().backward()

        t.do("reentrant" if reentrant else "not reentrant", step)
    t.bits("gradients", *[p.grad for p in model.parameters()])
    if DEVICE == "cuda":
        from torch.autograd.graph import save_on_cpu

        def saved(pinned):
            with save_on_cpu(pin_memory=pinned):
                loss = models.loss_of(model, 2)
            loss.backward()

        t.do("save_on_cpu", lambda: saved(False))
        t.do("save_on_cpu, pinned", lambda: saved(True))
    t.stats()
    assert torch


@case()
def optimizers(t):
    import models
    import torch

    for name, options in (("SGD", {}), ("Adam", {"foreach": True}), ("AdamW", {"fused": True}), ("Adagrad", {}), ("RMSprop", {"foreach": False})):
        model = models.transformer(layers=1)
        optimizer = getattr(torch.optim, name)(model.parameters(), lr=0.01, **options)
        t.do("%s %s" % (name, options or ""), functools.partial(models.train, model, 2, optimizer))
    t.stats()


@case()
def state(t):
    """Saved, loaded, gone on with."""
    import models
    import torch

    path = os.path.join(os.environ["TMPDIR"], "checkpoint.pt")
    model = models.transformer(layers=2)
    optimizer = torch.optim.AdamW(model.parameters())
    models.train(model, 2, optimizer)
    t.do("save", lambda: torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path))
    loaded = t.do("load on the CPU", lambda: torch.load(path, map_location="cpu"))
    t.do("load on the device", lambda: torch.load(path, map_location=DEVICE))
    t.do("take over", lambda: (model.load_state_dict(loaded["model"]), optimizer.load_state_dict(loaded["optimizer"])))
    t.bits("weights", models.train(model, 2, optimizer))
    t.stats()


def compiled(t, capacity=None, **options):
    import models
    import torch

    if not hasattr(torch, "compile"):
        raise told.Skipped("no torch.compile")
    model = models.transformer(layers=1)
    whole = torch.compile(model, **options)
    t.do("train", lambda: models.train(whole, 4, torch.optim.SGD(model.parameters(), lr=0.1), fixed=True))
    t.do("evaluate", lambda: whole(models.batch(1, fixed=True)[0]).detach().sum())


@case()
def compile_eager(t):
    compiled(t, backend="aot_eager")
    t.stats()


@case()
def compile_inductor(t):
    compiled(t)


@case(cuda=True)
def compile_cudagraphs(t):
    compiled(t, backend="cudagraphs")


@case(cuda=True)
def compile_reduce_overhead(t):
    compiled(t, mode="reduce-overhead")


@case()
def profiler(t):
    import models
    import torch
    from torch.profiler import ProfilerActivity, profile

    model, seen = models.transformer(layers=1), []

    def profiled():
        activities = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if DEVICE == "cuda" else [])
        with profile(activities=activities, profile_memory=True, record_shapes=True) as found:
            models.train(model, 2)
        seen.extend(found.key_averages())
        return len(seen) > 0

    t.same("profile", profiled)
    t.same("sees memory", lambda: any(abs(getattr(e, "self_device_memory_usage" if DEVICE == "cuda" else "self_cpu_memory_usage", 0)) > MIB for e in seen))
    assert torch

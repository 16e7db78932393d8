"""What is built on PyTorch; models from configurations, nothing downloaded."""

import os

from registry import MIB, case
from told import DEVICE, Skipped, needs


def tiny_gpt():
    transformers = needs("transformers")
    settings = transformers.GPT2Config(vocab_size=300, n_positions=64, n_embd=64, n_layer=2, n_head=2, bos_token_id=1, eos_token_id=1)
    return transformers, transformers.GPT2LMHeadModel(settings)


def sentences(number=32, length=48):
    import torch

    numbers = torch.Generator().manual_seed(4)
    rows = torch.randint(0, 300, (number, length), generator=numbers)
    return [{"input_ids": row, "labels": row} for row in rows]


def trained(t, **settings):
    import torch

    torch.manual_seed(5)
    transformers, model = tiny_gpt()
    folder = os.path.join(os.environ["TMPDIR"], "trainer")
    arguments = transformers.TrainingArguments(
        output_dir=folder, max_steps=4, report_to=[], logging_steps=2, disable_tqdm=True, use_cpu=DEVICE == "cpu", **settings
    )
    trainer = transformers.Trainer(model=model, args=arguments, train_dataset=sentences())
    t.do("train", trainer.train)
    t.bits("weights", *model.parameters())


@case()
def trainer(t):
    trained(t, per_device_train_batch_size=4, save_strategy="no")


@case()
def trainer_saves_and_accumulates(t):
    trained(t, per_device_train_batch_size=2, gradient_accumulation_steps=2, save_steps=2, gradient_checkpointing=True, bf16=True)


@case(cuda=True, capacity=200 * MIB)
def trainer_finds_its_batch(t):
    """Out of memory until the batch is small enough."""
    trained(t, per_device_train_batch_size=4096, auto_find_batch_size=True, save_strategy="no")


@case()
def accelerated(t):
    import torch

    accelerate = needs("accelerate")
    accelerator = accelerate.Accelerator(cpu=DEVICE == "cpu")
    torch.manual_seed(6)
    model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))
    data = torch.utils.data.DataLoader(torch.arange(64.0).repeat(32, 1), batch_size=8)
    model, optimizer, data = t.do("prepare", lambda: accelerator.prepare(model, torch.optim.AdamW(model.parameters()), data))

    def steps():
        for batch in data:
            with accelerator.accumulate(model):
                accelerator.backward(model(batch).sum())
                optimizer.step()
                optimizer.zero_grad()

    t.do("train", steps)
    t.bits("weights", *model.parameters())
    t.do("save", lambda: accelerator.save_state(os.path.join(os.environ["TMPDIR"], "state")))
    t.do("free", lambda: accelerator.free_memory())
    t.stats()


@case(cuda=True, capacity=512 * MIB)
def executable_batch_size(t):
    import torch

    needs("accelerate")
    from accelerate.utils import find_executable_batch_size

    tried = []

    @find_executable_batch_size(starting_batch_size=4096)
    def run(size):
        tried.append(size)
        return torch.empty(size, MIB // 4, device="cuda").shape[0]

    t.same("found", run)
    t.same("tried", lambda: tried)


@case()
def generates(t):
    """Its end is read from the device, so that it must be one that computes."""
    import torch

    if DEVICE == "cuda":
        raise Skipped("no device that computes")

    torch.manual_seed(5)
    _, model = tiny_gpt()
    model = model.to(DEVICE).eval()
    words = torch.arange(8).reshape(1, 8).to(DEVICE)
    t.do("generate", lambda: model.generate(words, max_new_tokens=8, min_new_tokens=8, do_sample=False, pad_token_id=0))
    t.stats()


@case()
def detection(t):
    import torch

    vision = needs("torchvision").models
    torch.manual_seed(1)
    model = vision.segmentation.fcn_resnet50(weights=None, weights_backbone=None, num_classes=4).to(DEVICE)
    t.do("train", lambda: model(torch.randn(2, 3, 64, 64).to(DEVICE))["out"].sum().backward())
    t.bits("gradient", next(model.parameters()).grad)
    t.stats()

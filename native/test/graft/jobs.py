"""What people train: jobs.py JOB. Prints "ready", trains until its standard input says something, and prints the weights as they
were after the 8th step, to the last bit."""

import select
import sys
import tempfile

import torch

STEPS = 8
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
bits = []
flag = torch.zeros(1)


def ended():
    return bool(select.select([0], [], [], 0)[0])


def begin():
    torch.manual_seed(7)
    torch.set_num_threads(1)
    print("ready", flush=True)


def note(model, step):
    if step == STEPS:
        bits.append(sum(p.detach().double().cpu().sum().item() for p in model.parameters()).hex())


def loop(model, optimizer, loss_of, over=ended):
    step = 0
    while step < STEPS or not over():
        optimizer.zero_grad()
        loss_of(step).backward()
        optimizer.step()
        step += 1
        note(model, step)


def trainer():
    """Hugging Face's Trainer on a small GPT-2, which evaluates and saves now and then."""
    import transformers

    begin()
    settings = transformers.GPT2Config(vocab_size=300, n_positions=64, n_embd=64, n_layer=2, n_head=2, bos_token_id=1, eos_token_id=1)
    model = transformers.GPT2LMHeadModel(settings)
    rows = torch.randint(0, 300, (32, 48))
    data = [{"input_ids": row, "labels": row} for row in rows]

    class Until(transformers.TrainerCallback):
        def on_step_end(self, args, state, control, **named):
            note(named["model"], state.global_step)
            control.should_training_stop = state.global_step >= STEPS and ended()

    with tempfile.TemporaryDirectory() as folder:
        arguments = transformers.TrainingArguments(
            output_dir=folder, max_steps=100000, report_to=[], logging_steps=1000000, disable_tqdm=True, use_cpu=DEVICE == "cpu",
            per_device_train_batch_size=4, eval_strategy="steps", eval_steps=4, save_steps=4, save_total_limit=1,
        )  # fmt: skip
        trainer = transformers.Trainer(model=model, args=arguments, train_dataset=data, eval_dataset=data, callbacks=[Until()])
        trainer.remove_callback(transformers.PrinterCallback)  # nobody reads what it prints, and a full pipe would stop the training
        trainer.train()


def images():
    """torchvision's ResNet."""
    import torchvision

    begin()
    model = torchvision.models.resnet18(num_classes=10).to(DEVICE)
    batch, labels = torch.randn(2, 3, 32, 32).to(DEVICE), torch.tensor([1, 7]).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    loop(model, optimizer, lambda step: torch.nn.functional.cross_entropy(model(batch), labels))


def rank():
    """One of two ranks of DistributedDataParallel: jobs.py rank NUMBER FILE."""
    begin()
    distributed = torch.distributed
    distributed.init_process_group("gloo", init_method="file://" + sys.argv[3], rank=int(sys.argv[2]), world_size=2)
    inner = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 8))
    model = torch.nn.parallel.DistributedDataParallel(inner)
    data = torch.randn(16, 64) + int(sys.argv[2])

    def over():
        # Not of its own each time: the group's thread would be the last to have it, wait for Python in order to free it, and be
        # waited for by the end of the group, which has Python (PyTorch 1.13, one end in twenty on a busy machine).
        flag.fill_(float(ended()))
        distributed.all_reduce(flag)  # both end at the same step
        return flag.item() > 0

    loop(inner, torch.optim.Adam(inner.parameters()), lambda step: model(data).pow(2).mean(), over)
    distributed.destroy_process_group()


class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, index):
        return torch.full((64,), float(index))


def loader():
    """A DataLoader whose workers come anew for each pass: jobs.py loader fork|spawn|forkserver."""
    begin()
    model = torch.nn.Linear(64, 8).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)
    step = 0
    while step < STEPS or not ended():
        for batch in torch.utils.data.DataLoader(Numbers(), batch_size=8, num_workers=2, multiprocessing_context=sys.argv[2]):
            optimizer.zero_grad()
            model(batch.to(DEVICE)).pow(2).mean().backward()
            optimizer.step()
            step += 1
            note(model, step)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
    print("done", *bits, flush=True)

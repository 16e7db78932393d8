"""A training that talks to its own agent between steps, and prints what came of it as JSON, `took` with the
seconds of each step and of its thread's processor time, and of compaction within it where there was one.

compaction_jobs.py KIND [VERB@STEP…]: each VERB@STEP is a line for the control socket (commas stand for blanks) before that step,
`compacted@STEP` waits there for nothing and prints what the agent says of compaction. KIND, or KIND:N for other batches: transformer,
convolution, recurrent, perceptron, translation, segmentation, experts, autoencoder (their shapes vary), fixed (those of a transformer do not),
frozen (few parameters of it are trained); language, resnet, dictation (of 250 MiB and more).
"""

import collections
import glob
import hashlib
import json
import os
import socket
import sys
import time

import torch
from compaction_steps import STEPS
from torch import nn

_Job = collections.namedtuple("_Job", "model batch")


class Attention(nn.Module):
    def __init__(self, wide, deep, words=512):
        super().__init__()
        self.words, self.blocks = (
            nn.Embedding(words, wide),
            nn.ModuleList(nn.TransformerEncoderLayer(wide, 4, 4 * wide, 0.0, batch_first=True) for _ in range(deep)),
        )
        self.head = nn.Linear(wide, words, bias=False)
        self.head.weight = self.words.weight

    def forward(self, tokens):
        x = self.words(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x).mean(1)


class Recurrent(nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.lstm, self.head = nn.LSTM(wide, 2 * wide, 2, batch_first=True), nn.Linear(2 * wide, 10)

    def forward(self, x):
        return self.head(self.lstm(x)[0][:, -1])


class Dictation(nn.Module):
    """Words by a recurrent network, and which comes next."""

    def __init__(self, words, wide):
        super().__init__()
        self.words, self.lstm, self.head = nn.Embedding(words, wide), nn.LSTM(wide, wide, 2, batch_first=True), nn.Linear(wide, words)

    def forward(self, tokens):
        return self.head(self.lstm(self.words(tokens))[0])


class Residual(nn.Module):
    def __init__(self, inside, outside, stride):
        super().__init__()
        self.inner = nn.Sequential(
            nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(),
            nn.Conv2d(outside, outside, 3, 1, 1, bias=False), nn.BatchNorm2d(outside),
        )  # fmt: skip
        same = stride == 1 and inside == outside
        self.across = nn.Identity() if same else nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))

    def forward(self, x):
        return torch.relu(self.inner(x) + self.across(x))


class Translation(nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.words = nn.Embedding(512, wide)
        self.both, self.head = nn.Transformer(wide, 4, 2, 2, 4 * wide, 0.0, batch_first=True), nn.Linear(wide, 512)

    def forward(self, pair):
        return self.head(self.both(self.words(pair[0]), self.words(pair[1]))).mean(1)


class Segmentation(nn.Module):
    """Down, up, and across: what was seen on the way down is kept until the way up."""

    def __init__(self, wide):
        super().__init__()
        self.downs, self.ups, inside = nn.ModuleList(), nn.ModuleList(), 3
        for deep in range(3):
            self.downs.append(nn.Sequential(nn.Conv2d(inside, wide << deep, 3, padding=1), nn.BatchNorm2d(wide << deep), nn.SiLU()))
            inside = wide << deep
        for deep in (1, 0):
            self.ups.append(nn.Sequential(nn.Conv2d(inside + (wide << deep), wide << deep, 3, padding=1), nn.SiLU()))
            inside = wide << deep
        self.head = nn.Conv2d(inside, 4, 1)

    def forward(self, x):
        seen = []
        for down in self.downs:
            x = down(nn.functional.max_pool2d(x, 2) if seen else x)
            seen.append(x)
        for up, across in zip(self.ups, reversed(seen[:-1])):
            x = up(torch.cat([nn.functional.interpolate(x, size=across.shape[2:]), across], 1))
        return self.head(x)


class Experts(nn.Module):
    """Each token goes to one of them, and how many go where changes from step to step."""

    def __init__(self, wide, many):
        super().__init__()
        self.router = nn.Linear(wide, many)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(wide, 4 * wide), nn.GELU(), nn.Linear(4 * wide, wide)) for _ in range(many))

    def forward(self, x):
        share, chosen = self.router(x).softmax(-1).max(-1)
        out = torch.zeros_like(x)
        for index, expert in enumerate(self.experts):
            (where,) = (chosen == index).nonzero(as_tuple=True)
            out = out.index_add(0, where, expert(x[where]) * share[where, None])
        return out


def translation(lot):
    def batch():
        return [torch.randint(0, 512, (4, 8 * int(torch.randint(1, 13, (1,), generator=lot)))) for _ in range(2)]

    return _Job(Translation(128), batch)


def segmentation(lot):
    return _Job(Segmentation(16), lambda: torch.randn(2, 3, *(16 * int(torch.randint(2, 7, (1,), generator=lot)) for _ in range(2))))


def experts(lot):
    return _Job(Experts(160, 8), lambda: torch.randn(64 * int(torch.randint(2, 17, (1,), generator=lot)), 160))


def autoencoder(lot):
    sizes = (784, 512, 256, 32, 256, 512, 784)
    parts = [part for pair in zip(sizes, sizes[1:]) for part in (nn.Linear(*pair), nn.LayerNorm(pair[1]), nn.ReLU())]
    return _Job(nn.Sequential(*parts), lambda: torch.rand(int(torch.randint(16, 769, (1,), generator=lot)), 784))


def transformer(lot):
    return _Job(Attention(128, 3), lambda: torch.randint(0, 512, (4, 16 * int(torch.randint(2, 9, (1,), generator=lot)))))


def language(lot):
    return _Job(Attention(384, 4, 16384), lambda: torch.randint(0, 16384, (2, 8 * int(torch.randint(1, 13, (1,), generator=lot)))))


def resnet(lot):
    """ResNet-18's widths and depths, 8192 classes, small pictures whose size varies from batch to batch."""
    wide = (64, 64, 128, 256, 512)
    parts = [part for a, b in zip(wide, wide[1:]) for part in (Residual(a, b, 1 + (a < b)), Residual(b, b, 1))]
    stem = nn.Sequential(nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU())
    model = nn.Sequential(stem, *parts, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 8192))
    return _Job(model, lambda: torch.randn(8, 3, *[8 * int(torch.randint(1, 4, (1,), generator=lot))] * 2))


def dictation(lot):
    """Both the number of sentences and their length vary."""

    def batch():
        many, long = (int(torch.randint(*between, (1,), generator=lot)) for between in ((1, 7), (4, 33)))
        return torch.randint(0, 12288, (many, long))

    return _Job(Dictation(12288, 512), batch)


def fixed(lot):
    return _Job(Attention(128, 3), lambda: torch.randint(0, 512, (4, 96)))


def frozen(lot):
    job = transformer(lot)
    for block in job.model.blocks:
        for parameter in block.self_attn.parameters():
            parameter.requires_grad_(False)
        for parameter in block.linear1.parameters():
            parameter.requires_grad_(False)
    return job


def convolution(lot):
    parts, inside = [], 3
    for outside in (32, 64, 64, 128, 128):
        parts += [nn.Conv2d(inside, outside, 3, padding=1, stride=1 + (outside > inside > 3)), nn.BatchNorm2d(outside), nn.ReLU()]
        inside = outside
    model = nn.Sequential(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inside, 512), nn.ReLU(), nn.Linear(512, 10))
    return _Job(model, lambda: torch.randn(int(torch.randint(2, 9, (1,), generator=lot)), 3, 32, 32))


def recurrent(lot):
    return _Job(Recurrent(192), lambda: torch.randn(8, int(torch.randint(4, 25, (1,), generator=lot)), 192))


def perceptron(lot):
    parts = [part for _ in range(6) for part in (nn.Linear(640, 640), nn.GELU())]
    return _Job(nn.Sequential(*parts, nn.Linear(640, 10)), lambda: torch.randn(int(torch.randint(32, 513, (1,), generator=lot)), 640))


_JOBS = (
    transformer,
    fixed,
    frozen,
    convolution,
    recurrent,
    perceptron,
    translation,
    segmentation,
    experts,
    autoencoder,
    language,
    resnet,
    dictation,
)
KINDS = {job.__name__: job for job in _JOBS}


def ask(line):
    (path,) = glob.glob(os.path.join(os.environ["LACUNA_DIR"], "*-%d-*.sock" % os.getpid()))
    with socket.socket(socket.AF_UNIX) as to:
        to.connect(path)
        to.sendall((line + "\n").encode())
        return to.makefile().readline().strip()


def figures(reply):
    return {key: value for key, _, value in (word.partition("=") for word in reply.split() if "=" in word)}


def digest(model, optimizer):
    whole = hashlib.sha256()
    for tensor in list(model.state_dict().values()) + [v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v)]:
        whole.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    return whole.hexdigest()


def clocks():
    return time.monotonic(), time.thread_time()


def since(before):
    return [now - then for now, then in zip(clocks(), before)]


def compacting():
    """What compaction takes at the ends of steps, by both clocks: a list that grows, to be emptied by who reads it."""
    from lacuna import assembly

    kind, spent = assembly.load_folder(os.path.dirname(assembly.__file__), "compact").Compaction, []
    inner = kind.between

    def timed(compaction, marker):
        began = clocks()
        try:
            inner(compaction, marker)
        finally:
            spent.extend(since(began))

    kind.between = timed
    return spent


def main(kind, *plans):
    torch.manual_seed(3)
    name, _, batches = kind.partition(":")
    job = KINDS[name](torch.Generator().manual_seed(int(batches or 5)))
    optimizer = torch.optim.AdamW([p for p in job.model.parameters() if p.requires_grad], 1e-3)
    wanted, told, took, spent = collections.defaultdict(list), [], [], compacting()
    for plan in plans:
        verb, _, step = plan.rpartition("@")
        wanted[int(step)].append(verb.replace(",", " "))
    for step in range(STEPS):
        for line in wanted[step]:
            told.append(figures(ask("compaction" if line == "compacted" else line)))
        began = clocks()
        loss = job.model(job.batch()).float().pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        took.append(since(began) + spent)
        spent.clear()
    print(json.dumps({"told": told, "took": took, "loss": loss.item().hex(), "bits": digest(job.model, optimizer)}))


if __name__ == "__main__":
    main(*sys.argv[1:])

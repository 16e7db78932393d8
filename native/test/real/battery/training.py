"""Models as people train them."""

import random

import torch
import torch.nn.functional as F
from registry import workload
from torch import nn
from torch.utils.data import DataLoader, Dataset

STEPS = 3


def outcome(tell, model, *losses):
    tell(*losses)
    tell(*(parameter.grad for parameter in model.parameters() if parameter.grad is not None))
    tell(*model.state_dict().values())


def train(tell, model, batches, loss_of, optimizer=None):
    optimizer = optimizer or torch.optim.AdamW(model.parameters(), 1e-3)
    losses = []
    for batch in batches:
        optimizer.zero_grad()
        loss = loss_of(model, batch)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    outcome(tell, model, *losses)


@workload(daily=True)
def mlp(tell):
    model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 256), nn.GELU(), nn.Dropout(0.2), nn.Linear(256, 8))
    batches = [torch.randn(96, 64) for _ in range(STEPS)]
    train(tell, model, batches, lambda model, x: F.mse_loss(model(x), x[:, :8]), torch.optim.SGD(model.parameters(), 0.05, momentum=0.9))


class Pictures(Dataset):
    """A batch of 32 has 864 KiB."""

    def __len__(self):
        return 32 * STEPS

    def __getitem__(self, number):
        dice = torch.Generator().manual_seed(number)
        return torch.randn(3, 48, 48, generator=dice), number % 5


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.norms = nn.ModuleList([nn.BatchNorm2d(8), nn.BatchNorm2d(16)])
        self.head = nn.Linear(16, 5)

    def forward(self, x):
        x = F.relu(self.norms[0](self.first(x)), inplace=True)
        x = F.max_pool2d(F.relu(self.norms[1](self.second(x))), 2)
        return self.head(x.mean((2, 3)))


def picture_loss(model, batch):
    pictures, kinds = batch
    return F.cross_entropy(model(pictures), kinds)


@workload(daily=True)
def cnn_with_batch_norm_and_loader_workers(tell):
    loader = DataLoader(Pictures(), 32, shuffle=True, num_workers=2, generator=torch.Generator().manual_seed(4))
    train(tell, Cnn(), loader, picture_loss)


@workload()
def cnn_with_workers_that_stay_and_channels_last(tell):
    loader = DataLoader(Pictures(), 16, num_workers=1, persistent_workers=True, drop_last=True)
    model = Cnn().to(memory_format=torch.channels_last)
    train(tell, model, loader, lambda model, batch: picture_loss(model, (batch[0].to(memory_format=torch.channels_last), batch[1])))


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(64, 48), nn.Embedding(32, 48)
        layer = nn.TransformerEncoderLayer(48, 4, 96, dropout=0.1, batch_first=True)
        self.layers, self.head = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False), nn.Linear(48, 64)

    def forward(self, tokens):
        length = tokens.shape[1]
        later = torch.triu(torch.full((length, length), float("-inf")), 1)
        return self.head(self.layers(self.words(tokens) + self.places(torch.arange(length)), later))


def next_word(model, tokens):
    return F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())


@workload(daily=True)
def transformer_of_varying_length(tell):
    random.seed(3)
    train(tell, Words(), [torch.randint(0, 64, (8, random.randint(9, 32))) for _ in range(STEPS)], next_word)


class Sequences(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.inside, self.head = kind(24, 32, 2, batch_first=True, dropout=0.1), nn.Linear(32, 4)

    def forward(self, x):
        return self.head(self.inside(x)[0][:, -1])


@workload()
def lstm(tell):
    train(tell, Sequences(nn.LSTM), [torch.randn(12, 20, 24) for _ in range(STEPS)], lambda model, x: model(x).square().mean())


@workload()
def gru_of_packed_sequences(tell):
    def loss(model, x):
        packed = nn.utils.rnn.pack_padded_sequence(x, [20, 17, 9, 3], batch_first=True)
        return model.head(model.inside(packed)[1][-1]).square().mean()

    train(tell, Sequences(nn.GRU), [torch.randn(4, 20, 24) for _ in range(STEPS)], loss)


@workload(daily=True)
def gan_with_two_optimizers(tell):
    maker = nn.Sequential(nn.Linear(16, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 40))
    judge = nn.Sequential(nn.Linear(40, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
    for_maker, for_judge = torch.optim.Adam(maker.parameters(), 1e-3), torch.optim.RMSprop(judge.parameters(), 1e-3)
    losses = []
    for _ in range(STEPS):
        true, made = torch.randn(64, 40), maker(torch.randn(64, 16))
        for_judge.zero_grad()
        judged = F.softplus(-judge(true)).mean() + F.softplus(judge(made.detach())).mean()
        judged.backward()
        for_judge.step()
        for_maker.zero_grad()
        fooled = F.softplus(-judge(made)).mean()
        fooled.backward()
        for_maker.step()
        losses += [judged.item(), fooled.item()]
    outcome(tell, maker, *losses)
    outcome(tell, judge)


@workload()
def accumulation_over_micro_batches(tell):
    model = nn.Sequential(nn.Linear(64, 128), nn.Tanh(), nn.Linear(128, 4))
    optimizer, losses = torch.optim.SGD(model.parameters(), 0.1), []
    for step in range(2 * STEPS):
        loss = model(torch.randn(40, 64)).square().mean() / 2
        loss.backward()
        losses.append(loss.item())
        if step % 2:
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad(set_to_none=step % 4 == 1)
    outcome(tell, model, *losses)


@workload()
def several_forwards_before_their_backwards(tell):
    model = Cnn()
    losses = [picture_loss(model, (torch.randn(8, 3, 32, 32), torch.arange(8) % 5)) for _ in range(4)]
    for loss in reversed(losses):
        loss.backward()
    outcome(tell, model, *(loss.item() for loss in losses))


@workload(daily=True)
def autocast_to_bfloat16(tell):
    model = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 64))

    def loss(model, x):
        with torch.autocast("cpu", torch.bfloat16):
            y = model(x)
        return (y.float() - x).square().mean()

    train(tell, model, [torch.randn(48, 64) for _ in range(STEPS)], loss)


@workload()
def averaged_weights_and_schedule(tell):
    model = nn.Sequential(nn.Linear(32, 64), nn.BatchNorm1d(64), nn.SiLU(), nn.Linear(64, 8))
    averaged = torch.optim.swa_utils.AveragedModel(model)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, nesterov=True, momentum=0.9)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.2, total_steps=STEPS + 1)
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(64, 32)).square().mean().backward()
        optimizer.step()
        schedule.step()
        averaged.update_parameters(model)
    outcome(tell, model)
    tell(*averaged.state_dict().values())


@workload()
def second_order_optimizer_calls_its_closure_again(tell):
    model, x = nn.Sequential(nn.Linear(32, 48), nn.Tanh(), nn.Linear(48, 32)), torch.randn(64, 32)
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=4)
    losses = []

    def again():
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), x)
        loss.backward()
        losses.append(loss.item())
        return loss

    for _ in range(2):
        optimizer.step(again)
    outcome(tell, model, *losses)

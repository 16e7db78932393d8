"""Trainings that nothing here was tuned on, in the shapes of models that people train, written for this test.

vit     an encoder as ViT-Tiny's (12 layers, 3 heads, normalised before), half as wide, of 64 x 64 pictures in patches of 8
bert    an encoder as DistilBERT's (6 layers, normalised after, padded to each batch's longest), a sixth as wide; masked words
unet    four levels down and up with shortcuts across, two convolutions each
lstm    the word language model of PyTorch's examples: two layers of 200, sequences of 35, the state carried on
"""

import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class Recomputing(nn.Module):
    recompute = False

    def through(self, block, *inputs):
        return checkpoint(block, *inputs) if self.recompute else block(*inputs)


# ---------------------------------------------------------------- encoders


class Attending(nn.Module):
    """PyTorch's own attention and two linear layers, each around a shortcut; normalised before, or after."""

    def __init__(self, width, heads, before, drop):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, drop, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(drop), nn.Linear(4 * width, width), nn.Dropout(drop))
        self.norms, self.drop, self.before = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)]), nn.Dropout(drop), before

    def forward(self, x, padding=None):
        y = self.norms[0](x) if self.before else x
        x = x + self.drop(self.attention(y, y, y, key_padding_mask=padding, need_weights=False)[0])
        if self.before:
            return x + self.mlp(self.norms[1](x))
        x = self.norms[0](x)
        return self.norms[1](x + self.mlp(x))


class Vit(Recomputing):
    def __init__(self, width=96, layers=12, side=64, patch=8):
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, patch)
        self.first, self.places = nn.Parameter(torch.zeros(1, 1, width)), nn.Parameter(torch.randn(1, (side // patch) ** 2 + 1, width) * 0.02)
        self.encoder = nn.Sequential(*(Attending(width, 3, True, 0.0) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 10)

    def forward(self, pictures):
        x = self.patches(pictures).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(len(x), -1, -1), x], 1) + self.places
        for block in self.encoder:
            x = self.through(block, x)
        return self.head(self.norm(x)[:, 0])

    def loss(self):
        labels = torch.randint(0, 10, (12,))
        return F.cross_entropy(self(torch.randn(12, 3, 64, 64) + labels.view(-1, 1, 1, 1) * 0.3), labels)


class Bert(Recomputing):
    """Each batch as long as its longest sequence, the others padded."""

    def __init__(self, words=2048, width=128, layers=6, longest=128):
        super().__init__()
        self.words, self.places, self.kinds = nn.Embedding(words, width), nn.Embedding(longest, width), nn.Embedding(2, width)
        self.norm, self.drop = nn.LayerNorm(width), nn.Dropout(0.1)
        self.layer = nn.ModuleList([Attending(width, 4, False, 0.1) for _ in range(layers)])
        self.transform = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.LayerNorm(width))
        self.decoder = nn.Linear(width, words)

    def forward(self, tokens, padding):
        x = self.words(tokens) + self.places(torch.arange(tokens.shape[1])) + self.kinds(torch.zeros_like(tokens))
        x = self.drop(self.norm(x))
        for layer in self.layer:
            x = self.through(layer, x, padding)
        return self.decoder(self.transform(x))

    def loss(self):
        lengths = torch.tensor([random.randint(16, 128) for _ in range(8)])
        padding = torch.arange(int(lengths.max())) >= lengths[:, None]
        start, stride = torch.randint(1, 2048, (8, 1)), torch.randint(1, 4, (8, 1))
        tokens = (start + stride * torch.arange(padding.shape[1])) % 2047 + 1
        masked = (torch.rand(tokens.shape) < 0.15) & ~padding
        masked[:, 0] = True
        words = self(tokens.masked_fill(masked, 0).masked_fill(padding, 0), padding)
        return F.cross_entropy(words.reshape(-1, 2048), tokens.masked_fill(~masked, -100).reshape(-1))


# ---------------------------------------------------------------- convolutions


def twice(inside, outside):
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, padding=1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True),
        nn.Conv2d(outside, outside, 3, padding=1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True),
    )  # fmt: skip


class Down(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.pool, self.convolutions = nn.MaxPool2d(2), twice(inside, outside)

    def forward(self, x):
        return self.convolutions(self.pool(x))


class Up(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.up, self.convolutions = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True), twice(inside, outside)

    def forward(self, x, across):
        return self.convolutions(torch.cat([across, self.up(x)], 1))


class Unet(Recomputing):
    def __init__(self, width=16):
        super().__init__()
        self.inside = twice(3, width)
        self.down1, self.down2 = Down(width, 2 * width), Down(2 * width, 4 * width)
        self.down3, self.down4 = Down(4 * width, 8 * width), Down(8 * width, 8 * width)
        self.up1, self.up2 = Up(16 * width, 4 * width), Up(8 * width, 2 * width)
        self.up3, self.up4 = Up(4 * width, width), Up(2 * width, width)
        self.out = nn.Conv2d(width, 2, 1)

    def forward(self, x):
        levels = [self.inside(x)]
        for down in (self.down1, self.down2, self.down3, self.down4):
            levels.append(self.through(down, levels[-1]))
        x = levels.pop()
        for up in (self.up1, self.up2, self.up3, self.up4):
            x = self.through(up, x, levels.pop())
        return self.out(x)

    def loss(self):
        inside = (torch.randn(16, 1, 8, 8) > 0).float()
        inside = F.interpolate(inside, size=(64, 64))
        return F.cross_entropy(self(torch.randn(16, 3, 64, 64) + inside), inside[:, 0].long())


# ---------------------------------------------------------------- words one after another


class Lstm(Recomputing):
    """Its state goes on from batch to batch, detached. What the loss is made of is larger than what a layer keeps."""

    def __init__(self, words=2048, width=200):
        super().__init__()
        self.drop, self.encoder = nn.Dropout(0.2), nn.Embedding(words, width)
        self.rnn, self.decoder = nn.LSTM(width, width, 2, dropout=0.2), nn.Linear(width, words)
        self.state = (torch.zeros(2, 80, width), torch.zeros(2, 80, width))

    def forward(self, tokens, hidden, memory):
        x, state = self.rnn(self.drop(self.encoder(tokens)), (hidden, memory))
        return F.log_softmax(self.through(self.decoder, self.drop(x)), -1), state

    def loss(self):
        start, stride = torch.randint(0, 2048, (1, 80)), torch.randint(1, 4, (1, 80))
        tokens = (start + stride * torch.arange(36)[:, None]) % 2048
        scores, state = self(tokens[:-1], *self.state)
        self.state = tuple(each.detach() for each in state)
        return F.nll_loss(scores.view(-1, 2048), tokens[1:].reshape(-1))


KNOWN_SHAPES = {"vit": Vit, "bert": Bert, "unet": Unet, "lstm": Lstm}

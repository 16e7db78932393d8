"""Prints requests of a process that has segments grow after some of them, with what is reserved then: late.py NUMBER."""

import random
import sys

import torch

BEFORE, AFTER = 150, 250
UP_TO = (1 << 10, 1 << 18, 1 << 20, 5 << 20, 30 << 20, 60 << 20)


class Requests:
    def __init__(self):
        self.live, self.next = {}, 0

    def tell(self, word, name=0, size=0):
        print(word, name, size, torch.cuda.memory_reserved())

    def one(self):
        if self.live and random.random() < (0.5 if len(self.live) > 25 else 0.3):
            name = random.choice(list(self.live))
            del self.live[name]
            self.tell("free", name)
        else:
            size = 1 + random.randrange(random.choice(UP_TO))
            self.live[self.next] = torch.empty(size, dtype=torch.uint8, device="cuda")
            self.tell("alloc", self.next, size)
            self.next += 1


random.seed(int(sys.argv[1]))
requests = Requests()
for _ in range(BEFORE):
    requests.one()
torch.cuda.memory._set_allocator_settings("expandable_segments:True")
requests.tell("grow")
for n in range(AFTER):
    requests.one()
    if n == AFTER // 2:
        torch.cuda.empty_cache()
        requests.tell("empty")

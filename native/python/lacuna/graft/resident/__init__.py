"""Lacuna's guest in a training process that was not prepared (docs/attach.md).

One text, in a namespace of its own: ``text.py`` makes it of these modules, in the order of ``order.txt``. It is posted to a
running interpreter and imports nothing but the standard library. One daemon thread reads the counters of PyTorch's own
allocator, writes them as an agent would (docs/wire.md) and serves the control socket. It never raises into the trainer, and
takes everything back when it is told to, or when nobody listens any more. The line before the text, made by who posts it,
tells where to and for whom: ``_lacuna_graft``.
"""

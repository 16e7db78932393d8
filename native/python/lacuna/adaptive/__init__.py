"""``lacuna run --adaptive``: measures what layers take, searches what each is to keep, swap and compute again, tells the agent, and
watches whether that still holds. Everything here runs beside the training, in the process that started it; what the training
sees are the control socket's ``profile`` and ``policy``, as from anybody else."""

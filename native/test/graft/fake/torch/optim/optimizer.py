hooks = {}


class _Handle:
    def __init__(self, number):
        self.number = number

    def remove(self):
        hooks.pop(self.number, None)


def register_optimizer_step_post_hook(hook):
    number = len(hooks)
    while number in hooks:
        number += 1
    hooks[number] = hook
    return _Handle(number)

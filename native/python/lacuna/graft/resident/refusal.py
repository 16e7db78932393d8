"""What is not done, and why."""

def plain(text, limit=400):
    """Printable ASCII without what would end a quoted word."""
    return "".join(c if " " <= c < "\x7f" and c not in '"\\' else "?" for c in str(text))[:limit]


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, code, text, **words):
        super().__init__(text)
        self.code, self.text, self.words = code, text, words


class NotHere(Exception):
    """There is nothing to attach to: what was begun is taken back, in one line."""

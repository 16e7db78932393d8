"""The words of a request."""

from .refusal import Refusal, plain


def yes(words, key):
    value = words.get(key, "no")
    if value not in ("yes", "no"):
        raise Refusal("bad-request", "%s is yes or no" % key)
    return value == "yes"


def whole(words, key, otherwise):
    value = words.get(key)
    if value is None:
        return otherwise
    if not value.isdigit() or len(value) > 15:
        raise Refusal("bad-request", "%s is a whole number" % key)
    return int(value)


def only(words, *keys):
    for key in words:
        if key not in keys:
            raise Refusal("bad-request", "no word %s here" % plain(key, 60))

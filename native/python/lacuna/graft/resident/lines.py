"""Lines of the control protocol (docs/wire.md)."""

from .refusal import Refusal, plain

LINE_BYTES, REPLY_BYTES, CLIENTS = 512, 2048, 8


def number_text(value):
    return repr(float(value)).rstrip("0").rstrip(".") if "e" not in repr(float(value)) else repr(float(value))


def words_text(words):
    parts = []
    for key, value in words.items():
        if key != "text":
            parts.append("%s=%s" % (key, number_text(value) if isinstance(value, float) else value))
    if "text" in words:
        parts.append('text="%s"' % plain(words["text"]))
    return " ".join(parts)


def parse_line(line):
    """(verb, words). A quoted value stands last."""
    if any(not 32 <= b < 127 for b in line):
        raise Refusal("bad-request", "a byte that is not printable ASCII")
    text = line.decode("ascii").strip()
    verb, _, rest = text.partition(" ")
    words = {}
    while rest.strip():
        rest = rest.lstrip()
        key, equals, rest = rest.partition("=")
        if not equals or not key or " " in key or key in words:
            raise Refusal("bad-request", "a word without =, or one that stands twice")
        if rest.startswith('"'):
            if not rest.endswith('"') or len(rest) < 2:
                raise Refusal("bad-request", "a quote that does not end the line")
            words[key], rest = rest[1:-1], ""
        else:
            words[key], _, rest = rest.partition(" ")
    if not verb:
        raise Refusal("bad-request", "no verb")
    return verb, words

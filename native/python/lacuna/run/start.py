"""The first thing that runs: whatever fails here or below before COMMAND runs, COMMAND runs all the same."""

import os
import sys

SWITCHES = ("--adaptive",)


def without_agent(words, why):
    """Becomes COMMAND as it would be without Lacuna. The words are not trusted to be understood: they are read anew."""
    words = list(words)
    while words and words[0].startswith("-"):
        word = words.pop(0)
        if word == "--":
            break
        if "=" not in word and word not in SWITCHES and words:
            words.pop(0)
    if not words:
        sys.stderr.write("lacuna: %s\n" % (why,))
        return 70
    sys.stderr.write("lacuna: %s runs without the agent: %s\n" % (words[0], why))
    sys.stderr.flush()
    try:
        os.execvp(words[0], words)
    except OSError as missing:
        sys.stderr.write("lacuna: %s: %s\n" % (words[0], missing.strerror))
        return 127 if isinstance(missing, FileNotFoundError) else 126


def main(program, words):
    """Runs COMMAND; its exit status."""
    try:
        here = os.path.dirname(os.path.abspath(__file__))
        sys.path.insert(0, os.path.dirname(os.path.dirname(here)))
        from lacuna.run import command

        prepared = command.prepare(program, words)
    except Exception as broken:
        return without_agent(words, "%s: %s" % (type(broken).__name__, broken))
    if isinstance(prepared, int):
        return prepared
    if prepared.obstacle:
        return without_agent(["--"] + prepared.words, prepared.obstacle)
    return command.run(prepared)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "lacuna", sys.argv[2:]))

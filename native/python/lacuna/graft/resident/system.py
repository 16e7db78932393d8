"""What the system tells of this process."""

import os
import time

SHARE = 0.005  # of a processor that looking may take


def monotonic_ns():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def read_text(path, limit=65536):
    try:
        with open(path, "rb", 0) as file:
            return file.read(limit).decode("utf-8", "replace")
    except OSError:
        return ""


def namespace(kind):
    try:
        return int(os.readlink("/proc/self/ns/" + kind).split("[", 1)[1].rstrip("]"))
    except (OSError, IndexError, ValueError):
        return 0


def start_ticks(pid="self"):
    """Field 22 of a process's stat; 0 where it is gone."""
    fields = read_text("/proc/%s/stat" % pid).rpartition(")")[2].split()
    return int(fields[19]) if len(fields) > 19 else 0


def boot_id():
    text = read_text("/proc/sys/kernel/random/boot_id").strip()
    return text if len(text) == 36 else ""


def memory_kills():
    """The file that counts kills of this process's control group, and its count."""
    for line in read_text("/proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            name, folder = "memory.events", "/sys/fs/cgroup" + path
        elif "memory" in controllers.split(","):
            name, folder = "memory.oom_control", "/sys/fs/cgroup/memory" + path
        else:
            continue
        while folder.startswith("/sys/fs/cgroup"):
            for entry in read_text(folder + "/" + name).splitlines():
                word, _, count = entry.partition(" ")
                if word == "oom_kill" and count.isdigit():
                    return folder + "/" + name, int(count)
            folder = os.path.dirname(folder)
    return "", 0


def say(text):
    try:
        os.write(2, ("lacuna: %s\n" % text).encode("utf-8", "replace")[:500])
    except OSError:
        pass

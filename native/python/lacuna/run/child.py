"""COMMAND as a child: signals go on to it, its end becomes ours, ours is not its.

It leads a session of its own. So neither the terminal's hang-up nor a shell that closes reaches it (torchrun would take SIGHUP for
an order to stop), and it needs nothing of this process once it runs: when this one is killed, it goes on.

What the terminal would have sent to all of the foreground (Ctrl-C) goes on to all of COMMAND's group; what somebody sends
to this process goes on to COMMAND alone, as if there were no process in between, or to the group where the sender is of
our own, as ``timeout`` and ``kill 0`` are. A signal that ended COMMAND goes on to what is left of its group.
"""

import os
import resource
import signal
import subprocess

KERNEL = 0x80  # SI_KERNEL: of the terminal
OURS = {"SIGKILL", "SIGSTOP", "SIGCHLD", "SIGHUP", "SIGIO", "SIGPIPE", "SIGTTIN", "SIGTTOU"}
FAULTS = {"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGTRAP", "SIGSYS"}


def handed_on():
    """Signals that go on to COMMAND: those whose meaning is theirs, and that were not ignored when we came."""
    names = {s for s in signal.valid_signals() if getattr(s, "name", "") not in OURS | FAULTS}
    return {s for s in names if signal.getsignal(s) != signal.SIG_IGN}


def start(words, environment):
    """COMMAND, in a session of its own; with the signals that this process was started with. OSError where it cannot."""
    waited = handed_on() | {signal.SIGCHLD, signal.SIGIO, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, waited)

    def unblock():
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    try:
        return subprocess.Popen(words, env=environment, start_new_session=True, preexec_fn=unblock, close_fds=False)
    except BaseException:
        unblock()
        raise


def follow(process, look):
    """Waits for its end and hands signals on; ``look`` is called when SIGIO tells that there is something to see. Its status,
    negative where a signal ended it."""
    waited = handed_on() | {signal.SIGCHLD, signal.SIGIO, signal.SIGHUP}
    asked = set()
    while process.poll() is None:
        told = signal.sigwaitinfo(waited)
        if told.si_signo == signal.SIGIO:
            look()
        elif told.si_signo == signal.SIGTSTP:
            _stop(process.pid)
        elif told.si_signo not in (signal.SIGCHLD, signal.SIGHUP):
            asked.add(told.si_signo)
            _hand_on(process.pid, told)
    if -process.returncode in asked:
        _send(os.killpg, process.pid, -process.returncode)
    look()
    return process.returncode


def _hand_on(pid, told):
    to_all = told.si_code == KERNEL or told.si_signo in (signal.SIGCONT, signal.SIGWINCH) or _is_of_our_group(told.si_pid)
    _send(os.killpg if to_all else os.kill, pid, told.si_signo)


def _is_of_our_group(sender):
    try:
        return sender > 0 and os.getpgid(sender) == os.getpgrp()
    except OSError:
        return False


def _stop(pid):
    """Ctrl-Z: a group without a terminal is not stopped by SIGTSTP."""
    _send(os.killpg, pid, signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGSTOP)
    _send(os.killpg, pid, signal.SIGCONT)


def _send(how, pid, number):
    try:
        how(pid, number)
    except ProcessLookupError:
        pass  # it has just ended


def end_as(status):
    """The exit status; ends by the signal that ended COMMAND, without a core file of its own."""
    if status >= 0:
        return status
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if -status != signal.SIGKILL:
        signal.signal(-status, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {-status})
    os.kill(os.getpid(), -status)
    return 128 - status

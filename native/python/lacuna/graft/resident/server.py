"""The control socket."""

import os
import select
import socket
import struct
import time

from .lines import CLIENTS, LINE_BYTES, REPLY_BYTES, words_text
from .refusal import Refusal, plain

QUIET_S = 60.0  # nobody said anything for so long: take everything back


class Client:
    def __init__(self, sock, peer):
        self.sock, self.peer, self.data, self.last, self.waiting = sock, peer, b"", time.monotonic(), None


class Server:
    """The socket beside the telemetry file. Nobody is waited for: who does not read the replies is dropped."""

    def __init__(self, place, answer, files):
        self.place, self.answer, self.files, self.clients = place, answer, files, []
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)
        place.remove(".new")
        try:
            self.listener.bind("/proc/self/fd/%d/%s.new" % (place.fd, place.stem))
            os.chmod(place.stem + ".new", 0o600, dir_fd=place.fd)
            self.listener.listen(CLIENTS)
            # Under its name only now: who finds it is answered.
            os.rename(place.stem + ".new", place.stem + ".sock", src_dir_fd=place.fd, dst_dir_fd=place.fd)
        except OSError:
            self.listener.close()
            raise
        self.heard = time.monotonic()

    def descriptors(self):
        return [n for n in [self.listener.fileno()] + [c.sock.fileno() for c in self.clients] if n >= 0]

    def wait(self, seconds):
        """Sleeps until somebody asks or the time is over, and serves who does."""
        poll = select.poll()
        poll.register(self.listener, select.POLLIN)
        by_number = {c.sock.fileno(): c for c in self.clients}
        for number, client in by_number.items():
            if client.waiting is None:
                poll.register(number, select.POLLIN)
        for number, _ in poll.poll(max(0.0, seconds) * 1000):
            if number in by_number:
                self._read(by_number[number])
            else:
                with self.files:
                    self._greet()
        now = time.monotonic()
        for client in list(self.clients):
            if client.waiting is not None:
                self._answer_waiting(client)
            elif now - client.last > QUIET_S and not self._waits_to_be_heard([client.sock]):
                self._drop(client)

    @staticmethod
    def _waits_to_be_heard(sockets):
        """On a full machine this thread may itself have been kept from listening for longer than anybody was quiet."""
        poll = select.poll()
        for each in sockets:
            poll.register(each, select.POLLIN)
        return bool(poll.poll(0))

    def is_left_alone(self):
        """Whether nobody has said anything for so long, nor is about to."""
        quiet = time.monotonic() - self.heard > QUIET_S
        return quiet and not self._waits_to_be_heard([self.listener] + [c.sock for c in self.clients])

    def _greet(self):
        try:
            sock, _ = self.listener.accept()
        except OSError:
            return
        sock.setblocking(False)
        peer = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        if peer[1] != os.geteuid():
            self.place.audit(peer, "by=- result=denied", "")
            self._dismiss(sock, Refusal("denied", "only the user whose process this is may ask"))
        elif len(self.clients) >= CLIENTS:
            self._dismiss(sock, Refusal("busy", "eight clients are connected already"))
        else:
            self.clients.append(Client(sock, peer))

    @staticmethod
    def _line(words, refusal=None):
        if refusal is None:
            text = ("ok " + words_text(words)).rstrip()
        else:
            text = "error " + words_text(dict({"code": refusal.code}, **dict(refusal.words, text=refusal.text)))
        return text.encode("ascii", "replace")[: REPLY_BYTES - 1] + b"\n"

    def _dismiss(self, sock, refusal):
        try:
            sock.send(self._line({}, refusal))
            sock.recv(LINE_BYTES)
        except OSError:
            pass
        sock.close()

    def _drop(self, client):
        if client in self.clients:
            try:
                client.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            client.sock.close()
            self.clients.remove(client)

    def _send(self, client, line):
        try:
            if client.sock.send(line) == len(line):
                return
        except OSError:
            pass
        self._drop(client)

    def _read(self, client):
        try:
            data = client.sock.recv(LINE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._drop(client)
            return
        client.data += data
        self._lines(client)
        if len(client.data) >= LINE_BYTES and b"\n" not in client.data[:LINE_BYTES]:
            self._send(client, self._line({}, Refusal("line-too-long", "a line has at most 512 bytes with its newline")))
            self._drop(client)

    def _lines(self, client):
        while b"\n" in client.data and client in self.clients and client.waiting is None:
            line, _, client.data = client.data.partition(b"\n")
            client.last = self.heard = time.monotonic()
            self._send_answer(client, lambda: self.answer(client.peer, line))

    def _send_answer(self, client, answer):
        """An answer is words, or something to be called until it has them."""
        try:
            words = answer()
        except Refusal as refusal:
            self._send(client, self._line({}, refusal))
            return
        except Exception as failure:  # of the framework: told, and training goes on
            self._send(client, self._line({}, Refusal("busy", "%s: %s" % (type(failure).__name__, plain(failure, 200)))))
            return
        if callable(words):
            client.waiting = words
        else:
            self._send(client, self._line(words))

    def _answer_waiting(self, client):
        again, client.waiting = client.waiting, None
        self._send_answer(client, again)
        if client.waiting is None:
            client.last = self.heard = time.monotonic()
            self._lines(client)

    def close(self):
        for client in list(self.clients):
            self._drop(client)
        self.place.remove(".sock")
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()

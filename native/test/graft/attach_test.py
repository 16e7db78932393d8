"""Attaches to processes of one Python (TARGET_PYTHON): every kind of moment, every kind of refusal. Started by run.sh."""

import functools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import filters  # noqa: E402
from guest import PROGRAM, PYTHON, Case, Connection, Target, program, until  # noqa: E402

NIGHTLY = bool(os.environ.get("LACUNA_NIGHTLY"))
VERSION = subprocess.run(
    [PYTHON, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], stdout=subprocess.PIPE, universal_newlines=True, check=True
).stdout.strip()  # fmt: skip
MARK = "import os; open(%r, 'w').write(__name__ + ' ' + str('mark' in dir(__import__('__main__'))))"


def state(pid):
    with open("/proc/%d/stat" % pid) as stat:
        return stat.read().rpartition(")")[2].split()[0]


class Moments(Case):
    def test_a_text_runs_in_a_namespace_of_its_own(self):
        t = self.target("busy")
        mark = os.path.join(t.directory, "mark")
        self.assertEqual(t.post(MARK % mark)["code"], "ok")
        until(lambda: os.path.exists(mark) and os.path.getsize(mark), "the text runs")
        with open(mark) as file:
            self.assertEqual(file.read(), "lacuna_graft False")
        self.assertEqual(t.finish(), "done\n")
        self.assertEqual(t.error_text(), "")

    def test_what_a_text_raises_stays_with_it(self):
        t = self.target("busy")
        self.assertEqual(t.post("raise SystemExit('of the text')")["code"], "ok")
        until(lambda: "of the text" in t.error_text(), "it is said")
        self.assertEqual(t.finish(), "done\n")
        self.assertEqual(t.error_text().count("\n"), 1)

    def test_a_text_with_every_kind_of_character_arrives_as_it_is(self):
        t = self.target("sleep")
        mark = os.path.join(t.directory, "mark")
        text = "word = 'é 字 \\' \\\\ \"\"\" \\n # %s'\nopen({!r}, 'wb').write(word.encode())\n".format(mark)
        self.assertEqual(t.post(text)["code"], "ok")
        until(lambda: os.path.exists(mark) and os.path.getsize(mark), "the text runs")
        with open(mark, "rb") as file:
            self.assertEqual(file.read().decode(), "é 字 ' \\ \"\"\" \n # %s")

    def attached_while(self, kind, times=3, says=""):
        t = self.target(kind)
        if says:
            self.assertEqual(t.process.stdout.readline(), says)
        time.sleep(0.3)  # until it is at work
        before = t.own()
        for _ in range(times):
            connection = t.attach()
            self.assertEqual(connection.ask("hello")["door"], "graft")
            t.detach(connection)
        until(lambda: t.own() == before, "all is as it was: %s" % before)
        self.assertEqual(t.finish(), "done\n")
        # From Python 3.12 on, who forks beside threads is warned: ours is one.
        self.assertEqual([line for line in t.error_text().splitlines() if "fork()" not in line], [])

    def test_a_busy_loop_computes_on(self):
        self.attached_while("busy")

    def test_a_sleep_is_as_long_as_it_was_to_be(self):
        self.attached_while("sleep")

    def test_an_event_loop_is_not_woken(self):
        self.attached_while("epoll")

    def test_other_threads_work_on(self):
        self.attached_while("threads", says="all there\n")

    def test_a_long_call_is_waited_for(self):
        self.attached_while("long_call", times=1)

    def test_one_that_cannot_be_stopped_yet_is_waited_for(self):
        folder = tempfile.TemporaryDirectory(prefix="lacuna-graft-")
        self.addCleanup(folder.cleanup)
        pipe, mark = os.path.join(folder.name, "pipe"), os.path.join(folder.name, "mark")
        os.mkfifo(pipe)
        t = Target(self, "starts", words=(pipe,))
        self.assertEqual(t.process.stdout.readline(), "starting\n")
        until(lambda: state(t.pid) == "D", "it waits for its child")
        opened = threading.Timer(0.5, lambda: open(pipe, "w").close())  # one try waits for 0.3 s
        opened.start()
        self.addCleanup(opened.join)
        self.assertEqual(t.post(MARK % mark)["code"], "ok")
        until(lambda: os.path.exists(mark), "the text runs")
        self.assertEqual(t.finish(), "done\n")

    def test_a_stack_that_has_to_grow_first_is_waited_for(self):
        mark = os.path.join(tempfile.gettempdir(), "lacuna-graft-mark-%d" % os.getpid())
        # How much is left of the lowest page is chance, and may be enough: other depths then, which end elsewhere in theirs.
        for depth in range(400, 430):
            t = Target(self, "deep", words=(str(depth),))
            self.assertEqual(t.process.stdout.readline(), "deep\n")
            report = t.post(MARK % mark)
            if report["code"] == "busy" or report["way"] != "pending-call":  # what else is posted needs no stack
                break
        if report["way"] == "pending-call":
            self.assertEqual((report["code"], "stack" in report["text"]), ("busy", True))
        t.process.stdin.write("\n")
        t.process.stdin.flush()
        t.reposted(MARK % mark)
        until(lambda: os.path.exists(mark), "the text runs")
        os.unlink(mark)
        self.assertEqual(t.finish(), "done\n")

    def test_forked_children_keep_nothing(self):
        self.attached_while("forks")

    def test_interrupts_arrive(self):
        t = self.target("interrupted")
        for _ in range(5):
            t.reposted(None)
            time.sleep(0.1)
        until(lambda: self.posted_and_open(t), "a text that no interrupt has struck opens its socket")
        t.detach(Connection(t.socket_path()))
        self.assertEqual(t.finish(), "done\n")

    def posted_and_open(self, t):
        """An interrupt may strike the first line of a text, which is lost then (docs/attach.md): it is posted again."""
        t.reposted(None)
        deadline = time.monotonic() + 12  # struck in time, it posts itself again, perhaps several times
        while time.monotonic() < deadline and t.socket_path() is None:
            time.sleep(0.01)
        return t.socket_path() is not None

    def test_the_pages_of_the_text_are_given_back(self):
        t = self.target("busy")

        def mapped():
            with open("/proc/%d/maps" % t.pid) as maps:
                return sum(1 for line in maps if "rw-p 00000000 00:00 0" in line)

        t.detach(t.attach())
        until(lambda: t.own()["threads"] == 1, "the thread ends")
        before = mapped()
        for _ in range(20):
            t.detach(t.attach())
        until(lambda: mapped() < before + 12, "they are given back")  # one a time would be twenty; heaps of threads come and go

    def test_attached_twice_it_goes_on(self):
        t = self.target("busy")
        first = t.attach()
        until(lambda: t.own()["threads"] == 2, "one thread of ours is left")
        mark = os.path.join(t.directory, "mark")
        t.reposted(None)
        t.reposted(MARK % mark)
        until(lambda: os.path.exists(mark) and t.own()["threads"] == 2, "the second text has seen the first")
        self.assertEqual(first.ask("hello")[""], "ok")
        t.detach(first)
        self.assertEqual(t.finish(), "done\n")

    def test_many_attaches_leave_no_trace(self):
        t = self.target("train")
        t.detach(t.attach())
        until(lambda: t.own()["threads"] == 1, "the thread ends")
        before = t.own()
        for _ in range(1000 if NIGHTLY else 20):
            t.detach(t.attach())
        until(lambda: t.own() == before, "all is as it was: %s" % before)
        self.assertEqual(t.finish(), "done\n")
        self.assertEqual(t.error_text(), "")

    def test_two_at_the_same_moment_do_no_harm(self):
        t = self.target("busy")
        codes = []

        def attach():
            codes.append(program("run", str(t.pid), os.path.join(t.directory, "text.py"))["code"])

        connection = t.attach()
        for _ in range(10):
            both = [threading.Thread(target=attach) for _ in range(2)]
            for thread in both:
                thread.start()
            for thread in both:
                thread.join()
        self.assertIn("ok", codes)
        self.assertLessEqual(set(codes), {"ok", "busy", "traced"})
        until(lambda: t.own()["threads"] == 2, "the other texts have seen the first")
        t.detach(connection)
        self.assertEqual(t.finish(), "done\n")

    def test_attachers_that_are_killed_do_no_harm(self):
        t = self.target("busy")
        path = os.path.join(t.directory, "text.py")
        with open(path, "w") as file:
            file.write(t.text())
        for n in range(200 if NIGHTLY else 20):
            attacher = subprocess.Popen(
                [PROGRAM, "run", str(t.pid), path],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            time.sleep(n % 20 * 0.0004)
            attacher.kill()
            attacher.wait()
        connection = t.attach()
        self.assertEqual(connection.ask("hello")[""], "ok")
        until(lambda: t.own()["threads"] == 2, "the other texts have seen the first")
        t.detach(connection)
        self.assertEqual(t.finish(), "done\n")

    def test_targets_that_are_killed_do_no_harm(self):
        for n in range(200 if NIGHTLY else 4):
            t = self.target("train")
            path = os.path.join(t.directory, "text.py")
            with open(path, "w") as file:
                file.write(t.text())
            killer = threading.Timer(n % 10 * 0.0005, t.process.kill)
            killer.start()
            self.assertIn(program("run", str(t.pid), path)["code"], ("ok", "gone", "zombie", "no-process", "no-room", "fault"))
            killer.join()


    def test_a_process_that_becomes_another_program_meanwhile_goes_on_as_that(self):
        t = self.target("becomes_itself_anew")
        over, codes = threading.Event(), set()

        def follow():
            for line in t.process.stdout:
                if line == "over\n":
                    over.set()
                    return

        follower = threading.Thread(target=follow)
        follower.start()
        until(lambda: codes.add(t.post("pass")["code"]) or over.is_set() or t.process.poll() is not None, "it has become itself often")
        follower.join()
        self.assertIsNone(t.process.poll(), "it lives: %s" % t.error_text())
        self.assertIn("ok", codes)  # the others say what was seen half way
        connection = t.attach()
        self.assertEqual(connection.ask("hello")[""], "ok")
        t.detach(connection)
        self.assertEqual(t.finish(), "done\n")


class Refusals(Case):
    def refused(self, pid, code, detail=None):
        report = program("look", str(pid))
        self.assertEqual((report["code"], report["status"]), (code, 4), report)
        if detail is not None:
            self.assertEqual(report["detail"], detail)
        return report

    def test_a_look_tells_the_version_and_the_way(self):
        t = self.target("sleep")
        report = program("look", str(t.pid))
        recent = tuple(map(int, VERSION.split("."))) >= (3, 14)
        self.assertEqual((report["code"], report["python"], report["status"]), ("ok", VERSION, 0))
        self.assertEqual(report["way"], "remote-debugging" if recent else "pending-call")

    def test_a_zombie(self):
        t = self.target("sleep")
        t.process.kill()
        until(lambda: program("look", str(t.pid))["code"] == "zombie", "it is a zombie")

    def test_a_process_that_was_stopped(self):
        t = self.target("sleep")
        os.kill(t.pid, signal.SIGSTOP)
        until(lambda: program("look", str(t.pid))["code"] == "stopped", "it is stopped")
        self.assertEqual(t.post("pass")["code"], "stopped")
        os.kill(t.pid, signal.SIGCONT)
        self.assertEqual(t.finish(), "done\n")

    def test_another_process_under_the_same_number(self):
        t = self.target("sleep")
        path = os.path.join(t.directory, "text.py")
        with open(path, "w") as file:
            file.write("pass")
        report = program("run", str(t.pid), path, "--start-ticks", "1")
        self.assertEqual((report["code"], report["status"]), ("other-process", 4))

    def test_what_is_no_python(self):
        process = subprocess.Popen(["sleep", "60"])
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        until(lambda: os.path.basename(os.readlink("/proc/%d/exe" % process.pid)) != os.path.basename(sys.executable), "it has begun")
        self.refused(process.pid, "not-python")

    def called(self, name, *command):
        """A copy of a program under another name."""
        folder = tempfile.mkdtemp(prefix="lacuna-graft-")
        self.addCleanup(shutil.rmtree, folder)
        path = shutil.copy(shutil.which(command[0]), os.path.join(folder, name))
        process = subprocess.Popen([path, *command[1:]])
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        until(lambda: os.path.basename(os.readlink("/proc/%d/exe" % process.pid)) == name, "it has begun")
        return process

    def test_what_is_called_python_and_exports_nothing(self):
        process = self.called("python3", "sleep", "60")
        until(lambda: program("look", str(process.pid))["code"] == "no-symbols", "it is loaded")
        self.refused(process.pid, "no-symbols")

    @unittest.skipUnless(shutil.which("cc"), "needs a compiler")
    def test_a_static_program_that_is_called_python(self):
        folder = tempfile.mkdtemp(prefix="lacuna-graft-")
        self.addCleanup(shutil.rmtree, folder)
        made = os.path.join(folder, "waits")
        source = b"#include <unistd.h>\nint main(void) { return pause(); }\n"
        if subprocess.run(["cc", "-static", "-s", "-x", "c", "-", "-o", made], input=source, stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("no static C library")
        process = self.called("python3.11", made)
        until(lambda: program("look", str(process.pid))["code"] == "no-symbols", "it is loaded")
        self.refused(process.pid, "no-symbols")

    def test_what_is_called_pypy(self):
        process = self.called("pypy3", "sleep", "60")
        until(lambda: program("look", str(process.pid))["code"] == "pypy", "it is loaded")
        self.refused(process.pid, "pypy")

    def test_nobody(self):
        self.refused(4194304, "no-process")

    @unittest.skipUnless(os.geteuid() == 0, "needs another user")
    def test_another_user(self):
        t = self.target("sleep")
        as_nobody = subprocess.run(
            [PROGRAM, "look", str(t.pid)],
            preexec_fn=lambda: os.setuid(65534), stdout=subprocess.PIPE, universal_newlines=True, check=False,
        )  # fmt: skip
        self.assertIn('"other-user"', as_nobody.stdout)

    @unittest.skipUnless(tuple(map(int, VERSION.split("."))) >= (3, 14), "a switch of Python 3.14")
    def test_remote_debugging_that_is_switched_off(self):
        t = self.target("sleep", PYTHON_DISABLE_REMOTE_DEBUG="1")
        self.refused(t.pid, "switched-off")
        self.assertEqual(t.post("pass")["code"], "switched-off")
        self.assertEqual(t.finish(), "done\n")


AS_CONTAINED = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
CAN_CONTAIN = os.geteuid() == 0 and bool(shutil.which("unshare")) and not subprocess.run(
    [*AS_CONTAINED, "true"], stderr=subprocess.DEVNULL, check=False
).returncode  # fmt: skip


class Filters(Case):
    """Seccomp: what a process is killed for must not be done in it."""

    def left_alone(self, kind):
        t = self.target(kind)
        self.assertEqual(t.process.stdout.readline(), "filtered\n")
        code = t.post()["code"]
        time.sleep(0.5)  # what was left with it would have run
        self.assertIsNone(t.process.poll(), "it lives")
        self.assertEqual((code, program("look", str(t.pid))["code"]), ("seccomp", "seccomp"))
        self.assertEqual(t.finish(), "done\n")
        self.assertEqual(t.error_text(), "")

    def test_one_that_is_killed_for_a_socket_is_left_alone(self):
        self.left_alone("is_killed_for_a_socket")

    def test_one_that_is_killed_for_a_mapping_is_left_alone(self):
        self.left_alone("is_killed_for_a_mapping")

    def test_one_that_has_the_filter_that_we_have_is_attached(self):
        t = self.target("filtered_first")
        self.assertEqual(t.process.stdout.readline(), "inside\n")
        self.assertEqual(program("look", str(t.pid))["code"], "seccomp")
        same = functools.partial(filters.lay, filters.REFUSE, "userfaultfd")
        self.assertEqual(program("look", str(t.pid), preexec=same)["code"], "ok")
        mark = os.path.join(t.directory, "mark")
        self.assertEqual(t.post(MARK % mark, preexec=same)["code"], "ok")
        until(lambda: os.path.exists(mark), "the text runs")
        self.assertEqual(t.finish(), "done\n")

    def inside(self, kind, *words):
        t = Target(self, kind, before=AS_CONTAINED, words=words)
        self.assertEqual(t.process.stdout.readline(), "inside\n")
        return t, t.within()

    @unittest.skipUnless(CAN_CONTAIN, "needs namespaces")
    def test_one_that_has_its_container_s_filter_is_attached(self):
        t, pid = self.inside("contained", "userfaultfd", "busy")
        self.assertEqual(program("look", str(pid))["code"], "ok")
        mark = os.path.join(t.directory, "mark")
        t.pid = pid
        self.assertEqual(t.post(MARK % mark)["code"], "ok")
        until(lambda: os.path.exists(mark), "the text runs")
        self.assertEqual(t.finish(), "done\n")

    @unittest.skipUnless(CAN_CONTAIN, "needs namespaces")
    def test_one_that_has_a_filter_more_than_its_container_is_left_alone(self):
        t, pid = self.inside("contained", "userfaultfd", "is_killed_for_a_socket")
        self.assertEqual(t.process.stdout.readline(), "filtered\n")
        t.pid = pid
        self.assertEqual(program("look", str(pid))["code"], "seccomp")
        self.assertEqual(t.post()["code"], "seccomp")
        self.assertEqual(t.finish(), "done\n")

    @unittest.skipUnless(CAN_CONTAIN, "needs namespaces")
    def test_the_first_process_of_a_container_does_not_vouch_for_itself(self):
        _, pid = self.inside("filtered_first")
        self.assertEqual(program("look", str(pid))["code"], "seccomp")


class LastWords(Case):
    """Where the text cannot begin, whoever posted it learns why, and the process goes on."""

    def told(self, t, begins):
        self.assertEqual(t.post()["code"], "ok")
        word = until(t.last_word, "it says why")
        self.assertTrue(word.startswith(begins), word)
        self.assertIn("not attached", t.error_text())
        self.assertEqual([name for name in self.left(t) if name.endswith((".mem", ".new", ".sock"))], [])
        self.assertEqual(t.finish(), "done\n")

    @staticmethod
    def left(t):
        return os.listdir(t.rendezvous) if os.path.isdir(t.rendezvous) else []

    @unittest.skipUnless(os.geteuid() == 0, "needs a small file system")
    def test_a_folder_without_room(self):
        t = self.target("busy")
        os.mkdir(t.rendezvous, 0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "small", t.rendezvous], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", t.rendezvous], check=True)
        with self.assertRaises(OSError), open(os.path.join(t.rendezvous, "rest"), "wb", 0) as file:
            while True:
                file.write(bytes(4096))
        t.refused = os.path.join(t.rendezvous, "refused")  # a link is taken all the same
        self.told(t, "ENOSPC ")

    @unittest.skipUnless(CAN_CONTAIN, "needs namespaces")
    def test_a_socket_that_is_refused(self):
        t = Target(self, "contained", before=AS_CONTAINED, words=("socket", "busy"))
        self.assertEqual(t.process.stdout.readline(), "inside\n")
        t.pid = t.within()
        self.told(t, "EPERM ")

    def test_no_thread_at_all(self):
        t = self.target("no_threads")
        self.assertEqual(t.process.stdout.readline(), "limited\n")
        self.told(t, "EAGAIN no thread")

    def test_no_thread_for_its_life(self):
        t = self.target("one_thread")
        self.assertEqual(t.process.stdout.readline(), "limited\n")
        self.told(t, "RuntimeError can't start new thread")

    def test_a_text_that_fails(self):
        t = self.target("busy")
        self.assertEqual(t.post("raise ValueError('é ' + 'long ' * 99)")["code"], "ok")
        self.assertEqual(len(until(t.last_word, "it says why")), 59)
        self.assertTrue(t.last_word().startswith("ValueError ? "), t.last_word())

    def test_a_path_that_would_end_the_lines_is_refused(self):
        t = self.target("busy")
        for path in ("/tmp/'", '/tmp/"', "/tmp/\\", "/tmp/\n", "tmp", "/" + "x" * 512):
            t.refused = path
            self.assertEqual(t.post()["code"], "fault", path)
        t.refused = ""
        self.assertEqual(t.post()["code"], "ok")
        until(t.socket_path, "it opens its socket")


class Interpreters(Case):
    def test_a_main_thread_in_a_second_interpreter_leaves_it_alive(self):
        """Up to Python 3.11 the text would run in that one, and Python aborts where an interpreter ends with a thread in it. Later
        ones run it when the first interpreter goes on."""
        t = self.target("second_interpreter")
        self.assertEqual(t.process.stdout.readline(), "inside\n")
        time.sleep(0.3)  # out of that call, without Python's lock, it would be posted to the first
        self.assertEqual(t.post()["code"], "ok")
        time.sleep(1)  # it is at work there, and sees what waits for it
        self.assertEqual((t.finish(), t.process.returncode), ("done\n", 0), t.error_text())
        if tuple(map(int, VERSION.split("."))) < (3, 12):
            self.assertIn("second interpreter", t.last_word())


class Serving(Case):
    def test_a_training_is_seen_and_steered(self):
        t = self.target("train")
        c = t.attach()
        until(lambda: c.ask("hello")["device"] not in ("none", "host"), "the device is found")
        hello = c.ask("hello")
        self.assertEqual((hello["framework"], hello["layout"]), ("torch-2.14.1", "3"))
        self.assertIn("fraction", hello["can"])
        until(lambda: int(c.ask("get").get("step", 0)) > 5, "steps are seen")
        got = c.ask("get")
        self.assertEqual(int(got["releasable_bytes"]) + int(got["split_bytes"]) + int(got["pending_bytes"]),
                         int(got["reserved_bytes"]) - int(got["allocated_bytes"]))  # fmt: skip
        record = until(t.whole_record, "a record is read that is not being written")
        self.assertEqual((record["backend"], record["total"]), (2, 1 << 30))
        self.assertEqual(record["gap"], record["reserved"] - record["allocated"])
        until(lambda: {13, 14, 8} <= {event[3] for event in t.telemetry().events()}, "segments, blocks and steps are told")
        t.detach(c)
        self.assertEqual(t.finish(), "done\n")

    def test_a_cap_below_what_the_last_steps_reserved_is_refused(self):
        t = self.target("train")
        c = t.attach()
        until(lambda: c.ask("get").get("steps") == "2", "two whole steps are seen")
        answer = c.ask("set fraction=0.01")
        self.assertEqual((answer[""], answer["code"], answer["basis"]), ("error", "would-fail", "peak-reserved"))
        least = int(answer["lowest_safe_bytes"])
        self.assertEqual(c.ask("set fraction=0.01 force=yes safe=%d" % (least - (4 << 20)))["code"], "would-fail")
        self.assertEqual(c.ask("set fraction=0.01 force=yes safe=%d" % least)["limit_bytes"], str(int(0.01 * (1 << 30))))
        self.assertEqual(c.ask("set fraction=0.5")["fraction"], "0.5")
        self.assertEqual(c.ask("set fraction=1.5")["code"], "out-of-range")
        self.assertEqual(c.ask("set fraction=x")["code"], "bad-request")
        t.detach(c)
        with open(os.path.join(t.rendezvous, "audit.log")) as log:
            lines = log.read().splitlines()
        self.assertEqual(sum("asked=\"set " in line for line in lines), 6)
        self.assertIn("by=attach", lines[0])

    def test_the_cache_is_emptied_when_a_step_ends(self):
        t = self.target("train")
        c = t.attach()
        until(lambda: int(c.ask("get").get("step", 0)) > 2, "steps are seen")
        answer = c.ask("empty-cache by=test")
        self.assertEqual(answer[""], "ok", answer)
        self.assertIn("took_ns", answer)
        t.detach(c)

    def test_without_steps_the_cache_is_left_alone_unless_forced(self):
        t = self.target("train_later")
        c = t.attach()
        self.assertEqual(c.ask("hello")["framework"], "none")
        self.assertEqual(c.ask("get")["code"], "no-device")
        with open(os.path.join(t.directory, "go"), "w"):
            pass
        until(lambda: c.ask("hello")["device"] == "cuda", "the device is found")
        until(lambda: t.telemetry().record()["total"] == 1 << 30, "it is published")
        t.detach(c)

    def test_settings_are_changed_one_by_one_and_taken_back(self):
        t = self.target("train", PYTORCH_CUDA_ALLOC_CONF="max_split_size_mb:64,roundup_power2_divisions:[256:1,>:4]")
        c = t.attach()
        until(lambda: c.ask("hello")["device"] not in ("none", "host"), "the device is found")
        first = c.ask("setting")["text"]
        self.assertEqual(c.ask("setting key=expandable_segments value=True")["text"], first + ",expandable_segments:True")
        self.assertEqual(c.ask("get")["optimisation"], "on")
        self.assertEqual(c.ask("setting key=max_split_size_mb value=nonsense")["code"], "bad-request")
        self.assertEqual(c.ask("setting key=backend value=cudaMallocAsync")["code"], "cannot")
        self.assertEqual(c.ask("setting")["text"], first + ",expandable_segments:True")
        self.assertEqual(c.ask("setting undo=yes")["text"], first)
        self.assertEqual(c.ask("setting undo=yes")["code"], "cannot")
        t.detach(c)

    def test_a_setting_that_slows_the_training_down_is_taken_back(self):
        t = self.target("train_slowed_by_settings")
        c = t.attach()
        until(lambda: int(c.ask("get").get("step", 0)) > 20, "steps are seen")
        self.assertEqual(c.ask("setting")["trial"], "none")
        c.ask("setting key=max_split_size_mb value=64")
        state = until(lambda: c.ask("setting") if c.ask("setting")["trial"] != "running" else None, "the trial is over")
        self.assertEqual((state["trial"], state["why"], state["text"]), ("undone", "slower", ""))
        t.detach(c)
        with open(os.path.join(t.rendezvous, "audit.log")) as log:
            self.assertIn("by=trial", log.read())

    def test_the_optimisation_is_on_trial_as_any_setting(self):
        t = self.target("train_slowed_by_settings")
        c = t.attach()
        until(lambda: int(c.ask("get").get("step", 0)) > 20, "steps are seen")
        answer = c.ask("set optimisation=on by=test")
        self.assertEqual((answer[""], answer["optimisation"]), ("ok", "on"), answer)
        state = until(lambda: c.ask("setting") if c.ask("setting")["trial"] != "running" else None, "the trial is over")
        self.assertEqual((state["trial"], state["why"], state["text"]), ("undone", "slower", ""))
        self.assertEqual(c.ask("get")["optimisation"], "off")
        t.detach(c)

    def test_an_optimisation_that_is_refused_changes_nothing(self):
        t = self.target("train_by_hand")
        c = t.attach()
        until(lambda: c.ask("hello")["device"] not in ("none", "host"), "the device is found")
        self.assertEqual(c.ask("set optimisation=on")["code"], "cannot")  # no step was seen
        self.assertEqual((c.ask("setting")["text"], c.ask("get")["optimisation"]), ("", "off"))
        t.step()
        until(lambda: c.ask("get")["step"] == "1", "a step is seen")
        refused = c.ask("set optimisation=on fraction=0.5")
        self.assertEqual((refused["code"], "no step ended" in refused["text"]), ("busy", True))
        self.assertEqual((c.ask("setting")["text"], c.ask("get")["optimisation"], c.ask("get")["fraction"]), ("", "off", "1"))
        t.detach(c)

    def test_a_cache_that_cannot_be_emptied_is_no_matter_of_the_training_s(self):
        t = self.target("train", FAKE_EMPTY="fail")
        c = t.attach()
        until(lambda: int(c.ask("get").get("step", 0)) > 2, "steps are seen")
        self.assertEqual(c.ask("empty-cache")["code"], "busy")
        t.detach(c)
        self.assertEqual(t.finish(), "done\n")

    def test_segments_that_were_expandable_from_the_start_are_told_so(self):
        t = self.target("train", PYTORCH_CUDA_ALLOC_CONF="expandable_segments:True")
        c = t.attach()
        until(lambda: c.ask("hello")["device"] not in ("none", "host"), "the device is found")
        self.assertEqual(c.ask("get")["optimisation"], "on")
        t.detach(c)

    def test_all_verbs_are_there_on_an_npu(self):
        t = self.target("train_on_npu", PYTORCH_NPU_ALLOC_CONF="base_addr_aligned_kb:16")
        c = t.attach()
        until(lambda: c.ask("hello")["device"] not in ("none", "host"), "the device is found")
        hello = c.ask("hello")
        self.assertEqual((hello["device"], hello["can"]), ("npu", "fraction,empty-cache,settings,record,arm,categories"))
        until(lambda: c.ask("get").get("steps") == "2", "two whole steps are seen")
        path = os.path.join(t.directory, "recorded.pickle")
        self.assertEqual(c.ask("record steps=2 path=" + path)[""], "ok")
        until(lambda: c.ask("record")["done"] == "yes", "it is done")
        self.assertEqual(c.ask("arm path=" + path + ".oom")["armed"], "yes")
        self.assertEqual(c.ask("set fraction=0.5")["fraction"], "0.5")
        self.assertEqual(c.ask("empty-cache")[""], "ok")
        self.assertEqual(c.ask("set optimisation=on")["optimisation"], "on")
        changed = c.ask("setting key=expandable_segments value=True")  # on a busy machine the trial may have taken it back by now
        self.assertEqual(changed["text"], "base_addr_aligned_kb:16,expandable_segments:True")
        self.assertEqual(c.ask("categories")[""], "ok")
        self.assertEqual(c.ask("phases")[""], "ok")
        t.detach(c)
        self.assertEqual(t.finish(), "done False base_addr_aligned_kb:16 False 1.0\ndone\n")

    def test_an_allocator_that_keeps_no_blocks_is_told_by_its_figures(self):
        t = self.target("train", FAKE_ALLOCATOR="cudaMallocAsync")
        c = t.attach()
        until(lambda: int(c.ask("get").get("step", 0)) > 2, "steps are seen")
        self.assertEqual(c.ask("hello")["can"], "fraction,empty-cache,categories")
        path = " path=" + os.path.join(t.directory, "a")
        for line in ("record steps=1" + path, "arm" + path, "setting key=expandable_segments value=True", "set optimisation=on"):
            self.assertEqual(c.ask(line).get("code"), "cannot", line)
        self.assertEqual(c.ask("record")["armed"], "no")
        t.detach(c)
        self.assertEqual(t.finish(), "done\n")

    def test_before_2_1_blocks_are_told_to_who_asks_and_no_history_is_begun(self):
        t = self.target("train", FAKE_TORCH="2.0.1")
        c = t.attach()
        until(lambda: c.ask("hello")["device"] not in ("none", "host"), "the device is found")
        self.assertEqual(c.ask("hello")["can"], "fraction,empty-cache,settings,arm,categories,front")
        self.assertEqual(c.ask("record steps=1 path=" + os.path.join(t.directory, "a"))["code"], "cannot")
        self.assertNotIn(14, {event[3] for event in t.telemetry().events()})
        c.ask("follow")
        until(lambda: 14 in {event[3] for event in t.telemetry().events()}, "blocks are told")
        t.detach(c)

    def test_a_recording_ends_by_itself_and_history_is_off_again(self):
        t = self.target("train")
        c = t.attach()
        path = os.path.join(t.directory, "recorded.pickle")
        until(lambda: c.ask("hello")["device"] not in ("none", "host"), "the device is found")
        self.assertEqual(c.ask("record steps=3 path=" + path)[""], "ok")
        until(lambda: c.ask("record")["done"] == "yes", "it is done")
        self.assertGreater(os.path.getsize(path), 100)
        self.assertEqual(c.ask("record steps=1 path=" + os.path.dirname(path))["code"], "bad-request")
        self.assertEqual(c.ask("record steps=1 path=/no/such/folder/x")["code"], "cannot")
        self.assertEqual(c.ask("record steps=1")["code"], "bad-request")
        t.detach(c)

    def test_what_cannot_be_looked_at_is_let_go_at_once(self):
        t = self.target("train", FAKE_STATS="fail")
        self.assertEqual(t.post()["code"], "ok")
        until(lambda: "not attached: RuntimeError('no figures" in t.error_text(), "it says why")
        until(lambda: t.own()["threads"] == 1, "its thread ends")
        self.assertEqual([name for name in os.listdir(t.rendezvous) if name != "audit.log"], [])
        self.assertFalse([line for line in open("/proc/%d/net/unix" % t.pid) if "-%d-" % t.pid in line], "a socket that nobody serves")
        self.assertEqual(t.finish(), "done\n")

    def test_nonsense_is_answered(self):
        t = self.target("train")
        c = t.attach()
        expected = {
            "what": "unknown-verb", "get device=9": "no-device", "get x": "bad-request", "get a=1 a=2": "bad-request", "layers": "cannot",
            "set swap=on": "cannot", " ": "bad-request", "hello more=1": "bad-request",
        }  # fmt: skip
        until(lambda: c.ask("hello")["device"] not in ("none", "host"), "the device is found")
        for line, code in expected.items():
            self.assertEqual(c.ask(line).get("code"), code, line)
        c.file.write(b"x" * 600)
        c.file.flush()
        self.assertIn(b"line-too-long", c.file.readline())
        c.close()
        c = Connection(t.socket_path())
        t.detach(c)

    def test_at_an_orderly_end_its_files_go_and_after_a_kill_they_stay(self):
        t = self.target("train")
        t.attach().close()
        self.assertEqual(t.finish(), "done\n")
        self.assertEqual([name for name in os.listdir(t.rendezvous) if name != "audit.log"], [])
        t = self.target("train")
        t.attach().close()
        t.process.kill()
        t.process.wait()
        until(lambda: len(os.listdir(t.rendezvous)) == 3, "file, socket and audit are there")

    def test_it_goes_when_its_reader_has_died_and_nobody_listens(self):
        t = self.target("busy")
        reader = subprocess.Popen(["sleep", "60"])
        t.attach(reader_pid=reader.pid).close()
        reader.kill()
        reader.wait()
        until(lambda: t.socket_path() is None, "it takes itself back")
        self.assertEqual(t.finish(), "done\n")


if __name__ == "__main__":
    unittest.main()

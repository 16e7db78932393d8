"""``lacuna run -- COMMAND``: what COMMAND sees, how it ends, and what cannot end it."""

import fcntl
import os
import pty
import shutil
import signal
import stat
import subprocess
import sys
import termios
import time

from case import HERE, NATIVE, Case, environment

RUN = os.path.join(NATIVE, "python", "lacuna", "run", "lacuna-run")
HOLDER = "import torch; kept = torch.ones(1 << 20)\n"
TRAINING = "import torch, time\nkept = torch.ones(1 << 20)\nfor i in range(%d):\n    print('step', i, flush=True); time.sleep(0.05)\n"
LAUNCHER = """
import os, signal, subprocess, sys
ranks = []
def end(*_):
    for rank in ranks:
        rank.kill()
    sys.exit(1)
for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
    signal.signal(number, end)
for rank in "01":
    ranks.append(subprocess.Popen([sys.executable, sys.argv[1]], env=dict(os.environ, RANK=rank), start_new_session=True))
sys.exit(max(rank.wait() for rank in ranks))
"""
RANKS = """
import sys, torch, torch.distributed as dist
dist.init_process_group("gloo")
torch.manual_seed(0)
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(256, 256))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    loss = model(torch.ones(8, 256) * (1 + dist.get_rank())).pow(2).mean()
    optimizer.zero_grad(); loss.backward(); optimizer.step()
told = [None] * dist.get_world_size()
dist.all_gather_object(told, float(model.module.weight.sum()))
sys.stdout.write("rank %d alike %s\\n" % (dist.get_rank(), len(set(told)) == 1))  # in one piece, whoever else writes
sys.stdout.flush()
sys.exit(7 if "fail" in sys.argv and dist.get_rank() == 1 else 0)
"""
# Redirecting a rank that there is not changes nothing; without it PyTorch 1.13 stumbles over Python 3.11's enum flags.
TORCHRUN = ("-m", "torch.distributed.run", "--nproc_per_node", "2", "--standalone", "-r", "9:1", "-t", "9:1")


class Run(Case):
    def environment(self, **extra):
        """What a user has: no PYTHONPATH of ours, no library named."""
        ours = {k: v for k, v in environment(self.directory, **extra).items() if k not in ("PYTHONPATH", "LACUNA_LIBRARY")}
        ours.update({k: v for k, v in extra.items() if k in ("PYTHONPATH", "LACUNA_LIBRARY")})
        return dict(ours, LC_ALL="C.UTF-8")

    def lacuna_run(self, *words, **extra):
        return subprocess.run(
            [RUN, "lacuna", *words], env=self.environment(**extra), timeout=self.limit_seconds, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, cwd=self.directory,
        )  # fmt: skip

    def start_run(self, *words, **extra):
        process = subprocess.Popen(
            [RUN, "lacuna", *words], env=self.environment(**extra), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, universal_newlines=True, cwd=self.directory,
        )  # fmt: skip
        self.addCleanup(self._end, process)
        return process

    def on_terminal(self, *words):
        """Starts it as a terminal's foreground; the process and the terminal's other side."""
        ours, theirs = pty.openpty()

        def lead():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        process = subprocess.Popen(
            [RUN, "lacuna", *words], env=self.environment(), stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.directory,
            preexec_fn=lead, close_fds=True,
        )  # fmt: skip
        os.close(theirs)
        self.addCleanup(self._reap, process)
        return process, ours

    def _reap(self, process):
        if process.poll() is None:
            process.kill()
        process.wait()

    def until(self, condition):
        limit = time.monotonic() + self.limit_seconds
        while not condition():
            self.assertLess(time.monotonic(), limit, "it never came")
            time.sleep(0.02)

    def read_until(self, terminal, words):
        text = b""
        while words not in text:
            text += os.read(terminal, 4096)
        return text

    def wrote(self, name, words):
        path = os.path.join(self.directory, name)

        def has():
            if not os.path.exists(path):
                return False
            with open(path) as file:
                return words in file.read()

        return has

    # ---------------------------------------------------------------- what it sees

    def test_a_training_runs_under_the_agent_and_a_line_says_what_it_took(self):
        done = self.lacuna_run("--capacity", "1GiB", "--", sys.executable, "-c", HOLDER + "print(len(kept))")
        self.assertEqual((done.returncode, done.stdout), (0, "1048576\n"), done.stderr)
        self.assertRegex(done.stderr, r"^lacuna: peak reserved \d+ MiB, allocated 4 MiB, gap \d+ MiB; no out-of-memory; .*: lacuna\n$")

    def test_so_do_the_children_of_any_launcher(self):
        launcher, script = self.launcher(), self.script(HOLDER)
        done = self.lacuna_run("--", sys.executable, launcher, script)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"the fullest of 2\)")

    def torchrun(self, *words):
        program = "import torch.distributed as d; raise SystemExit(not (d.is_available() and hasattr(d, 'ProcessGroupGloo')))"
        if subprocess.run([sys.executable, "-c", program], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("this PyTorch cannot train on several ranks")
        return self.lacuna_run("--", sys.executable, *TORCHRUN, self.script(RANKS), *words, OMP_NUM_THREADS="1")

    def test_ranks_of_the_real_torchrun_train_together_under_agents(self):
        done = self.torchrun()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(done.stdout.split("\n"))[1:], ["rank 0 alike True", "rank 1 alike True"])
        self.assertRegex(done.stderr, r"the fullest of 2\)")

    def test_a_rank_that_fails_fails_torchrun(self):
        done = self.torchrun("fail")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"exitcode +: 7")

    def launcher(self):
        """As torchrun does: ranks in sessions of their own, and a hang-up is an order to end them. (Debian 12's own runs only with the words of TORCHRUN.)"""
        path = os.path.join(self.directory, "launcher.py")
        with open(path, "w") as file:
            file.write(LAUNCHER)
        return path

    def test_a_shell_script_too(self):
        done = self.lacuna_run("--", "sh", "-c", '"$0" "$1"; exit 5', sys.executable, self.script(HOLDER))
        self.assertEqual(done.returncode, 5)
        self.assertIn("allocated 4 MiB", done.stderr)

    def test_settings_may_stand_without_dashes_between_and_in_either_spelling(self):
        show = 'echo "$LACUNA_OPTIMISATION $LACUNA_CAPACITY"'
        done = self.lacuna_run("--optimization", "off", "--capacity=1GiB", "sh", "-c", show)
        self.assertEqual(done.stdout, "off 1GiB\n")

    def test_the_path_of_the_user_stays_behind_ours(self):
        done = self.lacuna_run(
            "--", sys.executable, "-c", "import os, sys; print(os.environ['PYTHONPATH'], '/mine' in sys.path)", PYTHONPATH="/mine"
        )
        self.assertEqual(done.stdout, "%s:/mine True\n" % os.path.join(NATIVE, "python", "lacuna", "hook"))

    def test_a_path_that_the_command_itself_sets_hides_nothing_of_ours(self):
        theirs = os.path.join(self.directory, "theirs")
        os.mkdir(theirs)
        with open(os.path.join(theirs, "sitecustomize.py"), "w") as file:
            file.write("print('their site')\n")
        text = "import sys, lacuna; print(lacuna.phase.__name__, [p for p in sys.path if 'hook' in p], %r in sys.path)" % theirs
        for path in (theirs, theirs + ":/mine:", "%s:%s" % (theirs, os.path.join(NATIVE, "python", "lacuna", "hook"))):
            with self.subTest(path=path):
                done = self.lacuna_run("--", "env", "PYTHONPATH=" + path, sys.executable, "-c", text)
                self.assertEqual((done.returncode, done.stdout), (0, "their site\nphase [] True\n"), done.stderr)
        done = self.lacuna_run("--", "env", "-u", "PYTHONPATH", sys.executable, "-c", "import lacuna")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.lacuna_run("--", "env", "PYTHONPATH=/mine", "printenv", "PYTHONPATH")
        self.assertEqual(done.stdout, "/mine\n")  # what is no Python keeps its own

    def test_an_out_of_memory_is_counted_and_what_it_left_is_named(self):
        done = self.lacuna_run("--capacity=16MiB", "--", sys.executable, "-c", "import torch; torch.ones(1 << 26)")
        self.assertEqual(done.returncode, 1)
        line = done.stderr.splitlines()[-1]
        self.assertIn("1 out-of-memory", line)
        self.assertTrue(os.path.exists(line.rpartition("lacuna ")[2]), line)

    def test_what_was_killed_left_a_file_to_open(self):
        done = self.lacuna_run("--", sys.executable, "-c", HOLDER + "import os; os.kill(os.getpid(), 9)")
        self.assertEqual(done.returncode, -signal.SIGKILL)
        self.assertTrue(os.path.exists(done.stderr.splitlines()[-1].rpartition("lacuna ")[2]), done.stderr)

    def test_it_is_seen_however_late_we_look(self):
        """Neither its environment nor its parent can be asked by then."""
        program = HOLDER + "import os; os.kill(os.getpid(), 9)"
        waiting = 'echo begun > begun; until [ -e go ]; do sleep 0.02; done; "$0" -c "$1"; echo over > over'
        run = self.start_run("--", "sh", "-c", waiting, sys.executable, program)
        self.until(self.wrote("begun", "begun"))
        run.send_signal(signal.SIGSTOP)
        with open(os.path.join(self.directory, "go"), "w"):
            pass
        self.until(self.wrote("over", "over"))
        run.send_signal(signal.SIGCONT)
        line = run.communicate(timeout=self.limit_seconds)[1].splitlines()[-1]
        self.assertTrue(os.path.exists(line.rpartition("lacuna ")[2]), line)

    def test_a_process_without_pytorch_is_said_to_be_one(self):
        done = self.lacuna_run("--", "true")
        self.assertEqual((done.returncode, done.stderr), (0, "lacuna: no PyTorch process with the agent in it was seen\n"))

    def test_a_python_without_pytorch_is_named(self):
        bare = os.path.join(self.directory, "python3.99")
        with open(bare, "w") as file:
            file.write('#!/bin/sh\nexec "%s" -S "$@"\n' % sys.executable)  # packages are where site looks
        os.chmod(bare, 0o755)
        none = "lacuna: no PyTorch process with the agent in it was seen"
        self.assertEqual(self.lacuna_run("--", bare, "-c", "pass").stderr, "%s: %s has no torch\n" % (none, bare))
        self.assertEqual(self.lacuna_run("--", sys.executable, "-c", "pass").stderr, none + "\n")

    def test_the_line_is_in_the_language_of_the_environment(self):
        done = self.lacuna_run("--", "true", LC_ALL="")
        self.assertIn("no PyTorch process", done.stderr)
        done = subprocess.run([RUN, "lacuna", "--", "true"], env=dict(self.environment(), LC_ALL="zh_CN.UTF-8"), stderr=subprocess.PIPE)
        self.assertIn("没有看到", done.stderr.decode())

    # ---------------------------------------------------------------- how it ends

    def test_the_exit_status_is_its_own(self):
        for status in (0, 1, 42, 255):
            self.assertEqual(self.lacuna_run("--", "sh", "-c", "exit %d" % status).returncode, status)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGABRT):
            self.assertEqual(self.lacuna_run("--", "sh", "-c", "kill -%d $$" % number).returncode, -number)

    def test_what_cannot_be_started_has_the_status_that_shells_give(self):
        self.assertEqual(self.lacuna_run("--", "no-such-command").returncode, 127)
        self.assertEqual(self.lacuna_run("--", self.script("")).returncode, 126)

    def test_signals_go_on_to_it(self):
        script = self.script(
            """
            import signal, sys
            signals = [signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGINT]
            signal.pthread_sigmask(signal.SIG_BLOCK, signals)
            print("ready", flush=True)
            for _ in signals:
                print(signal.sigwait(signals).name, flush=True)
            """
        )
        process = self.start_run("--", sys.executable, script)
        self.assertEqual(process.stdout.readline(), "ready\n")
        for name in ("SIGUSR1", "SIGTERM", "SIGUSR2", "SIGINT"):
            process.send_signal(getattr(signal, name))
            self.assertEqual(process.stdout.readline(), name + "\n")
        self.assertEqual(process.wait(self.limit_seconds), 0)

    def test_what_ended_a_shell_also_ends_what_the_shell_had_started(self):
        process = self.start_run("--", "sh", "-c", 'sleep 600 & echo $!; wait; echo "not reached"')
        sleeper = int(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(self.limit_seconds), -signal.SIGTERM)
        self.until(lambda: not os.path.exists("/proc/%d" % sleeper) or self.is_zombie(sleeper))

    def is_zombie(self, pid):
        try:
            with open("/proc/%d/stat" % pid) as file:
                return file.read().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            return True

    def test_ctrl_c_reaches_all_of_it(self):
        process, terminal = self.on_terminal(
            "--", "sh", "-c", "trap 'echo shell' INT; %s -c 'import time; print(1, flush=True); time.sleep(600)'" % sys.executable
        )
        self.read_until(terminal, b"1")
        os.write(terminal, b"\x03")
        self.assertIn(b"KeyboardInterrupt", self.read_until(terminal, b"shell"))
        process.wait(self.limit_seconds)

    def test_ctrl_z_stops_it_and_it_can_be_continued(self):
        process, terminal = self.on_terminal(
            "--", sys.executable, "-u", "-c", "import os, time; print('pid', os.getpid(), '.'); time.sleep(600)"
        )
        pid = int(self.read_until(terminal, b" .").split()[1])
        os.write(terminal, b"\x1a")
        self.assertTrue(os.WIFSTOPPED(os.waitpid(process.pid, os.WUNTRACED)[1]))
        self.until(lambda: self.state(pid) == "T")
        process.send_signal(signal.SIGCONT)
        self.until(lambda: self.state(pid) == "S")

    def state(self, pid):
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rpartition(")")[2].split()[0]

    # ---------------------------------------------------------------- what cannot end it

    def test_lacunas_own_death_does_not_end_it(self):
        process = self.start_run("--", sys.executable, "-c", TRAINING % 40 + "open('done', 'w').write('whole')")
        self.assertEqual(process.stdout.readline(), "step 0\n")
        process.kill()
        process.wait()
        self.until(self.wrote("done", "whole"))

    def test_a_terminal_that_closes_does_not_end_what_prints_to_it(self):
        script = self.script(TRAINING % 40 + "open('done', 'w').write('whole')\n")
        process, terminal = self.on_terminal("--", sys.executable, script)
        self.read_until(terminal, b"step 0")
        os.close(terminal)
        self.assertEqual(process.wait(self.limit_seconds), 0)
        self.assertTrue(self.wrote("done", "whole")())
        (output,) = [name for name in os.listdir(self.directory) if name.startswith("lacuna-run-")]
        with open(os.path.join(self.directory, output)) as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[-2], "step 39")
        self.assertIn("peak reserved", lines[-1])

    def test_nor_what_a_launcher_started_that_takes_a_hang_up_for_an_order(self):
        script = self.script("import os\n" + TRAINING % 40 + "open('done' + os.environ['RANK'], 'w').write('whole')\n")
        process, terminal = self.on_terminal("--", sys.executable, self.launcher(), script)
        self.read_until(terminal, b"step 0")
        os.close(terminal)
        self.assertEqual(process.wait(self.limit_seconds), 0)
        self.assertTrue(self.wrote("done0", "whole")() and self.wrote("done1", "whole")())

    def test_without_the_library_it_runs_and_one_line_says_so(self):
        for library in ("/nowhere/liblacuna_torch.so", os.path.join(HERE, "run.sh")):
            done = self.lacuna_run("--capacity", "1GiB", "--", "sh", "-c", 'echo "[$LD_PRELOAD]"; exit 3', LACUNA_LIBRARY=library)
            self.assertEqual((done.returncode, done.stdout), (3, "[]\n"))
            self.assertRegex(done.stderr, "^lacuna: sh runs without the agent: .*\n$")

    def test_a_package_that_is_broken_does_not_keep_it_from_running(self):
        package = os.path.join(self.directory, "python", "lacuna")
        shutil.copytree(os.path.join(NATIVE, "python", "lacuna"), package)
        for damaged in ("launch.py", "run/child.py"):
            with open(os.path.join(package, damaged), "a") as file:
                file.write("\nraise ValueError('damaged')\n")
            run = os.path.join(package, "run", "lacuna-run")
            done = subprocess.run(
                [run, "lacuna", "--fraction=1", "--", "sh", "-c", "exit 4"], env=self.environment(), stderr=subprocess.PIPE
            )
            self.assertEqual(done.returncode, 4)
            self.assertEqual(done.stderr, b"lacuna: sh runs without the agent: ValueError: damaged\n")

    def test_without_a_python_it_runs_too(self):
        shell = os.path.join(self.directory, "bin")
        os.mkdir(shell)
        for name in ("dirname", "readlink", "sh"):
            os.symlink(shutil.which(name), os.path.join(shell, name))
        run = os.path.join(self.directory, "lacuna-run")
        with open(RUN) as original, open(run, "w") as copy:
            copy.write(original.read().replace("/usr/bin/python3 ", ""))
        os.chmod(run, os.stat(run).st_mode | stat.S_IXUSR)
        for words in (["--capacity", "1GiB", "--"], ["--capacity=1GiB"], []):
            done = subprocess.run(["/bin/sh", run, "lacuna", *words, "sh", "-c", "exit 6"], env={"PATH": shell}, stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr.count(b"\n")), (6, 1), done.stderr)

    def test_a_rendezvous_that_cannot_be_had_costs_only_the_line(self):
        blocked = os.path.join(self.directory, "file")
        open(blocked, "w").close()
        done = self.lacuna_run("--", "sh", "-c", "exit 8", LACUNA_DIR=os.path.join(blocked, "below"))
        self.assertEqual(done.returncode, 8)
        self.assertIn("not known", done.stderr)

    def test_programs_that_cannot_load_the_agent_run_as_they_are(self):
        static = os.path.join(self.directory, "static")
        source = self.directory + "/static.c"
        with open(source, "w") as file:
            file.write("int main(void) { return 9; }")
        subprocess.check_call(["cc", "-static", "-o", static, source])
        self.assertEqual(self.lacuna_run("--", static).returncode, 9)
        set_uid = os.path.join(self.directory, "true")
        shutil.copy("/bin/true", set_uid)
        os.chmod(set_uid, 0o4755)
        done = self.lacuna_run("--", set_uid)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (0, 1))

    def test_nor_does_it_reach_programs_of_another_loader(self):
        """musl's ends what it cannot load a library into; it does not know $LIB."""
        done = self.lacuna_run("--", "sh", "-c", 'echo "$LD_PRELOAD"')
        self.assertIn("/preload/$LIB/liblacuna_torch.so", done.stdout)
        if shutil.which("musl-gcc") is None:
            self.skipTest("there is no musl-gcc")
        source, program = self.directory + "/plain.c", self.directory + "/plain"
        with open(source, "w") as file:
            file.write("int main(void) { return 9; }")
        subprocess.check_call(["musl-gcc", "-o", program, source])
        done = self.lacuna_run("--", program)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (9, 1))

    def test_wrong_words_start_nothing(self):
        for words in ([], ["--"], ["--capacity", "8GB", "--", "true"], ["--speed", "1", "--", "true"]):
            done = self.lacuna_run(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)

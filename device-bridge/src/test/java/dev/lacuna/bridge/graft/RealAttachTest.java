package dev.lacuna.bridge.graft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.Attacher.Outcome;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.ListedProcess;
import dev.lacuna.bridge.MachineProcesses;
import dev.lacuna.bridge.Obstacle;
import dev.lacuna.bridge.Obstacle.Kind;
import dev.lacuna.bridge.Reach;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.find.EveryProcess;
import dev.lacuna.bridge.launch.TorchPython;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A training of the PyTorch that this machine has, which knows nothing of Lacuna. */
class RealAttachTest {
    private static final String TRAINING = String.join(
            "\n",
            "import sys, time, torch",
            "model = torch.nn.Linear(64, 64)",
            "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)",
            "print('ready', flush=True)",
            "while True:",
            "    optimizer.zero_grad()",
            "    model(torch.ones(8, 64)).sum().backward()",
            "    optimizer.step()",
            "    time.sleep(0.01)");

    @TempDir
    private Path folder;

    private Path rendezvous;

    private ProcessHandle training;
    private LocalTrainingProcesses processes;
    private MachineProcesses machine;
    private LocalAttacher attacher;

    @BeforeEach
    void begin() throws Exception {
        Optional<Path> python = TorchPython.find();
        assumeTrue(python.isPresent(), "no Python with PyTorch here");
        training = start(python.get().toString(), "-c", TRAINING);
        meetAt(folder.resolve("rendezvous"));
        // Where the kernel or the container permits no looking into others, that is all that can be seen.
        Optional<Obstacle> obstacle = found().obstacle();
        assumeTrue(obstacle.isEmpty(), () -> obstacle.toString());
    }

    private void meetAt(Path where) throws Exception {
        rendezvous = where;
        processes = new LocalTrainingProcesses(rendezvous, "test");
        Graft graft = new NativeGraft();
        machine = EveryProcess.ofThisMachine(processes, rendezvous, graft);
        attacher = new LocalAttacher(
                processes, graft, "test", ProcessHandle.current().pid());
    }

    @AfterEach
    void end() throws Exception {
        if (training != null) {
            training.destroyForcibly();
        }
    }

    /** By a shell that ends: a child of this program would be none that it could attach to. */
    private ProcessHandle start(String... words) throws Exception {
        Path said = Files.createTempFile(folder, "said", "");
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", "\"$@\" >\"$0\" 2>&1 </dev/null & echo $!", said.toString()));
        command.addAll(List.of(words));
        Process shell = new ProcessBuilder(command).start();
        long pid = Long.parseLong(shell.inputReader().readLine().strip());
        shell.waitFor();
        while (!Files.readString(said).startsWith("ready")) {
            assertThat(ProcessHandle.of(pid))
                    .as("the training, which said: %s", said)
                    .isPresent();
            Thread.sleep(20);
        }
        return ProcessHandle.of(pid).orElseThrow();
    }

    @Test
    void is_found_attached_read_and_let_go_and_trains_on() throws Exception {
        FoundProcess found = found();
        assertThat(found.framework().orElseThrow().name()).isEqualTo("torch");
        assertThat(found.framework().orElseThrow().version()).isPresent();
        assertThat(listed().reach()).isEqualTo(Reach.ATTACH);

        TrainingProcess attached = attach();
        assertThat(attached.isStock()).isTrue();
        assertThat(listed().reach()).isEqualTo(Reach.ATTACHED);
        try (AttachedProcess opened = processes.attach(training.pid())) {
            long step = awaitDevice(opened).devices().get(0).step();
            assertThat(opened.swapping()).isEmpty();
            Answer<StockControl.Facts> facts = opened.stock().orElseThrow().facts();
            assertThat(((Answer.Given<StockControl.Facts>) facts).value().framework())
                    .startsWith("torch");
            while (opened.sample().devices().get(0).step() == step) {
                Thread.sleep(10);
            }
        }

        assertThat(attacher.detach(attached)).isEqualTo(new Answer.Given<>(true));
        try (Stream<Path> left = Files.list(rendezvous)) {
            assertThat(left.map(file -> file.getFileName().toString())).containsExactly("audit.log");
        }
        assertThat(training.isAlive()).isTrue();
        assertThat(listed().reach()).isEqualTo(Reach.ATTACH);
    }

    @Test
    void one_that_sees_other_mounts_leaves_its_files_in_a_folder_of_its_own() throws Exception {
        attachAcrossMounts("mount -t tmpfs none /tmp", Path.of("/tmp"));
    }

    /** Killed for a socket, which attaching would make there. */
    @Test
    void one_that_a_filter_of_its_own_may_kill_is_listed_as_that_and_left_alone() throws Exception {
        String filter = String.join(
                "\n",
                "import ctypes, os, struct",
                "number = {'x86_64': 41, 'aarch64': 198}[os.uname().machine]",
                "steps = ((0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x80000000), (0x06, 0, 0, 0x7fff0000))",
                "code = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *step) for step in steps))",
                "program = ctypes.create_string_buffer(struct.pack('HxxxxxxQ', len(steps), ctypes.addressof(code)))",
                "libc = ctypes.CDLL(None)",
                "assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0");
        training.destroyForcibly();
        training =
                start(TorchPython.find().orElseThrow().toString(), "-c", "import torch\n" + filter + "\n" + TRAINING);

        assertThat(listed().found().flatMap(FoundProcess::obstacle)).contains(Obstacle.of(Kind.SECCOMP));
        assertThat(attacher.attach(found(), since -> {})).isEqualTo(new Outcome.Refused(Obstacle.of(Kind.SECCOMP)));
        Thread.sleep(500);
        assertThat(training.isAlive()).isTrue();
    }

    @Test
    void a_folder_without_room_is_told_at_once_and_the_training_goes_on() throws Exception {
        assumeTrue(new LinuxProcesses().ownUid() == 0, "only root makes a small file system");
        Files.createDirectory(
                rendezvous, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        run("mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "small", rendezvous.toString());
        try {
            assertThat(attacher.attach(found(), since -> {}))
                    .isEqualTo(new Outcome.Refused(Obstacle.of(Kind.NO_SPACE, rendezvous)));
            try (Stream<Path> left = Files.list(rendezvous)) {
                assertThat(left.map(file -> file.getFileName().toString())).containsExactly("audit.log");
            }
            assertThat(training.isAlive()).isTrue();
        } finally {
            run("umount", "-l", rendezvous.toString());
        }
    }

    private static void run(String... words) throws Exception {
        assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
    }

    /** As root's processes in two containers, or in one and beside it. */
    @Test
    void one_that_calls_its_folder_as_this_program_calls_another_is_read_from_its_own() throws Exception {
        int uid = new LinuxProcesses().ownUid();
        Path named = Path.of("/dev/shm", "lacuna-" + Integer.toUnsignedString(uid));
        assumeTrue(Files.isWritable(named.getParent()) && Files.notExists(named), "the folder's name is taken");
        meetAt(named);
        try {
            attachAcrossMounts("mount -t tmpfs -o ro none /tmp && mount -t tmpfs none /dev/shm", named.getParent());
        } finally {
            for (File left : named.toFile().listFiles()) {
                Files.delete(left.toPath());
            }
            Files.delete(named);
        }
    }

    private void attachAcrossMounts(String mounts, Path its) throws Exception {
        assumeTrue(new LinuxProcesses().ownUid() == 0, "only root gives a process mounts of its own");
        training.destroyForcibly();
        String python = TorchPython.find().orElseThrow().toString();
        training = start("unshare", "--mount", "sh", "-c", mounts + " && exec \"$0\" \"$@\"", python, "-c", TRAINING);
        assertThat(found().container()).isPresent();

        TrainingProcess attached = attach();
        Path root = Path.of("/proc", Long.toString(training.pid()), "root");
        assertThat(attached.telemetry()).startsWithRaw(root.resolve(Path.of("/").relativize(its)));
        assertThat(listed().reach()).isEqualTo(Reach.ATTACHED);
        try (AttachedProcess opened = processes.attach(training.pid())) {
            awaitDevice(opened);
            assertThat(opened.stock().orElseThrow().facts()).isInstanceOf(Answer.Given.class);
        }
        assertThat(attacher.detach(attached)).isEqualTo(new Answer.Given<>(true));
        assertThat(training.isAlive()).isTrue();

        training.destroyForcibly();
        training.onExit().get();
        processes.living();
        try (Stream<Path> left = Files.list(rendezvous)) {
            assertThat(left.map(file -> file.getFileName().toString())).containsExactly("audit.log");
        }
    }

    @Test
    void is_taken_over_on_the_host_switched_left_and_trains_on() throws Exception {
        Answer<TrainingProcess> opened = new FrontDoor(processes).open(attach(), line -> {});
        assertThat(opened).isInstanceOf(Answer.Given.class);
        TrainingProcess agent = ((Answer.Given<TrainingProcess>) opened).value();
        try (AttachedProcess process = processes.open(agent)) {
            assertThat(process.canBeLeft()).isTrue();
            assertThat(process.apply(Change.optimisation(true))).isInstanceOf(Reply.Applied.class);
        }
        assertThat(attacher.detach(agent)).isEqualTo(new Answer.Given<>(true));
        try (Stream<Path> left = Files.list(rendezvous)) {
            assertThat(left.map(file -> file.getFileName().toString())).containsExactly("audit.log");
        }
        assertThat(training.isAlive()).isTrue();
        assertThat(listed().reach()).isEqualTo(Reach.ATTACH);
    }

    @Test
    void can_be_attached_again_and_is_one_row_meanwhile() throws Exception {
        attacher.detach(attach());
        TrainingProcess again = attach();
        assertThat(attach()).isEqualTo(again);
        assertThat(machine.list().stream()
                        .filter(listed -> listed.training()
                                .filter(process -> process.pid() == training.pid())
                                .isPresent()))
                .hasSize(1);
    }

    private TrainingProcess attach() throws Exception {
        Outcome outcome = attacher.attach(found(), since -> {});
        assertThat(outcome).isInstanceOf(Outcome.Attached.class);
        return ((Outcome.Attached) outcome).process();
    }

    private FoundProcess found() throws Exception {
        return machine.look(training.pid());
    }

    private ListedProcess listed() throws Exception {
        return machine.list().stream()
                .filter(listed -> listed.found()
                        .filter(found -> found.pid() == training.pid())
                        .isPresent())
                .findFirst()
                .orElseThrow();
    }

    private static Sample awaitDevice(AttachedProcess process) throws Exception {
        Sample sample = process.sample();
        while (sample.devices().isEmpty()) {
            Thread.sleep(10);
            sample = process.sample();
        }
        return sample;
    }
}

package dev.lacuna.bridge.find;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.Framework;
import dev.lacuna.bridge.ListedProcess;
import dev.lacuna.bridge.Obstacle;
import dev.lacuna.bridge.Obstacle.Kind;
import dev.lacuna.bridge.ProcessRecording;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.bridge.device.DeviceFacts;
import dev.lacuna.bridge.device.DeviceHolder;
import dev.lacuna.bridge.graft.Graft;
import dev.lacuna.bridge.graft.GraftCode;
import dev.lacuna.bridge.graft.GraftReport;
import dev.lacuna.bridge.graft.MeetingFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessSearchTest {
    private static final String PYTHON = "/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0";
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path folder;

    private FakeProc proc;
    private Path site;
    private long nowNs;
    private GraftReport answer = report(GraftCode.OK, 0);
    private final List<DeviceFacts> devices = new ArrayList<>();

    @BeforeEach
    void begin() throws Exception {
        proc = new FakeProc(Files.createDirectory(folder.resolve("proc")));
        site = Files.createDirectories(folder.resolve("site-packages"));
        Files.createDirectories(site.resolve("torch/lib"));
        Files.writeString(
                site.resolve("torch/version.py"),
                "from typing import Optional\n\n__version__ = '2.14.1+cu130'\ndebug = False\n");
    }

    @AfterEach
    void end() throws Exception {
        proc.close();
    }

    @Test
    void a_python_with_pytorch_loaded_is_found_with_its_versions() throws Exception {
        trainer(42);
        proc.process(43, "bash", FakeProc.maps("/usr/bin/bash"));
        FoundProcess found = only();
        assertThat(found.pid()).isEqualTo(42);
        assertThat(found.framework().map(Framework::toString)).hasValue("torch 2.14.1");
        assertThat(found.python()).hasValue("3.11");
        assertThat(found.command()).isEqualTo("python3 train.py");
        assertThat(found.startedAt())
                .isEqualTo(Instant.ofEpochSecond(1700000007).plusMillis(770));
        assertThat(found.obstacle()).isEmpty();
    }

    @Test
    void where_no_version_file_is_the_folder_of_the_distribution_tells() throws Exception {
        Files.createDirectories(site.resolve("mindspore/lib"));
        Files.createDirectories(site.resolve("mindspore-2.7.0.dist-info"));
        proc.process(
                42,
                "python3",
                FakeProc.maps(PYTHON, site + "/mindspore/_c_expression.cpython-311-x86_64-linux-gnu.so"));
        assertThat(only().framework().map(Framework::toString)).hasValue("mindspore 2.7.0");
    }

    @Test
    void torch_npu_is_meant_before_the_torch_that_it_stands_on() throws Exception {
        proc.process(
                42,
                "python3",
                FakeProc.maps(PYTHON, site + "/torch/lib/libtorch_cpu.so", site + "/torch_npu/lib/libtorch_npu.so"));
        assertThat(only().frameworks()).extracting(Framework::name).containsExactly("torch_npu", "torch");
    }

    @Test
    void jax_is_shown_and_cannot_be_attached() throws Exception {
        proc.process(42, "python3", FakeProc.maps(PYTHON, site + "/jaxlib/libjax_common.so"));
        assertThat(only().obstacle().map(Obstacle::kind)).hasValue(Kind.FRAMEWORK);
    }

    @Test
    void a_framework_that_is_imported_later_is_found_when_it_is_there() throws Exception {
        FakeProc.Process process = proc.process(42, "python3", FakeProc.maps(PYTHON));
        ProcessSearch search = search();
        assertThat(search.all()).isEmpty();
        process.write("maps", FakeProc.maps(PYTHON, site + "/torch/lib/libtorch_cpu.so"));
        nowNs += 3 * SECOND;
        assertThat(search.all()).hasSize(1);
    }

    @Test
    void what_is_no_python_is_read_once() throws Exception {
        FakeProc.Process process = proc.process(42, "bash", FakeProc.maps("/usr/bin/bash"));
        ProcessSearch search = search();
        search.all();
        process.write("maps", FakeProc.maps(PYTHON, site + "/torch/lib/libtorch_cpu.so"));
        nowNs += 3600 * SECOND;
        assertThat(search.all()).isEmpty();
    }

    @Test
    void a_shell_that_becomes_a_python_is_read_again_at_once() throws Exception {
        FakeProc.Process process = proc.process(42, "bash", FakeProc.maps("/usr/bin/bash"));
        ProcessSearch search = search();
        search.all();
        process.is("python3");
        process.write("maps", FakeProc.maps(PYTHON, site + "/torch/lib/libtorch_cpu.so"));
        assertThat(search.all()).hasSize(1);
    }

    @Test
    void one_that_is_gone_is_not_listed_any_more() throws Exception {
        FakeProc.Process process = trainer(42);
        ProcessSearch search = search();
        assertThat(search.all()).hasSize(1);
        process.goes();
        assertThat(search.all()).isEmpty();
    }

    @Test
    void another_user_s_is_named_with_the_command_that_attaches_as_that_user() throws Exception {
        trainer(42).write("status", "Name:\tpython3\nUid:\t4242\t4242\t4242\t4242\n");
        Obstacle obstacle = only().obstacle().orElseThrow();
        assertThat(obstacle.kind()).isEqualTo(Kind.OTHER_USER);
        assertThat(obstacle.text(Locale.ENGLISH)).contains("sudo -u 4242").contains("attach 42");
    }

    @Test
    void of_a_process_that_may_not_be_read_the_driver_s_word_is_listed() throws Exception {
        FakeProc.Process process = trainer(42).write("status", "Name:\tpython3\nUid:\t4242\t4242\t4242\t4242\n");
        Files.delete(process.folder().resolve("maps"));
        devices.add(new DeviceFacts(3, "GPU", 80L << 30, 0, List.of(new DeviceHolder(42, OptionalLong.of(5L << 30)))));
        FoundProcess found = only();
        assertThat(found.frameworks()).isEmpty();
        assertThat(found.devices())
                .containsExactly(new FoundProcess.UsedDevice(
                        "cuda", OptionalInt.of(3), OptionalLong.of(5L << 30), OptionalLong.of(80L << 30)));
    }

    @Test
    void rank_and_launcher_are_read_from_the_environment() throws Exception {
        trainer(42).write("environ", "RANK=3\0WORLD_SIZE=8\0TORCHELASTIC_RUN_ID=none\0");
        FoundProcess.Job job = only().job();
        assertThat(job).isEqualTo(new FoundProcess.Job(OptionalInt.of(3), OptionalInt.of(8), Optional.of("torchrun")));
    }

    @Test
    void what_was_forked_from_another_is_told_to_be_its_child() throws Exception {
        trainer(42).childOf(1, 7000);
        trainer(43).childOf(42, 7000);
        trainer(44).childOf(43, 7000);
        assertThat(childrenOf(search())).isEqualTo(Map.of(43L, 42L, 44L, 42L));
    }

    @Test
    void ranks_that_a_launcher_has_started_stand_for_themselves() throws Exception {
        trainer(42).childOf(1, 7000);
        trainer(43).childOf(42, 8000);
        trainer(44).childOf(42, 0);
        trainer(45).childOf(44, 0);
        assertThat(childrenOf(search())).isEmpty();
    }

    @Test
    void what_multiprocessing_starts_is_told_to_be_a_child_of_the_training() throws Exception {
        runs(trainer(42).childOf(1, 7000), "/nowhere/python3.11", "python3 train.py");
        runs(
                trainer(43).childOf(42, 8000),
                "/nowhere/python3.11",
                "python3 -c from multiprocessing.spawn import spawn_main");
        runs(
                proc.process(44, "python3", FakeProc.maps(PYTHON)).childOf(42, 9000),
                "/nowhere/python3.11",
                "python3 -c from multiprocessing.forkserver import main");
        runs(
                trainer(45).childOf(44, 9000),
                "/nowhere/python3.11",
                "python3 -c from multiprocessing.forkserver import main");
        assertThat(childrenOf(search())).isEqualTo(Map.of(43L, 42L, 45L, 42L));
    }

    @Test
    void one_whose_training_has_ended_is_nobody_s_child() throws Exception {
        runs(proc.process(1, "init", FakeProc.maps("/sbin/init")).childOf(0, 6000), "/nowhere/init", "init");
        runs(
                trainer(43).childOf(1, 8000),
                "/nowhere/python3.11",
                "python3 -c from multiprocessing.spawn import spawn_main");
        assertThat(childrenOf(search())).isEmpty();
    }

    @Test
    void what_was_split_off_stands_behind_every_training_prepared_or_not() throws Exception {
        trainer(41).childOf(1, 6000);
        trainer(42).childOf(1, 7000);
        trainer(43).childOf(42, 7000);
        trainer(44).childOf(41, 6000);
        EveryProcess every = new EveryProcess(new Prepared(List.of(prepared(43), prepared(42))), search());
        assertThat(every.list())
                .extracting(listed -> listed.found().orElseThrow().pid())
                .containsExactly(42L, 41L, 43L, 44L);
        assertThat(every.list())
                .extracting(ListedProcess::childOf)
                .containsExactly(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.of(42), OptionalLong.of(41));
    }

    private static TrainingProcess prepared(long pid) {
        return new TrainingProcess(
                pid,
                FakeProc.Process.START,
                Instant.EPOCH,
                "python3 train.py",
                List.of(),
                true,
                ProcessState.RUNNING,
                Path.of("telemetry"));
    }

    /** Those that carry an agent. */
    private record Prepared(List<TrainingProcess> living) implements TrainingProcesses {
        @Override
        public List<TrainingProcess> blackBoxes() {
            return List.of();
        }

        @Override
        public AttachedProcess attach(long pid) {
            throw new UnsupportedOperationException("lists only");
        }

        @Override
        public AttachedProcess open(TrainingProcess process) {
            throw new UnsupportedOperationException("lists only");
        }

        @Override
        public ProcessRecording record(TrainingProcess process, Path target) {
            throw new UnsupportedOperationException("lists only");
        }
    }

    private static void runs(FakeProc.Process process, String program, String command) throws Exception {
        process.write("cmdline", command.replace(' ', '\0') + "\0");
        Files.createSymbolicLink(process.folder().resolve("exe"), Path.of(program));
    }

    private static Map<Long, Long> childrenOf(ProcessSearch search) {
        return search.all().stream()
                .filter(found -> found.childOf().isPresent())
                .collect(Collectors.toMap(
                        FoundProcess::pid, found -> found.childOf().getAsLong()));
    }

    @Test
    void devices_that_it_may_see_are_those_that_it_is_said_to_use() throws Exception {
        proc.process(
                        42,
                        "python3",
                        FakeProc.maps(PYTHON, site + "/torch/lib/libtorch_cpu.so", "/usr/lib/libcuda.so.580"))
                .write("environ", "CUDA_VISIBLE_DEVICES=2,5\0");
        assertThat(only().devices())
                .extracting(device -> device.index().orElse(-1))
                .containsExactly(2, 5);
    }

    @Test
    void a_container_is_named_by_its_runtime_and_the_beginning_of_its_id() throws Exception {
        FakeProc.Process process = trainer(42);
        Files.delete(process.folder().resolve("ns/mnt"));
        Files.createSymbolicLink(process.folder().resolve("ns/mnt"), Path.of("mnt:[200]"));
        process.write("cgroup", "0::/system.slice/docker-" + "0123456789abcdef".repeat(4) + ".scope\n");
        assertThat(only().container()).hasValue("docker 0123456789ab");
    }

    @Test
    void a_container_that_shares_no_folder_cannot_be_attached_and_is_told_how() throws Exception {
        trainer(42).root(Files.createDirectory(folder.resolve("other-root")));
        Obstacle obstacle = only().obstacle().orElseThrow();
        assertThat(obstacle.kind()).isEqualTo(Kind.CONTAINER);
        assertThat(obstacle.text(Locale.ENGLISH)).contains("docker run -v " + folder);
    }

    @Test
    void a_container_with_a_folder_of_its_own_can_be_attached() throws Exception {
        trainer(42).root(Files.createDirectory(folder.resolve("other-root")));
        Files.createDirectory(folder.resolve("other-root/tmp"));
        assertThat(only().obstacle()).isEmpty();
    }

    @Test
    void yama_is_told_from_a_container_without_the_capability() throws Exception {
        trainer(42);
        answer = report(GraftCode.NOT_PERMITTED, 0);
        assertThat(only().obstacle().map(Obstacle::kind)).hasValue(Kind.CAPABILITY);
        Files.createDirectories(proc.root().resolve("sys/kernel/yama"));
        Files.writeString(proc.root().resolve("sys/kernel/yama/ptrace_scope"), "1\n");
        assertThat(only().obstacle().orElseThrow().text(Locale.ENGLISH)).contains("sysctl -w kernel.yama");
    }

    @Test
    void a_tracer_is_named() throws Exception {
        trainer(42);
        proc.process(99, "gdb", FakeProc.maps("/usr/bin/gdb")).write("comm", "gdb\n");
        answer = report(GraftCode.TRACED, 99);
        assertThat(only().obstacle().orElseThrow().arguments()).containsExactly("99", "gdb");
    }

    @Test
    void every_obstacle_has_its_sentence_in_both_languages() {
        for (Kind kind : Kind.values()) {
            Obstacle obstacle = Obstacle.of(kind, "a", "b");
            assertThat(obstacle.text(Locale.ENGLISH)).doesNotContain("{").isNotBlank();
            assertThat(obstacle.text(Locale.SIMPLIFIED_CHINESE))
                    .doesNotContain("{")
                    .isNotEqualTo(obstacle.text(Locale.ENGLISH));
        }
    }

    @Test
    void a_process_that_carries_the_agent_is_not_attached() throws Exception {
        String preload = "/opt/lacuna/$LIB/liblacuna_torch.so";
        FakeProc.Process process = withAgent(42).write("environ", "HOME=/root\0LD_PRELOAD=" + preload + "\0");
        assertThat(only().obstacle().map(Obstacle::kind)).hasValue(Kind.PREPARED);
        process.write("environ", "HOME=/root\0LACUNA_TELEMETRY=off\0");
        assertThat(only().obstacle().map(Obstacle::kind)).hasValue(Kind.PREPARED);
        process.write("environ", "a title");
        assertThat(only().obstacle().map(Obstacle::kind)).as("overwritten").hasValue(Kind.PREPARED);
    }

    @Test
    void a_process_that_an_agent_has_left_can_be_attached_again() throws Exception {
        withAgent(42).write("environ", "HOME=/root\0LD_PRELOAD=/usr/lib/libjemalloc.so\0");
        assertThat(only().obstacle()).isEmpty();
    }

    @Test
    void one_that_is_stopped_is_listed_as_that() throws Exception {
        trainer(42);
        answer = report(GraftCode.STOPPED, 0);
        assertThat(ListedProcess.of(only()).state()).isEqualTo(ProcessState.STOPPED);
        answer = report(GraftCode.TRACED, 99);
        assertThat(ListedProcess.of(only()).state()).isEqualTo(ProcessState.RUNNING);
    }

    private FakeProc.Process withAgent(long pid) throws Exception {
        return proc.process(
                pid,
                "python3",
                FakeProc.maps(PYTHON, site + "/torch/lib/libtorch_cpu.so", "/opt/lacuna/lib/liblacuna_torch.so"));
    }

    @Test
    void one_that_is_asked_for_and_is_not_there_is_gone() {
        assertThatThrownBy(() -> search().one(42))
                .isInstanceOf(BridgeException.class)
                .hasMessageContaining("42");
    }

    private FakeProc.Process trainer(long pid) throws Exception {
        return proc.process(
                pid, "python3", FakeProc.maps("/usr/bin/python3.11", PYTHON, site + "/torch/lib/libtorch_cpu.so"));
    }

    private FoundProcess only() {
        List<FoundProcess> all = search().all();
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private ProcessSearch search() {
        DeviceUse use = new DeviceUse(Map.of("cuda", () -> devices), true);
        Graft graft = new Graft() {
            @Override
            public GraftReport look(long pid) {
                return answer;
            }

            @Override
            public GraftReport run(long pid, long startTicks, byte[] text, String refused) {
                throw new AssertionError("a search touches nothing");
            }
        };
        ProcessFacts facts =
                new ProcessFacts(proc.root(), FakeProc.UID, graft, new MeetingFolder(folder), use, () -> nowNs);
        return new ProcessSearch(proc.root(), facts, () -> nowNs);
    }

    private static GraftReport report(GraftCode code, int detail) {
        return new GraftReport(code, Optional.of("3.11"), detail, FakeProc.Process.START, 0, "");
    }
}

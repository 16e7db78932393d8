package dev.lacuna.bridge.graft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.Attacher.Outcome;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.Framework;
import dev.lacuna.bridge.Obstacle;
import dev.lacuna.bridge.Obstacle.Kind;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalAttacherTest {
    private static final Duration SHORT = Duration.ofMillis(1200);

    @TempDir
    private Path folder;

    private Path rendezvous;
    private ProcessHandle target;
    private final List<String> texts = new ArrayList<>();
    private final List<String> links = new ArrayList<>();
    private String lastWord = "";
    private GraftCode answer = GraftCode.OK;

    @BeforeEach
    void begin() throws Exception {
        rendezvous = folder.resolve("rendezvous");
        Files.writeString(folder.resolve("order.txt"), "only\n");
        Files.writeString(folder.resolve("only.py"), "pass\n");
        Process shell = new ProcessBuilder("sh", "-c", "sleep 60 >/dev/null & echo $!").start();
        target = ProcessHandle.of(Long.parseLong(shell.inputReader().readLine().strip()))
                .orElseThrow();
        shell.waitFor();
    }

    @AfterEach
    void end() throws Exception {
        target.destroyForcibly();
    }

    @Test
    void a_child_of_this_program_is_left_alone_because_tracing_it_looks_like_its_end() throws Exception {
        Process child = new ProcessBuilder("sleep", "60").start();
        target = child.toHandle();
        assertThat(attach(found(Optional.empty())))
                .isEqualTo(new Outcome.Refused(Obstacle.of(Kind.OWN_CHILD, target.pid())));
        assertThat(texts).isEmpty();
    }

    @Test
    void a_process_with_an_obstacle_is_not_touched() throws Exception {
        Obstacle why = Obstacle.of(Kind.TRACED, 99, "gdb");
        assertThat(attach(found(Optional.of(why)))).isEqualTo(new Outcome.Refused(why));
        assertThat(texts).isEmpty();
    }

    @Test
    void what_the_library_refuses_is_said_in_the_program_s_words_and_audited() throws Exception {
        Files.createDirectory(
                rendezvous, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        answer = GraftCode.SECCOMP;
        assertThat(attach(found(Optional.empty()))).isEqualTo(new Outcome.Refused(Obstacle.of(Kind.SECCOMP)));
        assertThat(Files.readString(rendezvous.resolve("audit.log")))
                .contains(" pid=" + target.pid() + " ", " by=test ", " result=seccomp ", "asked=\"attach\"");
    }

    @Test
    void the_text_names_the_folder_which_is_made_private_where_it_is_not_there() throws Exception {
        attach(found(Optional.empty()));
        assertThat(texts).hasSize(1);
        assertThat(texts.get(0))
                .contains("\"directory\": \"" + rendezvous + "\"")
                .endsWith("\npass\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(rendezvous)))
                .isEqualTo("rwx------");
    }

    @Test
    void one_that_does_not_come_by_is_told_of_as_waiting() throws Exception {
        List<Duration> told = new ArrayList<>();
        Outcome outcome = attacher().attach(found(Optional.empty()), told::add);
        assertThat(((Outcome.Refused) outcome).why().kind()).isEqualTo(Kind.WAITING);
        assertThat(told).hasSize(1);
    }

    @Test
    void what_could_not_begin_says_why_at_once_and_its_word_is_removed() throws Exception {
        lastWord = "ENOSPC [Errno 28] No space left on device";
        long began = System.nanoTime();
        List<Duration> told = new ArrayList<>();
        assertThat(attacher().attach(found(Optional.empty()), told::add))
                .isEqualTo(new Outcome.Refused(Obstacle.of(Kind.NO_SPACE, rendezvous)));
        assertThat(System.nanoTime() - began).isLessThan(SHORT.toNanos());
        assertThat(told).isEmpty();
        assertThat(links).containsExactly(link().toString());
        assertThat(texts.get(0)).contains("\"refused\": \"" + link() + "\"");
        assertThat(Files.isSymbolicLink(link())).isFalse();
        assertThat(Files.readString(rendezvous.resolve("audit.log"))).contains(" result=no-space ");
    }

    @Test
    void each_reason_has_its_sentence_and_none_that_is_not_known_is_guessed() throws Exception {
        String denied = "[Errno 1] Operation not permitted";
        assertThat(refusedWith("EPERM " + denied)).isEqualTo(Obstacle.of(Kind.FORBIDDEN, denied));
        assertThat(refusedWith("EAGAIN no thread can be started")).isEqualTo(Obstacle.of(Kind.NO_THREAD));
        assertThat(refusedWith("RuntimeError can't start new thread")).isEqualTo(Obstacle.of(Kind.NO_THREAD));
        assertThat(refusedWith("NotHere it\nhas one")).isEqualTo(Obstacle.of(Kind.UNABLE, "it?has one"));
        assertThat(refusedWith("nonsense")).isEqualTo(Obstacle.of(Kind.UNABLE, "nonsense"));
    }

    @Test
    void a_word_of_an_earlier_time_is_not_taken_for_an_answer() throws Exception {
        Files.createDirectory(
                rendezvous, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createSymbolicLink(link(), Path.of("ENOSPC long ago"));
        assertThat(((Outcome.Refused) attach(found(Optional.empty()))).why().kind())
                .isEqualTo(Kind.WAITING);
    }

    @Test
    void one_that_ends_meanwhile_is_gone() throws Exception {
        FoundProcess found = found(Optional.empty());
        end();
        while (target.isAlive()) {
            Thread.sleep(5);
        }
        assertThat(attach(found)).isEqualTo(new Outcome.Refused(Obstacle.of(Kind.GONE, found.pid())));
    }

    private Obstacle refusedWith(String word) throws Exception {
        lastWord = word;
        return ((Outcome.Refused) attach(found(Optional.empty()))).why();
    }

    private Path link() {
        long start = new LinuxProcesses().startTicks(target.pid()).orElseThrow();
        return rendezvous.resolve("lacuna-graft-" + target.pid() + "-" + start + ".refused");
    }

    private void leave(String refused) throws BridgeException {
        try {
            if (!lastWord.isEmpty()) {
                Files.createSymbolicLink(Path.of(refused), Path.of(lastWord));
            }
        } catch (IOException e) {
            throw new BridgeException(BridgeException.Reason.SYSTEM, "no link: " + e, e);
        }
    }

    private Outcome attach(FoundProcess process) throws Exception {
        return attacher().attach(process, since -> {});
    }

    private LocalAttacher attacher() throws Exception {
        Graft graft = new Graft() {
            @Override
            public GraftReport look(long pid) {
                throw new AssertionError("who was looked at is looked at no more");
            }

            @Override
            public GraftReport run(long pid, long startTicks, byte[] text, String refused) throws BridgeException {
                texts.add(new String(text, StandardCharsets.UTF_8));
                links.add(refused);
                leave(refused);
                return new GraftReport(answer, Optional.of("3.11"), 0, startTicks, 1000, "");
            }
        };
        return new LocalAttacher(
                new LocalTrainingProcesses(rendezvous, "test"),
                graft,
                () -> folder,
                new LocalAttacher.Settings("test", 0, SHORT));
    }

    private FoundProcess found(Optional<Obstacle> obstacle) {
        return new FoundProcess(
                target.pid(),
                new LinuxProcesses().startTicks(target.pid()).orElseThrow(),
                Instant.EPOCH,
                "python3 train.py",
                "me",
                List.of(new Framework("torch", Optional.of("2.14.1"), true)),
                Optional.of("3.11"),
                List.of(),
                FoundProcess.Job.NONE,
                OptionalLong.empty(),
                Optional.empty(),
                obstacle);
    }
}

package dev.lacuna.ui.places.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.SafeBasis;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeLogFiles;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.places.diagnose.DiagnoseViewModel.State;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Notice;
import dev.lacuna.ui.window.NoticeBoard;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DiagnoseViewModelTest {
    private static final String EXAMPLE = Texts.of("diagnose").get("example");

    /** A line that a run with collectives prints: only there is a fraction of use to what lies outside the pool. */
    private static final String A_COLLECTIVE_RUNS = "export HCCL_BUFFSIZE=200\n";

    private static final String CAPACITY =
            "RuntimeError: CUDA out of memory. Tried to allocate 4.00 GiB (GPU 1; 8.00 GiB total capacity; 7.00 GiB already"
                    + " allocated; 0.10 GiB free; 7.20 GiB reserved in total by PyTorch)";

    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final FakeProcesses machine = new FakeProcesses();
    private final Session session =
            new Session(machine, executor, Runnable::run, p -> CompletableFuture.completedFuture(true));
    private final UiSettings settings = new UiSettings(StoredSettings.DEFAULTS);
    private final NoticeBoard notices = new NoticeBoard(executor);
    private final FakeLogFiles files = new FakeLogFiles();
    private final DiagnoseViewModel model =
            new DiagnoseViewModel(session, settings, executor, Runnable::run, notices, files);

    @BeforeEach
    @AfterEach
    void speak_english() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
    }

    private VerdictWords verdict() {
        return model.verdictProperty().get().orElseThrow();
    }

    private RemedyWords remedy(String id) {
        return verdict().remedies().stream()
                .filter(r -> r.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void calls_the_example_fragmentation_of_2_73_GiB_over_the_1_GiB_rule() {
        model.diagnose("pasted text", EXAMPLE);
        assertThat(model.stateProperty().get()).isEqualTo(State.VERDICT);
        assertThat(verdict().cause()).isEqualTo("fragmentation");
        assertThat(verdict().headline()).contains("2.73 GiB");
        assertThat(verdict().needed())
                .isEqualTo(
                        "Needed: 3.30 GiB in one piece. Free 1.59 GiB + gap 2.73 GiB = 4.32 GiB: it would have fitted.");
        assertThat(verdict().findings())
                .filteredOn(f -> f.id().equals("one-gib-rule"))
                .singleElement()
                .satisfies(rule -> {
                    assertThat(rule.grave()).isTrue();
                    assertThat(rule.sentence()).contains("2.73 GiB", "1.00 GiB");
                    assertThat(rule.figures()).extracting(FigureWords::exact).allMatch(exact -> exact.endsWith(" B"));
                });
        assertThat(verdict().remedies())
                .anySatisfy(remedy -> assertThat(remedy.change()).contains(Change.optimisation(true)));
    }

    @Test
    void asks_for_the_threshold_that_the_operator_chose() {
        model.diagnose("pasted text", EXAMPLE);
        settings.gapThresholdBytesProperty().set(3L << 30);
        assertThat(verdict().findings())
                .filteredOn(f -> f.id().equals("one-gib-rule"))
                .singleElement()
                .satisfies(rule -> assertThat(rule.grave()).isFalse());
    }

    @Test
    void speaks_another_language_without_reading_again() {
        model.diagnose("pasted text", EXAMPLE);
        Texts.languageProperty().set(Language.CHINESE);
        assertThat(verdict().needed()).startsWith("所需");
        assertThat(verdict().headline()).contains("2.73 GiB").doesNotContain("pool");
    }

    @Test
    void lists_every_report_of_a_log_and_shows_the_one_that_is_chosen() {
        model.diagnose("pasted text", EXAMPLE + "\n[step 12] loss 3.1\n".repeat(40) + CAPACITY + "\n");
        assertThat(model.cases())
                .extracting(c -> c.diagnosis().cause().id())
                .containsExactly("fragmentation", "capacity");
        assertThat(verdict().cause()).isEqualTo("fragmentation");
        model.selectedProperty().set(java.util.Optional.of(model.cases().get(1)));
        assertThat(verdict().cause()).isEqualTo("capacity");
        settings.gapThresholdBytesProperty().set(2L << 30);
        assertThat(verdict().cause()).as("the same report stays in front").isEqualTo("capacity");
    }

    @Test
    void says_when_a_log_holds_no_report() {
        model.diagnose("pasted text", "step 1 loss 3.2\nstep 2 loss 3.1\n");
        assertThat(model.stateProperty().get()).isEqualTo(State.NOTHING_FOUND);
        assertThat(model.verdictProperty().get()).isEmpty();
    }

    @Test
    void reads_packed_files_and_whole_folders_and_remembers_them() throws Exception {
        files.with("/logs/rank0.log.gz", gzip(EXAMPLE)).with("/logs/rank1.log", CAPACITY);
        model.open(List.of("/logs/"));
        assertThat(model.cases())
                .extracting(LogCase::sourceName)
                .containsExactly("/logs/rank0.log.gz", "/logs/rank1.log");
        assertThat(settings.recentFiles()).containsExactly("/logs/");
    }

    @Test
    void does_not_let_one_bad_file_hide_what_the_others_say() {
        files.with("/a.log", EXAMPLE);
        model.open(List.of("/a.log", "/missing.log"));
        assertThat(model.cases()).hasSize(1);
        assertThat(notices.notices())
                .singleElement()
                .satisfies(notice -> assertThat(notice.detail()).contains("/missing.log"));
    }

    @Test
    void keeps_the_verdict_that_stands_when_the_next_file_cannot_be_read() {
        model.diagnose("pasted text", EXAMPLE);
        model.open(List.of("/missing.log"));
        assertThat(model.stateProperty().get()).isEqualTo(State.VERDICT);
        assertThat(notices.notices())
                .singleElement()
                .satisfies(notice -> assertThat(notice.kind()).isEqualTo(Notice.Kind.FAILED));
        assertThat(model.sourceProperty().get()).isEqualTo("pasted text");
        assertThat(model.recentFiles()).isEmpty();
    }

    @Test
    void says_in_the_language_of_the_window_why_a_file_cannot_be_read() {
        Texts.languageProperty().set(Language.CHINESE);
        model.open(List.of("/missing.log"));
        assertThat(notices.notices())
                .singleElement()
                .satisfies(notice -> assertThat(notice.detail()).startsWith("/missing.log: 文件已不存在"));
        assertThat(model.sourceProperty().get()).isEmpty();
    }

    @Test
    void gives_up_on_a_log_when_it_is_told_to() {
        executor.hold();
        model.diagnose("pasted text", EXAMPLE);
        model.cancel();
        executor.release();
        assertThat(model.stateProperty().get()).isEqualTo(State.WAITING);
        assertThat(model.cases()).isEmpty();
    }

    @Test
    void shows_the_log_that_was_given_last() {
        executor.hold();
        model.diagnose("first", EXAMPLE);
        model.diagnose("second", CAPACITY);
        executor.release();
        assertThat(verdict().cause()).isEqualTo("capacity");
        assertThat(model.sourceProperty().get()).isEqualTo("second");
    }

    @Test
    void applies_a_remedy_to_the_attached_process_and_says_so() {
        model.diagnose("pasted text", EXAMPLE);
        assertThat(offer("optimisation-on").possible()).isFalse();
        attachPrinter();
        assertThat(offer("optimisation-on")).isEqualTo(new ApplyOffer("Apply to pid 7", true, ""));
        model.remedies().apply(remedy("optimisation-on"));
        assertThat(machine.of(7).asked()).containsExactly(Change.optimisation(true));
        assertThat(notices.notices())
                .singleElement()
                .satisfies(notice -> assertThat(notice.kind()).isEqualTo(Notice.Kind.DONE));
    }

    @Test
    void offers_nothing_to_a_process_that_cannot_answer_and_says_why() {
        model.diagnose("pasted text", EXAMPLE);
        attachPrinter();
        hear(1, ProcessState.STOPPED);
        assertThat(offer("optimisation-on"))
                .isEqualTo(new ApplyOffer(
                        "Apply to pid 7", false, "Process 7 is stopped by a signal and could not answer."));
        hear(2, ProcessState.GONE);
        assertThat(offer("optimisation-on").reason()).contains("has ended");
        machine.of(7).breakWith(new BridgeException(BridgeException.Reason.UNREADABLE, "torn"));
        assertThat(offer("optimisation-on").possible()).isFalse();
        assertThat(offer("optimisation-on").reason()).contains("cannot be read");
        session.attach(machine.leaveBlackBox(8, "train", EXAMPLE));
        assertThat(offer("optimisation-on").possible()).isFalse();
        assertThat(offer("optimisation-on").reason()).contains("Process 8 has ended");
    }

    @Test
    void offers_nothing_that_changes_nothing() {
        model.diagnose("pasted text", EXAMPLE);
        attachPrinter();
        machine.of(7).counters(Counters.ofADevice().optimisation(true).build());
        hear(1, ProcessState.RUNNING);
        assertThat(offer("optimisation-on"))
                .isEqualTo(new ApplyOffer("", false, "Process 7 has this setting already."));
        machine.of(7).counters(Counters.ofADevice().optimisation(false).build());
        hear(2, ProcessState.RUNNING);
        assertThat(offer("optimisation-on").possible()).isTrue();
    }

    @Test
    void offers_a_fraction_only_to_a_device_of_the_size_that_it_was_computed_for() {
        model.diagnose("pasted text", A_COLLECTIVE_RUNS + EXAMPLE);
        RemedyWords fraction = remedy("fraction");
        long size = verdict().report().totalBytes().orElseThrow();
        double share = fraction.change().orElseThrow().fraction().orElseThrow();
        attachPrinter();
        assertThat(offer("fraction").button()).as("8 GiB are not 61.22 GiB").isEmpty();
        assertThat(offer("fraction").reason()).contains("61.22 GiB", "8.00 GiB");
        machine.of(7).counters(Counters.ofADevice().total(size - size / 25).build());
        hear(1, ProcessState.RUNNING);
        assertThat(offer("fraction").possible()).isTrue();
        machine.of(7).counters(Counters.ofADevice().total(size).fraction(share).build());
        hear(2, ProcessState.RUNNING);
        assertThat(offer("fraction").reason()).contains("already");
    }

    /** Process 7, whose last message is the example. */
    private void attachPrinter() {
        TrainingProcess process = machine.start(7, "train");
        machine.of(7).outOfMemory(EXAMPLE);
        session.attach(process);
    }

    @Test
    void offers_nothing_to_a_process_that_did_not_print_the_log() {
        model.diagnose("pasted text", EXAMPLE);
        session.attach(machine.start(7, "train"));
        assertThat(offer("optimisation-on").button()).isEmpty();
        assertThat(offer("optimisation-on").reason()).contains("does not tell that process 7 printed it");
        machine.of(7).outOfMemory(CAPACITY);
        model.diagnose("pasted text", EXAMPLE);
        assertThat(offer("optimisation-on").possible())
                .as("its last message is another")
                .isFalse();
    }

    /** A sample of process 7; the window takes at most 30 a second. */
    private void hear(long monotonicNs, ProcessState state) {
        machine.of(7).send(monotonicNs, state);
        executor.pass(Duration.ofMillis(100));
    }

    private ApplyOffer offer(String id) {
        return model.remedies().offerOf(remedy(id)).get();
    }

    @Test
    void passes_on_why_the_agent_refused_a_remedy() {
        model.diagnose("pasted text", EXAMPLE);
        attachPrinter();
        machine.of(7).reply(new Reply.Refused("unsupported", "not on this device", OptionalDouble.empty()));
        model.remedies().apply(remedy("optimisation-on"));
        assertThat(notices.notices())
                .singleElement()
                .satisfies(notice -> assertThat(notice.detail()).isEqualTo("not on this device"));
    }

    @Test
    void never_forces_a_remedy_and_tells_the_guards_figures() {
        model.diagnose("pasted text", EXAMPLE);
        attachPrinter();
        GuardFigures figures = new GuardFigures(
                OptionalDouble.of(0.72),
                OptionalLong.of(6L << 30),
                Optional.of(SafeBasis.PEAK_RESERVED),
                OptionalLong.of(1));
        machine.of(7).reply(new Reply.Refused(Reply.WOULD_FAIL, "no", Optional.of(figures)));
        model.remedies().apply(remedy("optimisation-on"));
        assertThat(machine.of(7).asked()).singleElement().matches(change -> !change.force());
        assertThat(notices.notices()).singleElement().satisfies(notice -> {
            assertThat(notice.kind()).isEqualTo(Notice.Kind.FAILED);
            assertThat(notice.detail()).contains("0.7200", "6.00 GiB");
        });
    }

    @Test
    void warns_of_a_remedy_that_does_not_reach_all_it_asked_for() {
        model.diagnose("pasted text", EXAMPLE);
        attachPrinter();
        machine.of(7).reply(new Reply.Applied(true, 1, 8L << 30, Map.of(), Map.of(), 3L << 30));
        model.remedies().apply(remedy("optimisation-on"));
        assertThat(notices.notices()).singleElement().satisfies(notice -> {
            assertThat(notice.kind()).isEqualTo(Notice.Kind.WARNING);
            assertThat(notice.detail()).contains("3.00 GiB");
        });
    }

    @Test
    void tells_that_an_undo_was_refused() {
        model.diagnose("pasted text", EXAMPLE);
        attachPrinter();
        machine.of(7).counters(Counters.ofADevice().build());
        hear(1, ProcessState.RUNNING);
        model.remedies().apply(remedy("optimisation-on"));
        machine.of(7).reply(new Reply.Refused(Reply.WOULD_FAIL, "no", OptionalDouble.of(0.72)));
        model.remedies().undo();
        assertThat(machine.of(7).asked()).hasSize(2).noneMatch(Change::force);
        assertThat(notices.notices())
                .last()
                .matches(notice -> notice.kind() == Notice.Kind.FAILED)
                .matches(notice -> notice.detail().contains("0.7200"));
        assertThat(model.remedies().lastChangeBinding().get()).isPresent();
    }

    @Test
    void offers_no_way_back_of_what_was_set_elsewhere() {
        model.diagnose("pasted text", EXAMPLE);
        attachPrinter();
        machine.of(7).counters(Counters.ofADevice().build());
        hear(1, ProcessState.RUNNING);
        session.apply(Change.fraction(0.9));
        assertThat(model.remedies().lastChangeBinding().get())
                .as("set in Live, of no concern to this log")
                .isEmpty();
        model.remedies().apply(remedy("optimisation-on"));
        assertThat(model.remedies().lastChangeBinding().get()).isPresent();
        session.apply(Change.fraction(0.8));
        assertThat(model.remedies().lastChangeBinding().get())
                .as("what would be taken back is another change")
                .isEmpty();
    }

    @Test
    void writes_a_verdict_that_is_complete_without_the_window() {
        model.diagnose("pasted text", EXAMPLE);
        assertThat(model.markdown().orElseThrow())
                .startsWith("### ")
                .contains(
                        "Tried to allocated 3384.00 MiB",
                        "fragmentation",
                        "1. **",
                        " B)",
                        verdict().needed());
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    @Test
    void says_what_several_reports_tell_together() {
        model.diagnose(
                "pasted text",
                "[rank2]: " + EXAMPLE + "\n[rank5]: "
                        + EXAMPLE.replace("NPU 2", "NPU 5").replace("53.87", "33.87") + "\n");
        assertThat(model.acrossProperty().get())
                .extracting(FindingWords::id)
                .contains("first-to-fail", "imbalance", "same-size");
    }

    @Test
    void keeps_what_was_looked_at_and_goes_back_without_reading_again() {
        model.diagnose("first", EXAMPLE);
        model.diagnose("second", EXAMPLE.replace("NPU 2", "NPU 3"));
        model.diagnose("nothing in it", "loss 1.0");
        assertThat(model.past().list()).extracting(p -> p.source().get()).containsExactly("second", "first");
        model.reopen(model.past().list().get(1));
        assertThat(model.sourceProperty().get()).isEqualTo("first");
        assertThat(verdict().report().device()).hasValue("NPU 2");
        assertThat(model.past().list()).extracting(p -> p.source().get()).containsExactly("first", "second");
    }

    @Test
    void finds_pasted_logs_again_in_the_next_run_and_forgets_them_when_told() {
        String rank = "[rank3]: ";
        model.diagnosePasted(rank + EXAMPLE + ("\n" + rank + "loss 3.1").repeat(4_000));
        model.diagnose("a file", EXAMPLE.replace("NPU 2", "NPU 3"));
        assertThat(settings.keptLogs().list())
                .singleElement()
                .satisfies(kept -> assertThat(kept.text()).hasSizeLessThan(2_000));

        UiSettings next = new UiSettings(settings.stored());
        DiagnoseViewModel later = new DiagnoseViewModel(session, next, executor, Runnable::run, notices, files);
        assertThat(later.past().list()).hasSize(1);
        later.reopen(later.past().list().get(0));
        assertThat(later.cases()).singleElement().satisfies(c -> {
            assertThat(c.diagnosis().report().rank()).hasValue(3);
            assertThat(c.diagnosis().report().device()).hasValue("NPU 2");
        });
        later.past().forget();
        assertThat(later.past().list()).isEmpty();
        assertThat(next.stored().keptLogs()).isEmpty();
    }

    @Test
    void writes_a_page_of_html_that_needs_nothing_else() {
        model.diagnose("<a log>", EXAMPLE + " <script>");
        model.saveHtml("/tmp/report.html");
        assertThat(files.text("/tmp/report.html"))
                .startsWith("<!DOCTYPE html>")
                .contains("2.73 GiB", "&lt;a log&gt;", "<mark title=", "class=\"bar\"")
                .doesNotContain("<script>", "http:", "https:", "src=", "href=");
    }
}

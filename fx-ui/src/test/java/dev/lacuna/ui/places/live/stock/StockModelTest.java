package dev.lacuna.ui.places.live.stock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.StockControl.Categories;
import dev.lacuna.bridge.StockControl.Trial;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.fakes.FakeStockControl;
import dev.lacuna.ui.fakes.FakeTakeOver;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StockModelTest {
    private final FakeProcesses machine = new FakeProcesses();
    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private boolean allowed = true;
    private final Session session =
            new Session(machine, executor, Runnable::run, p -> CompletableFuture.completedFuture(allowed));
    private final List<Path> shown = new ArrayList<>();
    private final FakeTakeOver takeOver = new FakeTakeOver();
    private final StockModel model = new StockModel(
            session,
            Clock.fixed(FakeProcesses.STARTED, ZoneOffset.UTC),
            new StockModel.Ways(takeOver, shown::add),
            executor,
            Runnable::run);

    @BeforeEach
    void speak_english() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
    }

    @Test
    void a_process_with_an_agent_has_nothing_here() {
        session.attach(machine.start(1, "python3 train.py"));
        model.refresh();
        assertThat(model.factsProperty().get()).isEmpty();
    }

    @Test
    void one_that_was_not_prepared_says_what_it_runs() {
        attach();
        assertThat(model.factsProperty().get().orElseThrow().framework()).isEqualTo("torch 2.14.1");
    }

    @Test
    void one_setting_is_changed_and_brought_back() {
        FakeStockControl stock = attach();
        model.change("expandable_segments = True");
        assertThat(stock.asked()).containsExactly("setting expandable_segments=True");
        assertThat(model.settingsProperty().get()).isEqualTo("expandable_segments:True");
        assertThat(model.undoableProperty().get()).isTrue();
        model.undo();
        assertThat(model.settingsProperty().get()).isEmpty();
        assertThat(model.undoableProperty().get()).isFalse();
    }

    @Test
    void what_a_setting_would_do_is_told_before_it_is_set() {
        FakeStockControl stock = attach();
        model.forecast("expandable_segments=True");
        assertThat(stock.asked()).containsExactly("forecast expandable_segments=True");
        assertThat(model.statusProperty().get())
                .startsWith("expandable_segments=True would reserve 640 MiB at its peak instead of 812 MiB");
        assertThat(model.settingsProperty().get()).isEmpty();
        model.forecast("max_split_size_mb=128");
        assertThat(model.statusProperty().get())
                .startsWith("max_split_size_mb=128 would reserve 650 MiB to 670 MiB at its peak where it is set now")
                .contains("instead of 812 MiB", "from the start, 640 MiB");
        model.forecast("nonsense");
        assertThat(stock.asked()).hasSize(2);
    }

    @Test
    void a_change_that_was_taken_back_by_itself_is_told_and_cannot_be_undone() {
        FakeStockControl stock = attach();
        model.change("expandable_segments=True");
        assertThat(model.statusProperty().get()).contains("On trial");
        stock.tried(Trial.SLOWER, "");
        model.refresh();
        assertThat(model.statusProperty().get()).contains("slower");
        assertThat(model.settingsProperty().get()).isEmpty();
        assertThat(model.undoableProperty().get()).isFalse();
    }

    @Test
    void what_is_no_setting_is_not_sent() {
        FakeStockControl stock = attach();
        model.change("expandable_segments");
        assertThat(stock.asked()).isEmpty();
        assertThat(model.statusProperty().get()).contains("expandable_segments=True");
    }

    @Test
    void nothing_is_changed_before_control_is_allowed() {
        allowed = false;
        FakeStockControl stock = attach();
        model.change("expandable_segments=True");
        model.arm(Path.of("/tmp/oom.pickle"));
        assertThat(stock.asked()).isEmpty();
        assertThat(model.armedProperty().get()).isFalse();
    }

    @Test
    void a_refusal_is_shown_and_nothing_else_changes() {
        FakeStockControl stock = attach();
        stock.refuse("not on this version");
        model.arm(Path.of("/tmp/oom.pickle"));
        assertThat(model.statusProperty().get()).contains("not on this version");
        assertThat(model.armedProperty().get()).isFalse();
        assertThat(model.busyProperty().get()).isFalse();
    }

    @Test
    void what_went_back_to_the_device_is_told() {
        attach();
        model.emptyCache(0);
        assertThat(model.statusProperty().get()).contains("1.00 GiB");
    }

    @Test
    void categories_are_asked_for_when_somebody_looks() {
        attach();
        model.refresh();
        assertThat(model.categoriesProperty().get()).hasValue(new Categories(1, 2, 3, 4, 5));
    }

    @Test
    void taken_out_it_is_let_go_of() {
        FakeStockControl stock = attach();
        model.takeOut();
        assertThat(stock.asked()).containsExactly("retract");
        assertThat(session.attachedProperty().get()).isEmpty();
        assertThat(model.factsProperty().get()).isEmpty();
    }

    @Test
    void the_snapshot_of_its_last_out_of_memory_is_shown_when_it_has_ended(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("oom.pickle");
        attach();
        model.arm(file);
        Files.writeString(file, "snapshot");
        machine.of(2).send(50_000_000, ProcessState.GONE);
        executor.pass(Duration.ofMillis(100));
        assertThat(shown).containsExactly(file);
    }

    @Test
    void without_one_nothing_is_shown(@TempDir Path folder) {
        attach();
        model.arm(folder.resolve("oom.pickle"));
        machine.of(2).send(50_000_000, ProcessState.GONE);
        executor.pass(Duration.ofMillis(100));
        assertThat(shown).isEmpty();
    }

    @Test
    void taken_over_it_is_followed_to_its_agent() {
        attach();
        TrainingProcess agent = machine.start(3, "python3 train.py");
        takeOver.comes(agent);
        model.takeOver();
        assertThat(session.attachedProperty().get()).hasValue(agent);
        assertThat(model.factsProperty().get()).isEmpty();
        assertThat(model.busyProperty().get()).isFalse();
    }

    @Test
    void one_that_was_not_taken_over_stays_attached_and_says_why() {
        attach();
        model.takeOver();
        assertThat(session.attachedProperty().get()).map(TrainingProcess::pid).hasValue(2L);
        assertThat(model.statusProperty().get()).contains("no-step", "ended a step");
    }

    private FakeStockControl attach() {
        TrainingProcess process = machine.startStock(2, "python3 train.py");
        session.attach(process);
        model.refresh();
        return machine.of(2).stockControl();
    }
}

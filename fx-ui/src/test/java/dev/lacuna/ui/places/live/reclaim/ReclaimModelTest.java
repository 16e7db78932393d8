package dev.lacuna.ui.places.live.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.Compaction;
import dev.lacuna.bridge.Compaction.State;
import dev.lacuna.bridge.Compaction.Stayed;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReclaimModelTest {
    private final FakeProcesses machine = new FakeProcesses();
    private boolean allowed = true;
    private final Session session = new Session(
            machine, new CurrentThreadTaskExecutor(), Runnable::run, p -> CompletableFuture.completedFuture(allowed));
    private final ReclaimModel model = new ReclaimModel(session);

    @BeforeEach
    void speak_english() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
    }

    @Test
    void one_that_was_not_prepared_has_nothing_here() {
        session.attach(machine.startStock(2, "python3 train.py"));
        assertThat(model.process()).isEmpty();
        assertThat(model.possibleBinding().get()).isFalse();
    }

    @Test
    void compaction_is_followed_until_it_is_done() {
        session.attach(machine.start(1, "python3 train.py"));
        assertThat(model.possibleBinding().get()).isTrue();
        model.refresh(0);
        assertThat(model.compactionProperty().get()).isEmpty();
        model.compact(0, false);
        assertThat(model.compactionProperty().get().map(Compaction::state)).hasValue(State.ASKED);
        machine.of(1)
                .compacts(new Compaction(
                        State.DONE, false, 3, 5 << 20, 0, 0, 2_000_000, Map.of("shared", new Stayed(2, 1 << 20))));
        model.refresh(0);
        assertThat(model.compactionProperty().get().map(Compaction::moved)).hasValue(3L);
        assertThat(model.stayed()).singleElement().asString().contains("2 stay", "1.00 MiB");
        machine.of(1).compacts(new Compaction(State.NONE, false, 0, 0, 0, 0, 0, Map.of()));
        model.refresh(0);
        assertThat(model.compactionProperty().get().map(Compaction::moved)).hasValue(3L);
    }

    @Test
    void nothing_is_moved_before_control_is_allowed() {
        allowed = false;
        session.attach(machine.start(1, "python3 train.py"));
        model.compact(0, false);
        assertThat(model.compactionProperty().get()).isEmpty();
        assertThat(model.statusProperty().get()).contains("read-only");
    }

    @Test
    void what_went_back_to_the_device_is_told() {
        session.attach(machine.start(1, "python3 train.py"));
        model.emptyCache(0);
        assertThat(model.statusProperty().get()).contains("1.00 GiB");
    }

    @Test
    void only_one_that_was_taken_over_can_be_left() {
        session.attach(machine.start(1, "python3 train.py"));
        model.refresh(0);
        assertThat(model.leavableProperty().get()).isFalse();
        TrainingProcess taken = machine.start(2, "python3 train.py");
        machine.of(2).wasTakenOver();
        session.attach(taken);
        assertThat(model.leavableProperty().get()).isFalse();
        model.refresh(0);
        assertThat(model.leavableProperty().get()).isTrue();
        session.attach(machine.start(3, "python3 train.py"));
        assertThat(model.leavableProperty().get()).isFalse();
    }

    @Test
    void one_that_is_left_is_let_go_of() {
        TrainingProcess taken = machine.start(2, "python3 train.py");
        machine.of(2).wasTakenOver();
        session.attach(taken);
        model.takeOut();
        assertThat(machine.of(2).isLeft()).isTrue();
        assertThat(session.attachedProperty().get()).isEmpty();
    }

    @Test
    void one_that_refuses_stays_attached_and_says_why() {
        session.attach(machine.start(1, "python3 train.py"));
        model.takeOut();
        assertThat(model.statusProperty().get()).contains("it was started so");
        assertThat(session.attachedProperty().get()).isPresent();
    }

    @Test
    void another_process_begins_with_nothing_said() {
        session.attach(machine.start(1, "python3 train.py"));
        model.compact(0, false);
        session.attach(machine.start(4, "python3 other.py"));
        assertThat(model.compactionProperty().get()).isEmpty();
        assertThat(model.statusProperty().get()).isEmpty();
    }
}

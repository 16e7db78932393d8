package dev.lacuna.ui.fakes;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.TakeOver;
import dev.lacuna.bridge.TrainingProcess;
import java.util.Optional;
import java.util.function.Consumer;

/** Puts an agent of {@link FakeProcesses} in the place of what was attached; refuses until it is given one. */
public final class FakeTakeOver implements TakeOver {
    private Optional<TrainingProcess> agent = Optional.empty();

    /** What comes from now on. */
    public void comes(TrainingProcess process) {
        agent = Optional.of(process);
    }

    @Override
    public Answer<TrainingProcess> open(TrainingProcess process, Consumer<String> told) {
        told.accept("building");
        return agent.<Answer<TrainingProcess>>map(Answer.Given::new)
                .orElseGet(() -> new Answer.Refused<>("no-step", "no optimizer of it has ended a step"));
    }
}

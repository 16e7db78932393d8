package dev.lacuna.ui.fakes;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.TakeOver;
import dev.lacuna.bridge.TrainingProcess;
import java.util.Optional;
import java.util.function.Consumer;

/** Puts an agent of {@link FakeProcesses} in the place of what was attached; refuses until it is given one. */
public final class FakeTakeOver implements TakeOver {
    private Optional<TrainingProcess> agent = Optional.empty();
    private Answer.Refused<TrainingProcess> refusal =
            new Answer.Refused<>("no-step", "no optimizer of it has ended a step");

    /** What comes from now on. */
    public void comes(TrainingProcess process) {
        agent = Optional.of(process);
    }

    /** Why it cannot be done. */
    public void refuses(String code, String text) {
        refusal = new Answer.Refused<>(code, text);
    }

    @Override
    public Answer<TrainingProcess> open(TrainingProcess process, Consumer<String> told) {
        told.accept("building");
        return agent.<Answer<TrainingProcess>>map(Answer.Given::new).orElse(refusal);
    }
}

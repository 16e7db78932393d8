package dev.lacuna.app.cli.process;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.CompactionControl;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SampleListener;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.TrainingProcess;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A process that was not prepared and is attached. */
final class StockTrainer implements AttachedProcess {
    private Set<String> can = Set.of();
    private Optional<CompactionControl> compaction = Optional.empty();
    private Optional<Sample> told = Optional.empty();
    private boolean stock = true;
    private Instant attachedAt = Instant.EPOCH;

    /** Its agent's compaction. */
    void compactsBy(CompactionControl control) {
        compaction = Optional.of(control);
    }

    @Override
    public Optional<CompactionControl> compaction() {
        return compaction;
    }

    /** What whoever watches it sees. */
    void tells(Sample sample) {
        told = Optional.of(sample);
    }

    /** What it can from now on. */
    void can(String... words) {
        can = Set.of(words);
    }

    /** It is one that was prepared. */
    void carriesAnAgent() {
        stock = false;
    }

    /** It was let go of and attached again. */
    void attachedAgain() {
        attachedAt = attachedAt.plusSeconds(1);
    }

    @Override
    public TrainingProcess process() {
        return new TrainingProcess(
                ProcessId.here(4711),
                77,
                attachedAt,
                "python3 train.py",
                List.of(),
                true,
                ProcessState.RUNNING,
                Path.of("/run/4711-77.mem"),
                stock);
    }

    @Override
    public Optional<StockControl> stock() {
        return stock ? Optional.of(facts(can)) : Optional.empty();
    }

    private static StockControl facts(Set<String> can) {
        return (StockControl) Proxy.newProxyInstance(
                StockControl.class.getClassLoader(), new Class<?>[] {StockControl.class}, (self, method, words) -> {
                    if (method.getName().equals("facts")) {
                        return new Answer.Given<>(new StockControl.Facts("torch 2.14.1", can));
                    }
                    throw new IllegalStateException("nobody asks for " + method.getName());
                });
    }

    @Override
    public Sample sample() {
        return told.orElseThrow(() -> new IllegalStateException("nobody reads it"));
    }

    @Override
    public AutoCloseable subscribe(Duration interval, SampleListener listener) {
        listener.onSample(sample());
        return () -> {};
    }

    @Override
    public Reply apply(Change change) {
        throw new IllegalStateException("nobody changes it");
    }

    @Override
    public Optional<String> lastOutOfMemory() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}

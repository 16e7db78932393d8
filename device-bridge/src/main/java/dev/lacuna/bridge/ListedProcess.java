package dev.lacuna.bridge;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A line of the list of all training processes: one of ours, one that was found, or both in one.
 *
 * @param training where it carries an agent or is attached
 * @param found where it was found with a framework loaded
 * @param reach by which door it can be had
 */
public record ListedProcess(Optional<TrainingProcess> training, Optional<FoundProcess> found, Reach reach) {
    /** One that carries an agent or is attached. */
    public static ListedProcess of(TrainingProcess training, Optional<FoundProcess> found) {
        return new ListedProcess(Optional.of(training), found, training.isStock() ? Reach.ATTACHED : Reach.AGENT);
    }

    /** One that was only found. */
    public static ListedProcess of(FoundProcess found) {
        return new ListedProcess(
                Optional.empty(), Optional.of(found), found.obstacle().isEmpty() ? Reach.ATTACH : Reach.OUTSIDE);
    }

    /** The process that it was split off from, as a data loader's workers are; empty where it stands for itself. */
    public OptionalLong childOf() {
        return found.map(FoundProcess::childOf).orElse(OptionalLong.empty());
    }

    /** How it is doing. */
    public ProcessState state() {
        boolean stopped = found.flatMap(FoundProcess::obstacle)
                .filter(obstacle -> obstacle.kind() == Obstacle.Kind.STOPPED)
                .isPresent();
        return training.map(TrainingProcess::state).orElse(stopped ? ProcessState.STOPPED : ProcessState.RUNNING);
    }

    /** What is missing for more than its reach gives. */
    public Optional<Obstacle> obstacle() {
        return reach == Reach.OUTSIDE ? found.flatMap(FoundProcess::obstacle) : Optional.empty();
    }
}

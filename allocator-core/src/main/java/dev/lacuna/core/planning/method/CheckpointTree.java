package dev.lacuna.core.planning.method;

import dev.lacuna.core.planning.chain.ChainStep;
import dev.lacuna.core.planning.chain.ChainStep.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A schedule of a chain as nested checkpoints, which is how programs write it: a stretch of stages that keeps only its
 * input runs again as a whole when its gradient is due, and may then hold checkpoints itself.
 *
 * @param items what a run goes through, in forward order, without gaps
 */
public record CheckpointTree(List<Item> items) {
    /** A stage or a stretch. */
    public sealed interface Item {
        /** First stage of it. */
        int begin();

        /** The stage behind its last. */
        int end();

        /** A stage that saves what its backward pass needs. */
        record Kept(int stage) implements Item {
            @Override
            public int begin() {
                return stage;
            }

            @Override
            public int end() {
                return stage + 1;
            }
        }

        /**
         * A stretch that keeps its input only.
         *
         * @param again how it runs when it runs again
         */
        record Checkpoint(List<Item> again) implements Item {
            public Checkpoint {
                again = List.copyOf(again);
                if (again.isEmpty()) {
                    throw new IllegalArgumentException("a checkpoint holds something");
                }
            }

            @Override
            public int begin() {
                return again.get(0).begin();
            }

            @Override
            public int end() {
                return again.get(again.size() - 1).end();
            }
        }
    }

    public CheckpointTree {
        items = List.copyOf(items);
    }

    /** Each of these stages runs again on its own, the others save. */
    public static CheckpointTree ofStages(List<Boolean> recomputed) {
        return new CheckpointTree(IntStream.range(0, recomputed.size())
                .mapToObj(stage -> {
                    Item kept = new Item.Kept(stage);
                    return recomputed.get(stage) ? new Item.Checkpoint(List.of(kept)) : kept;
                })
                .toList());
    }

    /** The tree of a schedule; empty where the schedule runs something again that nested checkpoints would not. */
    public static Optional<CheckpointTree> of(List<ChainStep> steps) {
        int stages = (int)
                steps.stream().filter(step -> step.kind() == Kind.BACKWARD).count();
        Parser parser = new Parser(steps);
        try {
            List<Item> items = parser.run(0, stages);
            return parser.at == steps.size() ? Optional.of(new CheckpointTree(items)) : Optional.empty();
        } catch (NotNestedException e) {
            return Optional.empty();
        }
    }

    /** For each stage whether it runs again, where each does so on its own; empty where stretches or nesting are there. */
    public Optional<List<Boolean>> byStage() {
        List<Boolean> recomputed = new ArrayList<>();
        for (Item item : items) {
            if (item instanceof Item.Checkpoint checkpoint) {
                if (checkpoint.again().size() != 1 || checkpoint.again().get(0) instanceof Item.Checkpoint) {
                    return Optional.empty();
                }
                recomputed.add(true);
            } else {
                recomputed.add(false);
            }
        }
        return Optional.of(List.copyOf(recomputed));
    }

    /** Stages in all. */
    public int length() {
        return items.get(items.size() - 1).end();
    }

    /** Whether a checkpoint holds another. */
    public boolean nested() {
        return items.stream()
                .anyMatch(item -> item instanceof Item.Checkpoint checkpoint
                        && checkpoint.again().stream().anyMatch(Item.Checkpoint.class::isInstance));
    }

    /** The schedule. */
    public List<ChainStep> steps() {
        List<ChainStep> steps = new ArrayList<>();
        run(items, steps);
        return List.copyOf(steps);
    }

    private static void run(List<Item> items, List<ChainStep> steps) {
        for (Item item : items) {
            for (int stage = item.begin(); stage < item.end(); stage++) {
                steps.add(new ChainStep(item instanceof Item.Checkpoint ? Kind.FORWARD : Kind.FORWARD_SAVING, stage));
            }
        }
        for (int i = items.size() - 1; i >= 0; i--) {
            if (items.get(i) instanceof Item.Checkpoint checkpoint) {
                run(checkpoint.again(), steps);
            } else {
                steps.add(new ChainStep(Kind.BACKWARD, items.get(i).begin()));
            }
        }
    }

    private static final class NotNestedException extends Exception {
        private static final long serialVersionUID = 1L;

        NotNestedException() {
            super(null, null, false, false);
        }
    }

    /** Reads a schedule: a sweep forward, then gradients from the end, stretches that begin again in between. */
    private static final class Parser {
        private final List<ChainStep> steps;
        private int at;

        Parser(List<ChainStep> steps) {
            this.steps = steps;
        }

        List<Item> run(int begin, int end) throws NotNestedException {
            boolean[] saved = new boolean[end - begin];
            for (int stage = begin; stage < end; stage++) {
                ChainStep step = next();
                if (step.stage() != stage || step.kind() == Kind.BACKWARD) {
                    throw new NotNestedException();
                }
                saved[stage - begin] = step.kind() == Kind.FORWARD_SAVING;
            }
            List<Item> backwards = new ArrayList<>();
            int left = end;
            while (left > begin) {
                if (saved[left - 1 - begin]) {
                    if (!next().equals(new ChainStep(Kind.BACKWARD, left - 1))) {
                        throw new NotNestedException();
                    }
                    backwards.add(new Item.Kept(--left));
                } else {
                    int again = at < steps.size() ? steps.get(at).stage() : -1;
                    boolean unsaved = again >= begin
                            && again < left
                            && IntStream.range(again, left).noneMatch(stage -> saved[stage - begin]);
                    if (!unsaved) {
                        throw new NotNestedException();
                    }
                    backwards.add(new Item.Checkpoint(run(again, left)));
                    left = again;
                }
            }
            Collections.reverse(backwards);
            return backwards;
        }

        private ChainStep next() throws NotNestedException {
            if (at >= steps.size()) {
                throw new NotNestedException();
            }
            return steps.get(at++);
        }
    }
}

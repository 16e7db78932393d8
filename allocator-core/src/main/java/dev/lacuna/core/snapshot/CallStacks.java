package dev.lacuna.core.snapshot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Every distinct call stack of a snapshot, by number; number 0 is the empty one. Immutable. */
public final class CallStacks {
    /** Number of the stack without frames. */
    public static final int EMPTY = 0;

    /** No stack but the empty one. */
    public static final CallStacks NONE = new CallStacks(List.of(), List.of(new int[0]));

    private final List<Frame> frames;
    private final List<int[]> stacks;

    private CallStacks(List<Frame> frames, List<int[]> stacks) {
        this.frames = List.copyOf(frames);
        this.stacks = List.copyOf(stacks);
    }

    /** Number of distinct stacks, the empty one included. */
    public int size() {
        return stacks.size();
    }

    /** The frames of a stack, innermost first. */
    public List<Frame> stack(int number) {
        return Arrays.stream(stacks.get(number)).mapToObj(frames::get).toList();
    }

    /** Number of frames of a stack. */
    public int depth(int number) {
        return stacks.get(number).length;
    }

    /** Collects the stacks of one snapshot; equal ones get one number, however often the pickle repeats them. */
    static final class Builder {
        private static final int FRAME_BYTES = 3 * Budget.OBJECT_BYTES;

        private final Budget budget;
        private final List<Frame> frames = new ArrayList<>();
        private final List<int[]> stacks = new ArrayList<>();
        private final Map<Frame, Integer> frameNumbers = new HashMap<>();
        private final Map<Stack, Integer> stackNumbers = new HashMap<>();
        private final Map<PickleDict, Integer> seenFrames = new IdentityHashMap<>();
        private final Map<PickleList, Integer> seenStacks = new IdentityHashMap<>();

        Builder(Budget budget) {
            this.budget = budget;
            number(new int[0]);
        }

        /** The number of the stack that this field of {@code owner} holds; the empty one where it is missing. */
        int number(Fields owner, String field) throws SnapshotFormatException {
            PickleList list = owner.listOrEmpty(field);
            Integer seen = seenStacks.get(list);
            if (seen != null) {
                return seen;
            }
            budget.charge(Budget.OBJECT_BYTES, owner.position());
            int[] numbers = new int[list.size()];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = frame(owner.element(list, i, field));
            }
            int known = stacks.size();
            int number = number(numbers);
            if (number == known) {
                budget.charge((long) numbers.length * Budget.REFERENCE_BYTES, owner.position());
            }
            seenStacks.put(list, number);
            return number;
        }

        CallStacks build() {
            return new CallStacks(frames, stacks);
        }

        private int frame(Fields fields) throws SnapshotFormatException {
            Integer seen = seenFrames.get(fields.dict());
            if (seen != null) {
                return seen;
            }
            budget.charge(FRAME_BYTES, fields.position());
            Frame frame =
                    new Frame(fields.textOr("filename", ""), fields.wholeOr("line", 0), fields.textOr("name", ""));
            Integer number = frameNumbers.putIfAbsent(frame, frames.size());
            if (number == null) {
                number = frames.size();
                frames.add(frame);
            }
            seenFrames.put(fields.dict(), number);
            return number;
        }

        private int number(int[] stack) {
            Integer number = stackNumbers.putIfAbsent(new Stack(stack), stacks.size());
            if (number == null) {
                number = stacks.size();
                stacks.add(stack);
            }
            return number;
        }
    }

    /** A stack as a key. */
    private static final class Stack implements Comparable<Stack> {
        private final int[] frames;
        private final int hash;

        Stack(int[] frames) {
            this.frames = frames;
            this.hash = Arrays.hashCode(frames);
        }

        @Override
        public int compareTo(Stack other) {
            return Arrays.compare(frames, other.frames);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Stack && Arrays.equals(frames, ((Stack) other).frames);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}

package dev.lacuna.core.trace.snapshot.model;

import dev.lacuna.core.trace.snapshot.pickle.Budget;
import dev.lacuna.core.trace.snapshot.pickle.PickleList;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

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

    /** Number of distinct frames. */
    public int frames() {
        return frames.size();
    }

    /** A frame by its number. */
    public Frame frame(int number) {
        return frames.get(number);
    }

    /** Collects the stacks of one snapshot; equal ones get one number, however often the pickle repeats them. */
    public static final class Builder {
        private static final int FRAME_BYTES = 3 * Budget.OBJECT_BYTES;
        private static final int FREE = -1;
        private static final BigInteger UNSIGNED_MINUS_ONE =
                BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);

        private final Budget budget;
        private final List<Frame> frames = new ArrayList<>();
        private final Map<Frame, Integer> frameNumbers = new HashMap<>();
        private final List<int[]> stacks = new ArrayList<>(List.of(new int[0]));
        private final StackRef empty = new StackRef(EMPTY);

        /** Nobody can write a file whose stacks all fall on one slot: this is another number each time. */
        private final long factor = new SplittableRandom().nextLong() | 1;

        /** Stack numbers by the hash of their frames, open addressing. */
        private int[] table = new int[256];

        public Builder(Budget budget) {
            this.budget = budget;
            Arrays.fill(table, FREE);
        }

        /** The frame that a dictionary tells; what it leaves out is unknown. */
        public FrameRef frame(Fields fields) throws SnapshotFormatException {
            Frame frame = new Frame(fields.textOr("filename", ""), line(fields), fields.textOr("name", ""));
            Integer number = frameNumbers.putIfAbsent(frame, frames.size());
            if (number == null) {
                budget.charge(FRAME_BYTES, fields.position());
                number = frames.size();
                frames.add(frame);
            }
            return new FrameRef(number);
        }

        /** PyTorch writes the line −1 of generated code as 2^64 − 1: an unknown one, and nothing odd. */
        private static long line(Fields fields) {
            Object value = fields.dict().get("line").orElse(0L);
            boolean minusOne = value instanceof BigInteger && value.equals(UNSIGNED_MINUS_ONE);
            return minusOne ? 0 : Math.max(0, fields.wholeOr("line", 0));
        }

        /** The stack that this field of {@code owner} holds; the empty one where it is missing. */
        public StackRef stack(Fields owner, String field) throws SnapshotFormatException {
            if (!owner.has(field)) {
                return empty;
            }
            return stack(owner, owner.dict().get(field).orElseThrow(), field);
        }

        /** The stack that this value of a field of {@code owner} stands for. */
        public StackRef stack(Fields owner, Object value, String field) throws SnapshotFormatException {
            if (value instanceof StackRef) {
                return (StackRef) value;
            }
            if (!(value instanceof PickleList)) {
                owner.note(field);
                return empty;
            }
            return stack(owner, (PickleList) value, field);
        }

        private StackRef stack(Fields owner, PickleList list, String field) throws SnapshotFormatException {
            budget.charge((long) list.size() * Budget.REFERENCE_BYTES, owner.position());
            Object[] refs = new Object[list.size()];
            int known = 0;
            for (int i = 0; i < refs.length; i++) {
                Object item = list.get(i);
                Optional<Fields> told = item instanceof FrameRef ? Optional.empty() : owner.element(list, i, field);
                if (item instanceof FrameRef || told.isPresent()) {
                    refs[known++] = told.isPresent() ? frame(told.get()) : item;
                }
            }
            budget.release((long) list.size() * Budget.REFERENCE_BYTES);
            return stack(refs, 0, known, owner.position());
        }

        /** The stack of the frames {@code from} … {@code to}−1 of these. */
        public StackRef stack(Object[] refs, int from, int to, long position) throws SnapshotFormatException {
            if (from == to) {
                return empty;
            }
            int slot = slot(hash(refs, from, to));
            while (table[slot] != FREE) {
                if (same(stacks.get(table[slot]), refs, from, to)) {
                    return new StackRef(table[slot]);
                }
                slot = slot + 1 & table.length - 1;
            }
            budget.charge(2 * Budget.OBJECT_BYTES + (long) (to - from) * Integer.BYTES, position);
            int[] stack = new int[to - from];
            for (int i = from; i < to; i++) {
                stack[i - from] = ((FrameRef) refs[i]).number();
            }
            table[slot] = stacks.size();
            stacks.add(stack);
            if (stacks.size() * 2 > table.length) {
                grow();
            }
            return new StackRef(stacks.size() - 1);
        }

        public CallStacks build() {
            return new CallStacks(frames, stacks);
        }

        private void grow() {
            table = new int[table.length * 2];
            Arrays.fill(table, FREE);
            for (int number = 1; number < stacks.size(); number++) {
                int slot = slot(hash(stacks.get(number)));
                while (table[slot] != FREE) {
                    slot = slot + 1 & table.length - 1;
                }
                table[slot] = number;
            }
        }

        private int slot(long hash) {
            return (int) (hash >>> Long.numberOfLeadingZeros(table.length) + 1);
        }

        private long hash(Object[] refs, int from, int to) {
            long hash = 0;
            for (int i = from; i < to; i++) {
                hash = (hash + ((FrameRef) refs[i]).number() + 1) * factor;
            }
            return hash;
        }

        private long hash(int[] stack) {
            long hash = 0;
            for (int number : stack) {
                hash = (hash + number + 1) * factor;
            }
            return hash;
        }

        private static boolean same(int[] stack, Object[] refs, int from, int to) {
            if (stack.length != to - from) {
                return false;
            }
            for (int i = 0; i < stack.length; i++) {
                if (stack[i] != ((FrameRef) refs[from + i]).number()) {
                    return false;
                }
            }
            return true;
        }
    }
}

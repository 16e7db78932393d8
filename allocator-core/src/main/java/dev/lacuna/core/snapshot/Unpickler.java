package dev.lacuna.core.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/**
 * Python's pickle machine, protocols 0 to 5, for data only: dictionaries, lists, tuples, sets, strings, numbers, booleans,
 * None. Classes and calls become {@link Opaque}: nothing is loaded, nothing is run. No command makes more than a fixed
 * multiple of its own bytes, so time and memory grow in proportion to the input whatever it says.
 *
 * <p>Values are {@link PickleDict}, {@link PickleList}, String, Long, BigInteger, Double, Boolean, {@link None} or
 * {@link Opaque}. Equal strings are one object. Specified in Python's {@code Lib/pickletools.py}.
 */
final class Unpickler {
    private static final int LATEST_PROTOCOL = 5;
    private static final int BYTES_PER_CHARACTER = 2;

    private final Budget budget;
    private final PickleInput in;
    private final PickleStack stack;
    private final PickleNumbers numbers;
    private final Map<String, String> strings = new HashMap<>();
    private int protocol;

    Unpickler(InputStream input, SnapshotLimits limits, Budget budget) {
        this.budget = budget;
        this.in = new PickleInput(input, budget);
        this.stack = new PickleStack(limits, budget);
        this.numbers = new PickleNumbers(in, stack, budget);
    }

    /** The protocol that the pickle says it has; 0 or 1 where it says none. */
    int protocol() {
        return protocol;
    }

    /** Reads one pickle; what follows it is left alone. */
    Object read() throws IOException {
        while (true) {
            long position = in.position();
            stack.at(position);
            int opcode = in.unsignedByte();
            if (opcode == '.') {
                return result();
            }
            if (!(number(opcode)
                    || text(opcode)
                    || container(opcode)
                    || memo(opcode)
                    || frame(opcode)
                    || code(opcode))) {
                SnapshotProblem problem = position == 0 ? SnapshotProblem.NOT_A_PICKLE : SnapshotProblem.UNKNOWN_OPCODE;
                throw new SnapshotFormatException(problem, position, String.format("0x%02x", opcode));
            }
        }
    }

    private Object result() throws IOException {
        if (stack.hasMark()) {
            throw stack.malformed();
        }
        Object value = stack.pop();
        if (stack.size() > 0) {
            throw stack.malformed();
        }
        return value;
    }

    // ---------------------------------------------------------------- values that stand for themselves

    private boolean number(int opcode) throws IOException {
        switch (opcode) {
            case 'N' -> stack.push(None.NONE);
            case 0x88 -> stack.push(Boolean.TRUE);
            case 0x89 -> stack.push(Boolean.FALSE);
            case 'K' -> numbers.push(in.unsignedByte());
            case 'M' -> numbers.push(in.unsigned(2));
            case 'J' -> numbers.push(in.signedInt());
            case 0x8A -> numbers.pushLong(in.unsignedByte());
            case 0x8B -> numbers.pushLong(in.unsigned(4));
            case 'I' -> numbers.pushIntLine(in.line());
            case 'L' -> numbers.pushLongLine(in.line());
            case 'G' -> numbers.push(in.bigEndianDouble());
            case 'F' -> numbers.pushFloatLine(in.line());
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean text(int opcode) throws IOException {
        switch (opcode) {
            case 0x8C, 'U' -> push(in.text(in.unsignedByte()));
            case 'X', 'T' -> push(in.text(in.unsigned(4)));
            case 0x8D -> push(in.text(in.length()));
            case 'V' -> push(TextEscapes.unicode(in.line()));
            case 'S' -> push(TextEscapes.quoted(in.line(), stack));
            case 'C' -> skipBytes(in.unsignedByte());
            case 'B' -> skipBytes(in.unsigned(4));
            case 0x8E, 0x96 -> skipBytes(in.length());
            default -> {
                return false;
            }
        }
        return true;
    }

    private void push(String text) throws IOException {
        String known = strings.putIfAbsent(text, text);
        if (known == null) {
            budget.charge(2 * Budget.OBJECT_BYTES + (long) BYTES_PER_CHARACTER * text.length(), stack.position());
        }
        stack.push(known == null ? text : known);
    }

    private void skipBytes(long length) throws IOException {
        in.skip(length);
        pushOpaque("bytes");
    }

    // ---------------------------------------------------------------- containers

    private boolean container(int opcode) throws IOException {
        switch (opcode) {
            case '(' -> stack.mark();
            case '}' -> pushDict();
            case ']', ')', 0x8F -> pushList(new Object[0]);
            case 't', 'l', 0x91 -> pushList(stack.takeFrom(stack.unmark()));
            case 0x85 -> pushList(stack.take(1));
            case 0x86 -> pushList(stack.take(2));
            case 0x87 -> pushList(stack.take(3));
            case 'd' -> {
                int from = stack.unmark();
                Object[] pairs = stack.takeFrom(from);
                pushDict();
                setItems(pairs);
            }
            case 'a' -> append(stack.size() - 1);
            case 'e', 0x90 -> append(stack.unmark());
            case 's' -> set(stack.size() - 2);
            case 'u' -> set(stack.unmark());
            default -> {
                return false;
            }
        }
        return true;
    }

    private void pushDict() throws IOException {
        budget.charge(Budget.OBJECT_BYTES, stack.position());
        stack.push(new PickleDict(stack.position()));
    }

    private void pushList(Object[] items) throws IOException {
        budget.charge(Budget.OBJECT_BYTES, stack.position());
        stack.push(new PickleList(items));
    }

    /** Appends the values from {@code from} on to the list below them. */
    private void append(int from) throws IOException {
        int to = stack.size();
        Object target = stack.below(from);
        if (target instanceof PickleList) {
            budget.charge((long) (to - from) * Budget.REFERENCE_BYTES, stack.position());
            ((PickleList) target).addAll(stack.values(), from, to);
        } else if (!(target instanceof Opaque)) {
            throw stack.malformed();
        }
        stack.dropFrom(from);
    }

    /** Sets the pairs from {@code from} on in the dictionary below them. */
    private void set(int from) throws IOException {
        stack.below(from);
        Object[] pairs = stack.takeFrom(from);
        setItems(pairs);
    }

    private void setItems(Object[] pairs) throws IOException {
        if (pairs.length % 2 != 0) {
            throw stack.malformed();
        }
        Object target = stack.top();
        if (target instanceof PickleDict) {
            ((PickleDict) target).putAll(pairs);
        } else if (!(target instanceof Opaque)) {
            throw stack.malformed();
        }
    }

    // ---------------------------------------------------------------- stack, memo, framing

    private boolean memo(int opcode) throws IOException {
        switch (opcode) {
            case 0x94 -> stack.memoize();
            case 'q' -> stack.put(in.unsignedByte());
            case 'r' -> stack.put(in.unsigned(4));
            case 'p' -> stack.put(numbers.index(in.line()));
            case 'h' -> stack.push(stack.get(in.unsignedByte()));
            case 'j' -> stack.push(stack.get(in.unsigned(4)));
            case 'g' -> stack.push(stack.get(numbers.index(in.line())));
            case '0' -> stack.pop();
            case '1' -> stack.dropFrom(stack.unmark());
            case '2' -> stack.push(stack.top());
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Frames only help readers that buffer; this one does without. */
    private boolean frame(int opcode) throws IOException {
        switch (opcode) {
            case 0x80 -> {
                protocol = in.unsignedByte();
                if (protocol > LATEST_PROTOCOL) {
                    throw new SnapshotFormatException(
                            SnapshotProblem.UNKNOWN_OPCODE, stack.position(), "protocol " + protocol);
                }
            }
            case 0x95 -> in.length();
            case 0x98 -> {}
            default -> {
                return false;
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- what would load or run code

    private boolean code(int opcode) throws IOException {
        switch (opcode) {
            case 'c' -> pushOpaque(in.line() + "." + in.line());
            case 0x93 -> {
                Object[] names = stack.take(2);
                pushOpaque(names[0] instanceof String && names[1] instanceof String ? names[0] + "." + names[1] : "?");
            }
            case 'i' -> {
                String name = in.line() + "." + in.line();
                stack.dropFrom(stack.unmark());
                pushOpaque(name);
            }
            case 'o' -> {
                Object[] parts = stack.takeFrom(stack.unmark());
                pushOpaque(parts.length == 0 ? "?" : name(parts[0]));
            }
            case 'R', 0x81 -> call(2);
            case 0x92 -> call(3);
            case 'b' -> stack.pop();
            case 'P' -> pushOpaque("persistent " + in.line());
            case 'Q' -> call(1);
            case 0x82 -> pushOpaque("extension " + in.unsignedByte());
            case 0x83 -> pushOpaque("extension " + in.unsigned(2));
            case 0x84 -> pushOpaque("extension " + in.unsigned(4));
            default -> {
                return false;
            }
        }
        return true;
    }

    /** What a call of the first of these values would have returned; dictionaries by another name are dictionaries. */
    private void call(int values) throws IOException {
        String name = name(stack.take(values)[0]);
        if (name.equals("collections.OrderedDict") || name.equals("collections.defaultdict")) {
            pushDict();
        } else {
            pushOpaque(name);
        }
    }

    private static String name(Object value) {
        return value instanceof Opaque ? ((Opaque) value).what() : "?";
    }

    private void pushOpaque(String what) throws IOException {
        budget.charge(2 * Budget.OBJECT_BYTES + (long) BYTES_PER_CHARACTER * what.length(), stack.position());
        stack.push(new Opaque(what));
    }
}

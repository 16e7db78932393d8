package dev.lacuna.core.trace.snapshot.pickle;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Python's pickle machine, protocols 0 to 5, for data only: dictionaries, lists, tuples, sets, strings, numbers, booleans,
 * None. Whatever would load a class or call something is refused. No command makes more than a fixed multiple of its own
 * bytes, so time and memory grow in proportion to the input whatever it says. Frames, call stacks and trace entries are
 * taken down as soon as they are whole ({@link Settler}).
 *
 * <p>Values are {@link PickleDict}, {@link PickleList}, String, Long, BigInteger, Double, Boolean, {@link None}, {@link
 * Opaque}, or what the settler made of them. Equal strings are one object. Specified in Python's {@code
 * Lib/pickletools.py}.
 */
public final class Unpickler {
    private static final int LATEST_PROTOCOL = 5;
    private static final int BYTES_PER_CHARACTER = 2;

    /** Python's writers fill a list by commands of this many items: after so many, more may follow. */
    private static final int FULL_BATCH = 1000;

    private final Budget budget;
    private final PickleInput in;
    private final PickleStack stack;
    private final PickleNumbers numbers;
    private final Settler settler;
    private final Map<String, String> strings = new HashMap<>();
    private int protocol;

    /** @param stack empty; the settler may put a container's successor in its place there */
    public Unpickler(InputStream input, PickleStack stack, Budget budget, Settler settler) {
        this.budget = budget;
        this.in = new PickleInput(input, budget);
        this.stack = stack;
        this.numbers = new PickleNumbers(in, stack, budget);
        this.settler = settler;
    }

    /** The protocol that the pickle says it has; 0 or 1 where it says none. */
    public int protocol() {
        return protocol;
    }

    /** Reads one pickle; what follows it is left alone. */
    public Object read() throws IOException {
        long position = in.position();
        stack.at(position);
        for (int opcode = in.unsignedByte(); opcode != '.'; opcode = in.unsignedByte()) {
            if (!(frequent(opcode)
                    || number(opcode)
                    || text(opcode)
                    || container(opcode)
                    || memo(opcode)
                    || frame(opcode))) {
                throw refusal(opcode, position);
            }
            position = in.position();
            stack.at(position);
        }
        return result();
    }

    /**
     * After the input has ended too early: what is whole of the value that it began.
     *
     * @throws SnapshotFormatException when nothing is
     */
    public PartialPickle salvage() throws SnapshotFormatException {
        return new OpenContainers(stack, settler).close();
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

    /** The commands that large snapshots mostly consist of; what they have in common with rare ones, these do. */
    private boolean frequent(int opcode) throws IOException {
        switch (opcode) {
            case 'j' -> {
                do {
                    stack.get(in.unsignedInt());
                } while (in.passIf('j'));
            }
            case 'h' -> {
                do {
                    stack.get(in.unsignedByte());
                } while (in.passIf('h'));
            }
            case 0x94 -> stack.memoize();
            case '(' -> stack.mark();
            case '}' -> pushDict();
            case 'u' -> set(stack.unmark());
            case 'K' -> numbers.push(in.unsignedByte());
            case 'M' -> numbers.push(in.unsigned(2));
            case 'J' -> numbers.push(in.signedInt());
            case 0x8A -> numbers.pushLong(in.unsignedByte());
            default -> {
                return false;
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- values that stand for themselves

    private boolean number(int opcode) throws IOException {
        switch (opcode) {
            case 'N' -> stack.push(None.NONE);
            case 0x88 -> stack.push(Boolean.TRUE);
            case 0x89 -> stack.push(Boolean.FALSE);
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
        budget.charge(Budget.OBJECT_BYTES, stack.position());
        stack.push(Opaque.BYTES);
    }

    // ---------------------------------------------------------------- containers

    private boolean container(int opcode) throws IOException {
        switch (opcode) {
            case ']', 0x8F -> pushList(new PickleList());
            case ')' -> pushList(PickleList.tuple(new Object[0]));
            case 't' -> pushTuple(stack.takeFrom(stack.unmark()));
            case 'l', 0x91 -> {
                int from = stack.unmark();
                pushList(listOf(stack.takeFrom(from)));
            }
            case 0x85 -> pushTuple(stack.take(1));
            case 0x86 -> pushTuple(stack.take(2));
            case 0x87 -> pushTuple(stack.take(3));
            case 'd' -> {
                int from = stack.unmark();
                Object[] pairs = stack.takeFrom(from);
                pushDict();
                setItems(pairs);
            }
            case 'a' -> append(stack.size() - 1);
            case 'e', 0x90 -> append(stack.unmark());
            case 's' -> set(stack.size() - 2);
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

    private void pushTuple(Object[] items) throws IOException {
        budget.charge((long) items.length * Budget.ITEM_BYTES, stack.position());
        settleAll(items, 0, items.length);
        pushList(PickleList.tuple(items));
    }

    private PickleList listOf(Object[] items) throws IOException {
        budget.charge((long) items.length * Budget.ITEM_BYTES, stack.position());
        settleAll(items, 0, items.length);
        return PickleList.of(items);
    }

    private void pushList(PickleList list) throws IOException {
        budget.charge(Budget.OBJECT_BYTES, stack.position());
        stack.push(list);
    }

    /** Appends the values from {@code from} on to the list below them. */
    private void append(int from) throws IOException {
        Object target = stack.below(from);
        int to = stack.size();
        settleAll(stack.values(), from, to);
        if (!(target instanceof PickleList) || ((PickleList) target).isTuple()) {
            throw stack.malformed();
        }
        PickleList list = (PickleList) target;
        boolean whole = list.isEmpty() && to - from > 1 && to - from < FULL_BATCH;
        Optional<Object> settled = whole ? settler.settled(list, stack.values(), from, to) : Optional.empty();
        if (settled.isPresent()) {
            stack.values()[from - 1] = settled.get();
        } else {
            int added = list.addAll(stack.values(), from, to);
            budget.charge((long) added * Budget.ITEM_BYTES, stack.position());
        }
        stack.dropFrom(from);
    }

    private void settleAll(Object[] values, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            if (values[i] instanceof PickleDict) {
                values[i] = settler.settled((PickleDict) values[i]);
            }
        }
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
        if (!(target instanceof PickleDict) || ((PickleDict) target).settled().isPresent()) {
            throw stack.malformed();
        }
        budget.charge((long) pairs.length * Budget.ITEM_BYTES, stack.position());
        ((PickleDict) target).putAll(pairs);
    }

    // ---------------------------------------------------------------- stack, memo, framing

    private boolean memo(int opcode) throws IOException {
        switch (opcode) {
            case 'q' -> stack.put(in.unsignedByte());
            case 'r' -> stack.put(in.unsigned(4));
            case 'p' -> stack.put(numbers.index(in.line()));
            case 'g' -> stack.get(numbers.index(in.line()));
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

    // ---------------------------------------------------------------- what is refused

    private SnapshotFormatException refusal(int opcode, long position) throws IOException {
        Optional<String> code = codeName(opcode);
        if (code.isPresent()) {
            return new SnapshotFormatException(SnapshotProblem.CODE, position, code.get());
        }
        SnapshotProblem problem = position == 0 ? SnapshotProblem.NOT_A_PICKLE : SnapshotProblem.UNKNOWN_OPCODE;
        return new SnapshotFormatException(problem, position, String.format("0x%02x", opcode));
    }

    /** What a command would load or call; empty where it is no such command. */
    private Optional<String> codeName(int opcode) throws IOException {
        return switch (opcode) {
            case 'c', 'i' -> Optional.of(in.line() + "." + in.line());
            case 0x93 -> Optional.of(stack.size() >= 2 ? named(stack.take(2)) : "STACK_GLOBAL");
            case 'R' -> Optional.of("REDUCE");
            case 'o' -> Optional.of("OBJ");
            case 'b' -> Optional.of("BUILD");
            case 0x81, 0x92 -> Optional.of("NEWOBJ");
            case 'P', 'Q' -> Optional.of("PERSID");
            case 0x82, 0x83, 0x84 -> Optional.of("EXT");
            default -> Optional.empty();
        };
    }

    private static String named(Object[] names) {
        return names[0] instanceof String && names[1] instanceof String ? names[0] + "." + names[1] : "STACK_GLOBAL";
    }
}

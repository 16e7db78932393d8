package dev.lacuna.bridge.differential;

import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.wire.CounterRecord;
import dev.lacuna.bridge.wire.TelemetryLayout;
import dev.lacuna.core.memory.MemoryCounters;
import java.net.URISyntaxException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The C agent, hosted in this JVM on a virtual device without backing memory. */
final class NativeHome implements Home {
    /** Ids of blocks are smaller. */
    static final int IDS = 1 << 17;

    private static final int OK = 0;
    private static final int OPTIONS_BYTES = 56;
    private static final int COMMAND_BYTES = 24;
    private static final int PLACEMENT_BYTES = 24;

    private static final NativeLibrary LIBRARY = NativeLibrary.getInstance(libraryFile());

    private final Pointer agent;

    NativeHome(Setting setting) {
        Memory options = new Memory(OPTIONS_BYTES);
        options.clear();
        options.setLong(0, setting.capacityBytes());
        options.setDouble(8, 1.0);
        options.setInt(16, setting.optimisation() ? 1 : 0);
        options.setLong(32, setting.rangeBytes());
        options.setLong(40, setting.otherBytes());
        options.setInt(48, 1);
        PointerByReference out = new PointerByReference();
        expectOk("lacuna_open", LIBRARY.getFunction("lacuna_open").invokeInt(new Object[] {options, out}));
        agent = out.getValue();
    }

    @Override
    public List<Spot> run(List<Command> commands) {
        Memory in = new Memory((long) commands.size() * COMMAND_BYTES);
        Memory out = new Memory((long) commands.size() * PLACEMENT_BYTES);
        for (int i = 0; i < commands.size(); i++) {
            write(commands.get(i), in, (long) i * COMMAND_BYTES);
        }
        Object[] arguments = {agent, in, (long) commands.size(), IDS, out};
        expectOk("lacuna_replay", LIBRARY.getFunction("lacuna_replay").invokeInt(arguments));
        List<Spot> spots = new ArrayList<>(commands.size());
        for (int i = 0; i < commands.size(); i++) {
            spots.add(read(out, (long) i * PLACEMENT_BYTES));
        }
        return spots;
    }

    private static void write(Command c, Memory to, long at) {
        to.setInt(at, c.kind().ordinal() + 1);
        to.setInt(at + 4, c.id());
        to.setLong(at + 8, c.value());
        to.setInt(at + 16, c.stream());
        to.setInt(at + 20, 0);
    }

    private static Spot read(Memory from, long at) {
        long blockBytes = from.getLong(at + 16);
        return blockBytes == 0
                ? Spot.NONE
                : new Spot(from.getInt(at), from.getInt(at + 4), from.getLong(at + 8), blockBytes);
    }

    @Override
    public MemoryCounters counters() {
        Memory record = new Memory(TelemetryLayout.Device.BYTES);
        expectOk("lacuna_counters", LIBRARY.getFunction("lacuna_counters").invokeInt(new Object[] {agent, record}));
        try {
            return CounterRecord.decode(record.getByteBuffer(0, record.size()).order(ByteOrder.LITTLE_ENDIAN), 0, 0);
        } catch (BridgeException e) {
            throw new AssertionError("the agent's counters are out of range", e);
        }
    }

    @Override
    public void close() {
        LIBRARY.getFunction("lacuna_close").invokeVoid(new Object[] {agent});
    }

    private static void expectOk(String call, int status) {
        if (status != OK) {
            throw new AssertionError(call + " returned " + status);
        }
    }

    private static String libraryFile() {
        try {
            return Path.of(Objects.requireNonNull(NativeHome.class.getResource("/native/linux-x86_64/liblacuna.so"))
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}

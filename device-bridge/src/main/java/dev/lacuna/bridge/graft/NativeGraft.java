package dev.lacuna.bridge.graft;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.hosted.AgentPackage;
import dev.lacuna.bridge.wire.Field;
import dev.lacuna.bridge.wire.RecordShape;
import java.nio.file.Path;
import java.util.Optional;

/** {@code liblacuna_graft.so}. One call does all that is to be done by one thread, as ptrace wants it. */
public final class NativeGraft implements Graft {
    private static final int TEXT_BYTES = 512;

    /** {@code lacuna_graft_report}. */
    private static final class Report {
        private static final RecordShape SHAPE = new RecordShape("lacuna_graft_report");
        static final Field CODE = SHAPE.u32("code");
        static final Field WAY = SHAPE.u32("way");
        static final Field PYTHON = SHAPE.u32("python");
        static final Field DETAIL = SHAPE.u32("detail");
        static final Field START_TICKS = SHAPE.u64("start_ticks");
        static final Field STOPPED_NS = SHAPE.u64("stopped_ns");
        static final Field TEXT = SHAPE.bytes("text", TEXT_BYTES);
        static final int BYTES = TEXT.end();
    }

    private Optional<NativeLibrary> library = Optional.empty();

    @Override
    public GraftReport look(long pid) throws BridgeException {
        Function look = function("lacuna_graft_look");
        try (Memory report = report()) {
            look.invokeInt(new Object[] {(int) pid, report});
            return read(report);
        }
    }

    @Override
    public GraftReport run(long pid, long startTicks, byte[] text, String refused) throws BridgeException {
        Function run = function("lacuna_graft_run");
        try (Memory report = report();
                Memory source = new Memory(text.length + 1L)) {
            source.write(0, text, 0, text.length);
            source.setByte(text.length, (byte) 0);
            run.invokeInt(new Object[] {(int) pid, startTicks, source, (long) text.length, refused, report});
            return read(report);
        }
    }

    private static Memory report() {
        Memory report = new Memory(Report.BYTES);
        report.clear();
        return report;
    }

    private static GraftReport read(Memory report) throws BridgeException {
        int code = report.getInt(Report.CODE.offset());
        if (code < 0 || code >= GraftCode.values().length) {
            throw new BridgeException(Reason.UNREADABLE, "the graft library answered with an unknown code: " + code);
        }
        int python = report.getInt(Report.PYTHON.offset());
        return new GraftReport(
                GraftCode.values()[code],
                python == 0 ? Optional.empty() : Optional.of((python >> Byte.SIZE) + "." + (python & 0xFF)),
                report.getInt(Report.DETAIL.offset()),
                report.getLong(Report.START_TICKS.offset()),
                report.getLong(Report.STOPPED_NS.offset()),
                report.getString(Report.TEXT.offset(), "UTF-8"));
    }

    private synchronized Function function(String name) throws BridgeException {
        if (library.isEmpty()) {
            library = Optional.of(load(AgentPackage.unpack().graftLibrary()));
        }
        return library.get().getFunction(name);
    }

    private static NativeLibrary load(Path path) throws BridgeException {
        try {
            NativeLibrary loaded = NativeLibrary.getInstance(path.toString());
            int bytes = loaded.getFunction("lacuna_graft_report_bytes").invokeInt(new Object[0]);
            if (bytes != Report.BYTES) {
                throw new BridgeException(
                        Reason.SYSTEM, path + " reports with " + bytes + " bytes, not " + Report.BYTES);
            }
            return loaded;
        } catch (UnsatisfiedLinkError e) {
            // What follows the first line lists every place that was looked at.
            String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new BridgeException(Reason.SYSTEM, path + " could not be loaded: " + why, e);
        }
    }
}

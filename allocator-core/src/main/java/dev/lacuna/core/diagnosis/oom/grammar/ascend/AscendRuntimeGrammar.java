package dev.lacuna.core.diagnosis.oom.grammar.ascend;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.LookBack;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * CANN's runtime and driver: {@code EL0004}, {@code halMemAlloc failed}, {@code rtMalloc fail}, error 207001. Whoever
 * asked (HCCL, the graph engine, a framework), it asked outside a framework's pool or for the pool itself.
 */
public final class AscendRuntimeGrammar implements OomGrammar {
    private static final String NAMED_CODE = "memory_allocation_failure(el0004)";
    private static final String CODE = "el0004:";
    private static final String DRIVER = "halmemallocfailed";
    private static final String RUNTIME = "rt_ret:207001,size=";
    private static final String CALL = "rtmallocfail";
    private static final String EXECUTE = "rtmallocexecutefailed,reason=[drivererror:outofmemory]";
    private static final String RESULT = "errorcodeis207001";
    private static final String EXCEPTION_DEVICE = ",device:";
    private static final String FAILED = "failedtoallocatememory";

    /** How the lines behind a code name what was asked for. */
    private static final List<String> ASKED =
            List.of("rtmallocfail", "failedtoallocateresource[devicememory]withinfo[", "halmemallocfailed");

    private static final int TRACEBACK = 1500;
    private static final int LINE = 160;

    @Override
    public List<String> anchors() {
        return List.of(NAMED_CODE, CODE, DRIVER, RUNTIME, CALL, EXECUTE, RESULT);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        return asked(passage, anchor).map(draft -> byCollective(passage, draft));
    }

    /** HCCL stands around it: a collective asked, not a framework. */
    private static ReportDraft byCollective(Passage passage, ReportDraft draft) {
        String lower = passage.lower();
        int from = Math.max(0, draft.start() - LINE - LINE);
        String around = lower.substring(from, Math.min(lower.length(), draft.start() + TRACEBACK));
        return around.contains("hccl") ? draft.claims(Claim.COLLECTIVE) : draft;
    }

    private static Optional<ReportDraft> asked(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.ASCEND_RUNTIME, anchor).claims(Claim.OUTSIDE_ALLOCATION);
        if (cursor.accept(RUNTIME)) {
            return cursor.bytes(draft, Quantity.TRIED) ? Optional.of(draft) : Optional.empty();
        }
        if (cursor.accept(DRIVER)) {
            return driver(passage, cursor, draft);
        }
        if (cursor.at(CALL) && !cursor.at(EXECUTE)) {
            asked(cursor, draft, 0);
            return draft.hasNumbers() ? Optional.of(draft) : Optional.empty();
        }
        if (cursor.accept(EXECUTE) || cursor.accept(RESULT)) {
            return Optional.of(draft.upTo(cursor.position()));
        }
        return code(passage, cursor, draft);
    }

    private static Optional<ReportDraft> code(Passage passage, Cursor cursor, ReportDraft draft) {
        boolean named = cursor.accept(NAMED_CODE);
        if (!named && !(cursor.accept(CODE) && cursor.find(FAILED, LINE / 2))) {
            return Optional.empty(); // A list of error codes.
        }
        draft.upTo(cursor.position());
        int traceback = cursor.position();
        asked(cursor, draft, TRACEBACK);
        while (draft.hasNumbers() && cursor.find(CALL, LINE)) {
            draft.upTo(cursor.position()); // The same request again, in another page size.
        }
        cursor.moveTo(traceback);
        device(cursor, draft, List.of("opendevice", "device_id", "deviceid"), TRACEBACK);
        if (!draft.hasDevice()) {
            exceptionDevice(passage, cursor, draft);
        }
        return Optional.of(draft);
    }

    /** {@code (PID:553, Device:0, RankID:-1)}, which torch_npu prints before it repeats what the runtime said. */
    private static void exceptionDevice(Passage passage, Cursor cursor, ReportDraft draft) {
        int header = LookBack.to(EXCEPTION_DEVICE, passage.lower(), draft.start(), LINE + LINE);
        if (header >= 0) {
            cursor.moveTo(header + EXCEPTION_DEVICE.length());
            OptionalLong id = cursor.integer();
            if (id.isPresent() && cursor.at(",rankid:")) {
                draft.on("NPU", id.getAsLong());
            }
        }
    }

    private static Optional<ReportDraft> driver(Passage passage, Cursor cursor, ReportDraft draft) {
        draft.upTo(cursor.position());
        int words = cursor.position();
        if (cursor.find("size=", LINE / 4)) { // Before the device or behind it, by version.
            cursor.bytes(draft, Quantity.TRIED);
        }
        cursor.moveTo(words);
        device(cursor, draft, List.of("device_id", "devid="), LINE);
        return draft.hasNumbers() || driverSaysMemory(passage.lower(), draft.start())
                ? Optional.of(draft)
                : Optional.empty();
    }

    /** {@code Call rtMalloc fail, purpose: page caching, type = 2, size:3221291008, device_id:0}, the first of them. */
    private static void asked(Cursor cursor, ReportDraft draft, int within) {
        for (String words : ASKED) {
            int before = cursor.position();
            if (cursor.find(words, within)
                    && (cursor.find("size:", LINE / 2) || cursor.find("size=", LINE / 2))
                    && cursor.bytes(draft, Quantity.TRIED)) {
                device(cursor, draft, List.of("device_id"), 4);
                return;
            }
            cursor.moveTo(before);
        }
    }

    private static boolean driverSaysMemory(String lower, int anchor) {
        String rest = lower.substring(anchor, Math.min(lower.length(), anchor + TRACEBACK / 4));
        return rest.contains("drvretcode=6") || rest.contains("outofmemory") || rest.contains("207001");
    }

    private static void device(Cursor cursor, ReportDraft draft, List<String> labels, int within) {
        int before = cursor.position();
        for (String label : labels) {
            if (cursor.find(label, within)) {
                cursor.skipPunctuation(2);
                OptionalLong id = cursor.integer();
                if (id.isPresent() && id.getAsLong() < 1024) {
                    draft.on("NPU", id.getAsLong());
                    draft.upTo(cursor.position());
                    return;
                }
            }
            cursor.moveTo(before);
        }
    }
}

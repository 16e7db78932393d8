package dev.lacuna.core.oom;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * CANN's runtime and driver: EL0004, {@code halMemAlloc failed}, {@code rt_ret:207001}. Whoever asked (HCCL, the graph
 * engine, a framework), it asked outside a framework's pool or for the pool itself.
 */
final class AscendRuntimeGrammar implements OomGrammar {
    private static final String CODE = "memory_allocation_failure(el0004)";
    private static final String DRIVER = "halmemallocfailed";
    private static final String RUNTIME = "rt_ret:207001,size=";
    private static final int TRACEBACK = 1500;

    @Override
    public List<String> anchors() {
        return List.of(CODE, DRIVER, RUNTIME);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.ASCEND_RUNTIME, anchor).claims(Claim.OUTSIDE_ALLOCATION);
        if (cursor.accept(RUNTIME)) {
            return cursor.bytes(draft, Quantity.TRIED) ? Optional.of(draft) : Optional.empty();
        }
        if (cursor.accept(DRIVER)) {
            draft.upTo(cursor.position());
            cursor.skipPunctuation(2);
            if (cursor.accept("size=")) {
                cursor.bytes(draft, Quantity.TRIED);
            }
            device(cursor, draft, List.of("device_id", "device_id=", "devid="), TRACEBACK / 5);
            return draft.hasNumbers() || driverSaysMemory(passage.lower(), anchor)
                    ? Optional.of(draft)
                    : Optional.empty();
        }
        cursor.accept(CODE);
        draft.upTo(cursor.position());
        device(cursor, draft, List.of("opendevice", "device_id", "deviceid"), TRACEBACK);
        return Optional.of(draft);
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

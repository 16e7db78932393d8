package dev.lacuna.core.diagnosis.oom.grammar.collective;

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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Collectives that asked for memory themselves and got none, beside a framework's pool: NCCL and RCCL ({@code Cuda failure
 * 2 'out of memory'}, {@code Failed to CUDA calloc}), HCCL ({@code EI0007}, {@code device memory alloc failed}, {@code HCCL
 * error in …} over a runtime's failure). A collective's failure for another reason is none of these.
 */
public final class CollectiveGrammar implements OomGrammar {
    private static final String ALLOC = "failedtocuda";
    private static final List<String> FAILURES = List.of(
            "cudafailure2'outofmemory'",
            "cudafailure'outofmemory'",
            "hipfailure2'outofmemory'",
            "hipfailure'outofmemory'");

    private static final List<String> DEVICE_CALLS = List.of("callocasync", "calloc", "mallocasync", "malloc");
    private static final List<String> HOST_CALLS = List.of("hostcalloc", "hostalloc");
    /** Of whichever call that locks memory for a network card. */
    private static final String LOCKED = "failedwitherrorcannotallocatememory";

    private static final String VERBS = "calltoibv_";
    private static final int LONGEST_CALL = 40;
    private static final String HCCL_CODE = "ei0007";
    /** CANN 8.3 and later: queue pairs between ranks found no device memory. */
    private static final String HCCL_QUEUES = "resource_error_insufficient_device_memory(ei0011):";

    private static final String HCCL_ALLOC = "devicememoryallocfailed";
    private static final String HCCL_ERROR = "hcclerrorin";
    private static final String HCCL_MALLOC = "[malloc][mem]errno[";
    private static final int NEAR = 400;
    private static final int TRACEBACK = 1500;

    /** What says, below an error of HCCL, that memory was short. */
    private static final List<String> MEMORY = List.of(
            "failedtoapplyformemory",
            "failedtoallocatememory",
            "memoryresourcesareexhausted",
            "outofmemory",
            "memoryallocationfail",
            "memoryallocfailed",
            "207001",
            "el0004",
            HCCL_CODE,
            "ei0011");

    @Override
    public List<String> anchors() {
        return List.of(
                HCCL_ERROR,
                HCCL_CODE,
                HCCL_QUEUES,
                HCCL_ALLOC,
                HCCL_MALLOC,
                "cudafailure2'outofmemory'",
                "cudafailure'outofmemory'",
                "hipfailure2'outofmemory'",
                "hipfailure'outofmemory'",
                ALLOC,
                LOCKED);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        if (cursor.accept(HCCL_ERROR)) {
            return error(passage, cursor);
        }
        if (cursor.accept(HCCL_CODE)) {
            return code(cursor, hccl(anchor));
        }
        if (cursor.accept(HCCL_QUEUES)) {
            return Optional.of(hccl(anchor).upTo(cursor.position()));
        }
        if (cursor.accept(HCCL_MALLOC)) {
            boolean memory = cursor.find("outofmemory", NEAR / 2) || cursor.find("207001", NEAR / 2);
            return memory ? Optional.of(asked(cursor, hccl(anchor))) : Optional.empty();
        }
        if (cursor.accept(HCCL_ALLOC)) {
            boolean speaks = LookBack.to("hccl", passage.lower(), anchor, NEAR) >= 0;
            return speaks ? Optional.of(asked(cursor, hccl(anchor))) : Optional.empty();
        }
        return nccl(passage, cursor);
    }

    private static Optional<ReportDraft> nccl(Passage passage, Cursor cursor) {
        int anchor = cursor.position();
        boolean amd = passage.lower().startsWith("hip", anchor);
        ReportDraft draft =
                new ReportDraft(amd ? Framework.PYTORCH_ROCM : Framework.PYTORCH_CUDA, anchor).claims(Claim.COLLECTIVE);
        if (cursor.accept(LOCKED)) {
            int call = LookBack.to(VERBS, passage.lower(), anchor, LONGEST_CALL);
            return call < 0
                    ? Optional.empty()
                    : Optional.of(new ReportDraft(Framework.PYTORCH_CUDA, call)
                            .claims(Claim.COLLECTIVE)
                            .claims(Claim.HOST_MEMORY)
                            .claims(Claim.PINNED)
                            .upTo(cursor.position()));
        }
        draft.claims(Claim.OUTSIDE_ALLOCATION);
        warned(passage, anchor).ifPresent(device -> draft.on("GPU", device));
        if (cursor.acceptAny(FAILURES)) {
            return Optional.of(draft.upTo(cursor.position()));
        }
        cursor.accept(ALLOC);
        if (cursor.acceptAny(HOST_CALLS) && cursor.bytes(draft, Quantity.TRIED)) {
            ReportDraft pinned = new ReportDraft(draft.framework(), anchor).claims(Claim.COLLECTIVE);
            pinned.absorbAmounts(draft);
            return Optional.of(pinned.claims(Claim.HOST_MEMORY).claims(Claim.PINNED));
        }
        return cursor.acceptAny(DEVICE_CALLS) && cursor.bytes(draft, Quantity.TRIED)
                ? Optional.of(draft)
                : Optional.empty();
    }

    /** The device that NCCL names before its warning: {@code node1:4711:4733 [3] include/alloc.h:103 NCCL WARN}. */
    private static OptionalLong warned(Passage passage, int anchor) {
        Matcher before = WARNED.matcher(passage.lower()).region(Math.max(0, anchor - LONGEST_MARK), anchor);
        return before.find() ? OptionalLong.of(Long.parseLong(before.group(1))) : OptionalLong.empty();
    }

    private static final int LONGEST_MARK = 120;
    private static final Pattern WARNED = Pattern.compile(":\\d{1,9}:\\d{1,9}\\[(\\d{1,3})\\][^\\[\\]]{0,60}ncclwarn$");

    /** torch_npu's own line over what the runtime says: memory, or something else. */
    private static Optional<ReportDraft> error(Passage passage, Cursor cursor) {
        ReportDraft draft = hccl(cursor.position() - HCCL_ERROR.length()).upTo(cursor.position());
        String lower = passage.lower();
        String below = lower.substring(cursor.position(), Math.min(lower.length(), cursor.position() + TRACEBACK));
        int said = MEMORY.stream()
                .mapToInt(below::indexOf)
                .filter(i -> i >= 0)
                .min()
                .orElse(-1);
        if (said < 0) {
            return Optional.empty();
        }
        cursor.moveTo(cursor.position() + said);
        return Optional.of(asked(cursor, draft.upTo(cursor.position() + 1)));
    }

    /** {@code EI0007: Failed to allocate resource[DeviceMemory] with info [size:209715200 Byte]. Reason: …}. */
    private static Optional<ReportDraft> code(Cursor cursor, ReportDraft draft) {
        cursor.accept(")");
        if (!cursor.accept(":") || !cursor.find("failedtoallocateresource", NEAR / 4)) {
            return Optional.empty(); // A list of error codes.
        }
        cursor.skipPunctuation(1);
        boolean device = cursor.accept("devicememory");
        draft.upTo(cursor.position());
        return Optional.of(device ? asked(cursor, draft) : draft);
    }

    private static ReportDraft asked(Cursor cursor, ReportDraft draft) {
        draft.upTo(cursor.position());
        int before = cursor.position();
        for (String label : List.of("size:", "size[", "size=")) {
            if (cursor.find(label, NEAR)) {
                cursor.bytes(draft, Quantity.TRIED);
                return draft;
            }
            cursor.moveTo(before);
        }
        return draft;
    }

    private static ReportDraft hccl(int start) {
        return new ReportDraft(Framework.ASCEND_RUNTIME, start)
                .claims(Claim.OUTSIDE_ALLOCATION)
                .claims(Claim.COLLECTIVE);
    }
}

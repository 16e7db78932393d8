package dev.lacuna.core.diagnosis.oom.grammar.mindspore;

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

/** MindSpore's memory pools on Ascend and GPU: several wordings over the versions, sizes in bare bytes or with B and M. */
public final class MindSporeGrammar implements OomGrammar {
    private static final String NOT_ENOUGH = "memoryisn'tenoughandallocfailed";
    private static final String STATISTIC = "outofmemory!!!requestmemorysize:";
    private static final String POOL_TOTAL = "outofmemory!!!total[";
    private static final String MORE_THAN_TOTAL = "totalusedmemstatistics:";
    private static final String MALLOC = "mallocdevicememoryfailed";
    private static final String HALF = "freememorysizeislessthanhalfoftotalmemorysize";
    private static final String SMALLER = "currentfreememorysize[";
    private static final String SMALLER_BLOCK = "memorynotenough:allocsize[";
    /** For a kernel's inputs, outputs or workspace; whose device it is the message does not say. */
    private static final String KERNEL = "failed,memoryisn'tenough,node:";

    private static final String HOST_PINNED = "cudahostallocfailed";
    private static final int KERNEL_PART = 32;
    private static final int NEAR = 400;
    private static final int KERNEL_NAME = 1500;

    @Override
    public List<String> anchors() {
        return List.of(
                NOT_ENOUGH,
                STATISTIC,
                POOL_TOTAL,
                MORE_THAN_TOTAL,
                MALLOC,
                HALF,
                SMALLER,
                SMALLER_BLOCK,
                KERNEL,
                HOST_PINNED);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(speaker(passage.lower(), anchor), start(passage.lower(), anchor));
        if (cursor.accept(NOT_ENOUGH)) {
            return notEnough(cursor, draft, passage.lower(), anchor);
        }
        if (cursor.accept(STATISTIC)) {
            return statistic(cursor, draft);
        }
        if (cursor.accept(POOL_TOTAL)) {
            cursor.bytes(draft, Quantity.TOTAL);
            return given(draft, cursor.find("malloc[", 120) && cursor.bytes(draft, Quantity.TRIED));
        }
        if (cursor.accept(MORE_THAN_TOTAL)) {
            return moreThanTotal(cursor, draft);
        }
        if (cursor.accept(SMALLER)) {
            cursor.bytes(draft, Quantity.FREE);
            return given(draft, cursor.find("requiredsize[", 40) && cursor.bytes(draft, Quantity.TRIED));
        }
        if (cursor.accept(SMALLER_BLOCK)) {
            return given(draft, cursor.find("requiredsize[", 60) && cursor.bytes(draft, Quantity.TRIED));
        }
        if (cursor.accept(KERNEL)) {
            int start = LookBack.to("mallocforkernel", passage.lower(), anchor, KERNEL_PART);
            ReportDraft kernel = new ReportDraft(draft.framework(), start < 0 ? anchor : start);
            return Optional.of(kernel.upTo(cursor.position()));
        }
        if (cursor.accept(HOST_PINNED)) {
            boolean memory = cursor.find("outofmemory", 40);
            return given(
                    new ReportDraft(Framework.MINDSPORE_GPU, anchor)
                            .claims(Claim.HOST_MEMORY)
                            .claims(Claim.PINNED)
                            .upTo(cursor.position()),
                    memory && around(passage.lower(), anchor).contains("mindspore"));
        }
        if (around(passage.lower(), anchor).contains(HALF)) {
            draft.claims(Claim.HELD_BY_OTHERS); // Asked at the start, before MindSpore took anything.
        }
        return malloc(cursor, draft);
    }

    /** {@code Device(id:0) memory isn't enough and alloc failed, kernel name: …, alloc size: 8192B}. */
    private static Optional<ReportDraft> notEnough(Cursor cursor, ReportDraft draft, String lower, int anchor) {
        device(lower, anchor).ifPresent(id -> draft.on(deviceWord(draft), id));
        draft.upTo(cursor.position());
        if (cursor.find("allocsize:", KERNEL_NAME)) {
            cursor.bytes(draft, Quantity.TRIED);
        }
        boolean cut = draft.end() >= lower.length();
        return given(draft, draft.hasNumbers() || device(lower, anchor).isPresent() || cut);
    }

    /** {@code Out of Memory!!! Request memory size: 1088627200B, Memory Statistic: Device HBM memory size: 32768M …}. */
    private static Optional<ReportDraft> statistic(Cursor cursor, ReportDraft draft) {
        boolean tried = cursor.size(draft, Quantity.TRIED, Cursor.ALL_UNITS) || cursor.bytes(draft, Quantity.TRIED);
        if (cursor.find("hbmmemorysize:", 120)) {
            cursor.size(draft, Quantity.TOTAL, Cursor.ALL_UNITS);
        }
        if (cursor.find("mindsporeusedmemorysize:", 200)) {
            cursor.size(draft, Quantity.ALLOCATED, Cursor.ALL_UNITS);
        }
        return given(draft, tried);
    }

    /** {@code TotalUsedMemStatistics : … plus alloc size : … is more than total mem size : …}. */
    private static Optional<ReportDraft> moreThanTotal(Cursor cursor, ReportDraft draft) {
        cursor.bytes(draft, Quantity.ALLOCATED);
        boolean tried = cursor.find("allocsize:", 120) && cursor.bytes(draft, Quantity.TRIED);
        boolean total = cursor.find("totalmemsize:", 60) && cursor.bytes(draft, Quantity.TOTAL);
        return given(draft, tried && total);
    }

    /** {@code Malloc device memory failed, size[…], ret[…], Device 0 Available HBM size:… free size:…}. */
    private static Optional<ReportDraft> malloc(Cursor cursor, ReportDraft draft) {
        int from = cursor.position();
        cursor.accept(MALLOC);
        int head = cursor.position();
        if (cursor.find("size[", 8)) {
            cursor.bytes(draft, Quantity.TRIED);
        }
        int before = cursor.position();
        while (cursor.find("device", NEAR / 4)) {
            OptionalLong id = cursor.integer();
            if (id.isPresent()) {
                draft.on(deviceWord(draft), id.getAsLong());
                before = cursor.position();
                break;
            }
        }
        cursor.moveTo(before);
        for (String label : List.of("hbmtotalsize:", "availablehbmsize:", "availablemocsize:", "moctotalsize:")) {
            if (cursor.find(label, NEAR / 2)) {
                cursor.bytes(draft, Quantity.TOTAL);
                break;
            }
        }
        if (cursor.find("freesize:", 60)) {
            cursor.bytes(draft, Quantity.FREE);
        }
        return given(draft.upTo(Math.max(from, head)), draft.hasNumbers());
    }

    private static Optional<ReportDraft> given(ReportDraft draft, boolean understood) {
        return understood ? Optional.of(draft) : Optional.empty();
    }

    private static int start(String lower, int anchor) {
        int device = LookBack.to("device(id:", lower, anchor, 24);
        return device >= 0 ? device : anchor;
    }

    private static OptionalLong device(String lower, int anchor) {
        int at = LookBack.to("device(id:", lower, anchor, 24);
        if (at < 0) {
            return OptionalLong.empty();
        }
        int from = at + "device(id:".length();
        int to = from;
        while (to < anchor && to - from < 6 && Character.isDigit(lower.charAt(to))) {
            to++;
        }
        return to > from ? OptionalLong.of(Long.parseLong(lower.substring(from, to))) : OptionalLong.empty();
    }

    private static String deviceWord(ReportDraft draft) {
        return draft.framework() == Framework.MINDSPORE_GPU ? "GPU" : "NPU";
    }

    private static Framework speaker(String lower, int anchor) {
        String around = around(lower, anchor);
        boolean gpu = around.contains("device/gpu") || around.contains("gpu_memory") || around.contains("/gpu/");
        return gpu && !around.contains("ascend") ? Framework.MINDSPORE_GPU : Framework.MINDSPORE_ASCEND;
    }

    private static String around(String lower, int anchor) {
        return lower.substring(Math.max(0, anchor - NEAR), Math.min(lower.length(), anchor + NEAR));
    }
}

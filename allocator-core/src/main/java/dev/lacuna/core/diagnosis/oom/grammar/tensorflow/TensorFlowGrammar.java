package dev.lacuna.core.diagnosis.oom.grammar.tensorflow;

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
 * TensorFlow's BFC allocator (which XLA uses too): the warning, the exception, the driver's refusal and the statistics of
 * its dump. A shape and a type are no size that the message gives, so they leave "tried" missing.
 */
public final class TensorFlowGrammar implements OomGrammar {
    private static final String WARNING = "ranoutofmemorytryingtoallocate";
    private static final String TENSOR = "oomwhenallocatingtensorwithshape[";
    /** Until TensorFlow 1.4. */
    private static final String TENSOR_OLD = "oomwhenallocatingtensorofshape[";

    /** What the allocator adds when the caller has a second plan. */
    private static final String HARMLESS = "thecallerindicatesthatthisisnotafailure";

    private static final String DRIVER = "bytes)fromdevice:";
    private static final String PINNED = "failedtoalloc";
    private static final String PINNED_ALLOCATOR = "couldnotallocatepinnedhostmemoryofsize:";
    private static final String STATS = "limit:";

    /** A notebook's header, of whose traceback the end was not pasted. */
    private static final String NOTEBOOK = "resourceexhaustederrortraceback(mostrecentcalllast)";

    /** The tensor that was to be copied found no memory on the other side. */
    private static final String NOT_COPIED = "dsttensorisnotinitialized";

    /** CUDA's own pool under TensorFlow and JAX, whose file has the same name in both. */
    private static final String ASYNC = "cumemallocasyncfailedtoallocate";

    private static final String ASYNC_FILE = "gpu_cudamallocasync_allocator.cc";
    private static final int NEAR = 200;

    @Override
    public List<String> anchors() {
        return List.of(
                WARNING, TENSOR, TENSOR_OLD, DRIVER, PINNED, PINNED_ALLOCATOR, STATS, NOT_COPIED, ASYNC, NOTEBOOK);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        String lower = passage.lower();
        Cursor cursor = new Cursor(passage, anchor);
        if (cursor.accept(WARNING)) {
            ReportDraft draft = new ReportDraft(speaker(lower, anchor), anchor);
            if (!cursor.size(draft, Quantity.TRIED, Cursor.ALL_UNITS)) {
                return Optional.empty();
            }
            return Optional.of(cursor.find(HARMLESS, NEAR) ? draft.claims(Claim.NOT_A_FAILURE) : draft);
        }
        if (cursor.accept(NOTEBOOK) && !passage.lineStart(anchor)) {
            return Optional.empty();
        }
        if (cursor.position() > anchor || cursor.accept(NOT_COPIED)) {
            return Optional.of(new ReportDraft(Framework.TENSORFLOW, anchor).upTo(cursor.position()));
        }
        if (cursor.accept(TENSOR) || cursor.accept(TENSOR_OLD)) {
            return tensor(cursor, new ReportDraft(Framework.TENSORFLOW, anchor));
        }
        if (cursor.accept(ASYNC)) {
            return async(cursor, new ReportDraft(asyncSpeaker(lower, anchor), anchor));
        }
        if (cursor.accept(PINNED)) {
            return pinned(cursor, new ReportDraft(speaker(lower, anchor), anchor));
        }
        if (cursor.accept(PINNED_ALLOCATOR)) {
            ReportDraft draft = new ReportDraft(speaker(lower, anchor), anchor)
                    .claims(Claim.HOST_MEMORY)
                    .claims(Claim.PINNED);
            return cursor.bytes(draft, Quantity.TRIED) ? Optional.of(draft) : Optional.empty();
        }
        if (!cursor.at(STATS)) {
            return driver(passage, anchor);
        }
        boolean toldBefore = lower.substring(Math.max(0, anchor - NEAR), anchor).contains(ASYNC_FILE);
        return toldBefore ? Optional.empty() : stats(passage, cursor, anchor);
    }

    private static Optional<ReportDraft> tensor(Cursor cursor, ReportDraft draft) {
        if (!cursor.find("]", 200)) {
            return Optional.empty();
        }
        draft.upTo(cursor.position());
        if (cursor.find("/device:", NEAR)) {
            String word = cursor.letters(8);
            cursor.accept(":");
            OptionalLong number = cursor.integer();
            if (!word.isEmpty() && number.isPresent()) {
                draft.on(word, number.getAsLong()).upTo(cursor.position());
            }
            if (word.equalsIgnoreCase("cpu")) {
                draft.claims(Claim.HOST_MEMORY);
            }
        }
        if (cursor.find("byallocator", 4) && (cursor.at("cpu") || cursor.at("mklcpu"))) {
            draft.claims(Claim.HOST_MEMORY);
        }
        return Optional.of(draft);
    }

    /** {@code cuMemAllocAsync failed to allocate 1048576 bytes: … Reported by CUDA: Free memory/Total memory: 1024/2048}. */
    private static Optional<ReportDraft> async(Cursor cursor, ReportDraft draft) {
        if (!cursor.bytes(draft, Quantity.TRIED)) {
            return Optional.empty();
        }
        cursor.find("cuda_error_out_of_memory:outofmemory", 60);
        draft.upTo(cursor.position());
        if (cursor.find("freememory/totalmemory:", NEAR)
                && cursor.bytes(draft, Quantity.FREE)
                && cursor.accept("/")
                && cursor.bytes(draft, Quantity.TOTAL)) {
            draft.upTo(cursor.position());
        }
        return Optional.of(draft);
    }

    /** TensorFlow prints the path of its sources, JAX the file's name alone. */
    private static Framework asyncSpeaker(String lower, int anchor) {
        String before = lower.substring(Math.max(0, anchor - NEAR), anchor);
        return before.contains(ASYNC_FILE) && !before.contains("tensorflow/")
                ? Framework.JAX_XLA
                : speaker(lower, anchor);
    }

    /** {@code Limit: 503270604 InUse: 503061248 MaxInUse: …}: what is in use is what the allocator handed out. */
    private static Optional<ReportDraft> stats(Passage passage, Cursor cursor, int anchor) {
        ReportDraft draft = new ReportDraft(Framework.TENSORFLOW, anchor);
        cursor.accept(STATS);
        boolean understood = cursor.bytes(draft, Quantity.TOTAL)
                && cursor.accept("inuse:")
                && cursor.bytes(draft, Quantity.ALLOCATED)
                && (cursor.at("maxinuse:") || endsLine(passage, cursor.position())); // Cut short, it ends there.
        return understood ? Optional.of(draft) : Optional.empty();
    }

    private static boolean endsLine(Passage passage, int at) {
        return at >= passage.length() || passage.lineStart(at);
    }

    /** {@code failed to allocate 13.76G (14773796864 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY}: the exact size counts. */
    private static Optional<ReportDraft> driver(Passage passage, int anchor) {
        String lower = passage.lower();
        int start = LookBack.to("failedtoallocate", lower, anchor, 64);
        if (start < 0) {
            return Optional.empty();
        }
        ReportDraft draft = new ReportDraft(speaker(lower, anchor), start);
        Cursor cursor = new Cursor(passage, start);
        boolean understood = cursor.find("(", 40) && cursor.bytes(draft, Quantity.TRIED);
        cursor.moveTo(anchor + DRIVER.length());
        if (!understood || !saysMemory(cursor)) {
            return Optional.empty();
        }
        return Optional.of(draft.upTo(cursor.position()).claims(Claim.OUTSIDE_ALLOCATION));
    }

    /** {@code failed to alloc 2147483648 bytes on host: CUDA_ERROR_OUT_OF_MEMORY}: the host's pinned memory. */
    private static Optional<ReportDraft> pinned(Cursor cursor, ReportDraft draft) {
        boolean understood =
                cursor.bytes(draft, Quantity.TRIED) && cursor.accept("onhost:") && cursor.find("out_of_memory", 48);
        return understood
                ? Optional.of(
                        draft.upTo(cursor.position()).claims(Claim.HOST_MEMORY).claims(Claim.PINNED))
                : Optional.empty();
    }

    private static boolean saysMemory(Cursor cursor) {
        return cursor.find("out_of_memory", 48) || cursor.find("hip_error_outofmemory", 4);
    }

    private static Framework speaker(String lower, int anchor) {
        String before = lower.substring(Math.max(0, anchor - NEAR), anchor);
        boolean xla = before.contains("external/xla")
                || before.contains("external/org_tensorflow") // jaxlib, until it left TensorFlow's sources in 2023
                || before.contains("xla/tsl");
        return xla ? Framework.JAX_XLA : Framework.TENSORFLOW;
    }
}

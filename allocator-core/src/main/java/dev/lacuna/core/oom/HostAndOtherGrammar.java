package dev.lacuna.core.oom;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Allocators that turn up in training logs beside the frameworks: Rust's abort and Sophgo's device library. */
final class HostAndOtherGrammar implements OomGrammar {
    private static final String RUST = "memoryallocationof";
    private static final String SOPHGO = "bm_alloc_gmemfailed,dev_id=";

    @Override
    public List<String> anchors() {
        return List.of(RUST, SOPHGO);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor);
        if (cursor.accept(SOPHGO)) {
            OptionalLong device = cursor.integer();
            device.ifPresent(n -> draft.on("dev", n));
            boolean understood = cursor.find("size=", 4)
                    && (cursor.hexBytes(draft, Quantity.TRIED) || cursor.bytes(draft, Quantity.TRIED));
            return understood ? Optional.of(draft) : Optional.empty();
        }
        return rust(passage, cursor, draft);
    }

    /** Several processes abort at once and interleave: only a line that is whole can be trusted. */
    private static Optional<ReportDraft> rust(Passage passage, Cursor cursor, ReportDraft draft) {
        boolean whole = passage.lineStart(draft.start())
                && cursor.accept(RUST)
                && cursor.bytes(draft, Quantity.TRIED)
                && cursor.accept("failed")
                && (cursor.position() == passage.length() || passage.lineStart(cursor.position()));
        return whole ? Optional.of(draft.upTo(cursor.position())) : Optional.empty();
    }
}

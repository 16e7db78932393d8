package dev.lacuna.core.oom;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** PyTorch with CUDA's own asynchronous allocator: {@code Allocation on device 0 would exceed allowed memory} and a list of figures. */
final class CudaMallocAsyncGrammar implements OomGrammar {
    private static final String ANCHOR = "wouldexceedallowedmemory";
    private static final int REACH = 40;

    /** A line of the list. */
    private record Figure(String label, Quantity quantity) {}

    private static final List<Figure> FIGURES = List.of(
            new Figure("currentlyallocated:", Quantity.ALLOCATED),
            new Figure("requested:", Quantity.TRIED),
            new Figure("devicelimit:", Quantity.TOTAL),
            new Figure("free(accordingtocuda):", Quantity.FREE),
            new Figure("pytorchlimit(setbyuser-suppliedmemoryfraction):", Quantity.ALLOWED));

    @Override
    public List<String> anchors() {
        return List.of(ANCHOR);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        int start = LookBack.to("allocationon", passage.lower(), anchor, 32);
        if (start < 0) {
            return Optional.empty();
        }
        ReportDraft draft = new ReportDraft(Framework.PYTORCH_CUDA_MALLOC_ASYNC, start);
        Cursor cursor = new Cursor(passage, start + "allocationon".length());
        String word = cursor.letters(16);
        OptionalLong number = cursor.integer();
        if (!word.isEmpty() && number.isPresent()) {
            draft.on(word, number.getAsLong());
        }
        cursor.moveTo(anchor + ANCHOR.length());
        draft.upTo(cursor.position());
        for (Figure figure : FIGURES) {
            int before = cursor.position();
            if (!cursor.find(figure.label(), REACH) || !cursor.size(draft, figure.quantity(), Cursor.LONG_UNITS)) {
                cursor.moveTo(before);
            }
        }
        return Optional.of(draft);
    }
}

package dev.lacuna.core.diagnosis.oom.grammar.pytorch;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What PyTorch 2.14 logs when the driver refuses a segment, before it gives its cache back and asks again: {@code memory
 * allocation failed with OOM on device 0 while trying to allocate 3221225472 bytes (free: 2147483648, total: 8589934592)}.
 * No failure yet; its figures are exact and tell of the device.
 */
public final class AllocatorWarningGrammar implements OomGrammar {
    private static final String WARNING = "memoryallocationfailedwithoomondevice";

    @Override
    public List<String> anchors() {
        return List.of(WARNING);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        cursor.accept(WARNING);
        ReportDraft draft = new ReportDraft(Framework.PYTORCH_CUDA, anchor)
                .claims(Claim.TABLE)
                .claims(Claim.NOT_A_FAILURE);
        OptionalLong device = cursor.integer();
        device.ifPresent(id -> draft.on("GPU", id));
        boolean understood = cursor.accept("whiletryingtoallocate")
                && cursor.bytes(draft, Quantity.TRIED)
                && cursor.accept("(free:")
                && cursor.bytes(draft, Quantity.FREE)
                && cursor.accept(",total:")
                && cursor.bytes(draft, Quantity.TOTAL);
        return understood ? Optional.of(draft) : Optional.empty();
    }
}

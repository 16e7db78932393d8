package dev.lacuna.core.diagnosis.oom.grammar.vllm;

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
 * What vLLM says itself when memory does not suffice at its start: warming up fails (which hides PyTorch's figures), the
 * device is not free enough for the share that it is to take, or nothing of that share is left for the cache.
 */
public final class VllmGrammar implements OomGrammar {
    private static final String WARMING_UP = "cudaoutofmemoryoccurredwhenwarmingup";
    private static final String NO_BLOCKS = "noavailablememoryforthecacheblocks.tryincreasing";
    private static final String START_UP = "freememoryondevice";
    private static final String CACHE = "islargerthantheavailablekvcachememory(";

    /** Until 0.8 the cache was counted in tokens. */
    private static final String TOKENS = "islargerthanthemaximumnumberoftokensthatcanbestoredinkvcache(";

    /** What vLLM prints of its cache before it fails: less than nothing is left of its share. */
    private static final String NEGATIVE = "availablekvcachememory:-";

    /** Characters within which a bound follows the figures. */
    private static final int BOUND = 80;

    @Override
    public List<String> anchors() {
        return List.of(WARMING_UP, NO_BLOCKS, START_UP, CACHE, TOKENS, NEGATIVE);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.VLLM, anchor);
        if (cursor.accept(START_UP)) {
            return startUp(cursor, draft);
        }
        if (cursor.at(CACHE)) {
            return cache(passage, anchor);
        }
        if (cursor.accept(TOKENS)) {
            boolean bound = cursor.integer().isPresent();
            return bound ? Optional.of(draft.claims(Claim.SHARE_TOO_SMALL).upTo(cursor.position())) : Optional.empty();
        }
        if (cursor.accept(NEGATIVE)) {
            boolean told = cursor.size(new ReportDraft(Framework.VLLM, anchor), Quantity.FREE, Cursor.LONG_UNITS);
            return told ? Optional.of(draft.claims(Claim.SHARE_TOO_SMALL).upTo(cursor.position())) : Optional.empty();
        }
        if (cursor.accept(NO_BLOCKS)) {
            return Optional.of(draft.claims(Claim.SHARE_TOO_SMALL).upTo(cursor.position()));
        }
        return Optional.of(draft.upTo(anchor + WARMING_UP.length()));
    }

    /**
     * {@code Free memory on device cuda:0 (19.77/22.05 GiB) on startup is less than desired GPU memory utilization (0.9,
     * 19.84 GiB)}.
     */
    private static Optional<ReportDraft> startUp(Cursor cursor, ReportDraft draft) {
        String word = cursor.letters(8);
        if (!word.isEmpty() && cursor.accept(":")) {
            OptionalLong number = cursor.integer();
            number.ifPresent(n -> draft.on("GPU", n));
        }
        boolean understood = cursor.accept("(")
                && cursor.ratio(draft, Quantity.FREE, Quantity.TOTAL)
                && cursor.accept(")onstartupislessthandesiredgpumemoryutilization(")
                && cursor.find(",", 8)
                && cursor.size(draft, Quantity.TRIED, Cursor.LONG_UNITS);
        return understood ? Optional.of(draft.claims(Claim.HELD_BY_OTHERS)) : Optional.empty();
    }

    /**
     * {@code (5.62 GiB KV cache is needed, which is larger than the available KV cache memory (2.42 GiB). Based on the
     * available memory, the estimated maximum model length is 5632.} What stood before may be cut off.
     */
    private static Optional<ReportDraft> cache(Passage passage, int anchor) {
        int needed = LookBack.to("kvcacheisneeded,which", passage.lower(), anchor, 32);
        int open = needed < 0 ? -1 : LookBack.to("(", passage.lower(), needed, 16);
        ReportDraft draft = new ReportDraft(Framework.VLLM, open < 0 ? anchor : open + 1).claims(Claim.SHARE_TOO_SMALL);
        if (open >= 0) {
            new Cursor(passage, open + 1).size(draft, Quantity.TRIED, Cursor.LONG_UNITS);
        }
        Cursor cursor = new Cursor(passage, anchor + CACHE.length());
        boolean understood = cursor.size(draft, Quantity.FREE, Cursor.LONG_UNITS);
        if (cursor.find("estimatedmaximummodellengthis", BOUND)
                && cursor.integer().isPresent()) {
            draft.upTo(cursor.position());
        }
        return understood || open >= 0 ? Optional.of(draft.upTo(anchor + CACHE.length() - 1)) : Optional.empty();
    }
}

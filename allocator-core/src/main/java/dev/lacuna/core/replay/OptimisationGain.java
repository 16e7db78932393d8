package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.allocator.segregated.SegregatedPoolAllocator;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.Translations;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ResourceBundle;

/**
 * What the optimisation would have changed for a job: Lacuna's pools against PyTorch's stock rules, on the same trace and device. The
 * sentences stand in {@code OptimisationGain*.properties}.
 *
 * @param stock what the stock rules made of it
 * @param optimised what the segregated pools made of it
 */
public record OptimisationGain(PolicyOutcome stock, PolicyOutcome optimised) {
    /** What is to be said first. */
    private enum Verdict {
        /** Nothing failed, and less was needed. */
        LESS,
        /** Nothing failed, and no less was needed. */
        NO_LESS,
        /** Requests failed, and would not have. */
        SAVED,
        /** Requests failed, and some would have failed all the same. */
        FAILS_TOO,
        /** Nothing failed, and requests would have. */
        FAILS
    }

    /** The gain, where both took part. */
    public static Optional<OptimisationGain> of(List<PolicyOutcome> outcomes) {
        Optional<PolicyOutcome> stock = named(outcomes, CachingAllocator.NAME);
        Optional<PolicyOutcome> optimised = named(outcomes, SegregatedPoolAllocator.NAME);
        return stock.flatMap(before -> optimised.map(after -> new OptimisationGain(before, after)));
    }

    /** One plain sentence in this language. */
    public String sentence(Locale locale) {
        ResourceBundle texts = Translations.of(OptimisationGain.class.getName(), locale);
        return new MessageFormat(texts.getString(verdict().name()), Locale.ROOT).format(new Object[] {
            ByteSize.format(needed(optimised)),
            ByteSize.format(needed(stock)),
            grouped(optimised.result().ooms()),
            grouped(stock.result().ooms()),
            grouped(optimised.result().firstOom().orElse(0)),
            grouped(stock.result().firstOom().orElse(0)),
            stock.result().ooms() - 1
        });
    }

    private Verdict verdict() {
        boolean failed = stock.result().ooms() > 0;
        if (optimised.result().ooms() > 0) {
            return failed ? Verdict.FAILS_TOO : Verdict.FAILS;
        }
        if (failed) {
            return Verdict.SAVED;
        }
        return needed(optimised) < needed(stock) ? Verdict.LESS : Verdict.NO_LESS;
    }

    /** The smallest capacity that finishes, where both are known; else what was reserved at the peak. */
    private long needed(PolicyOutcome outcome) {
        boolean known =
                stock.smallestBytes().isPresent() && optimised.smallestBytes().isPresent();
        return known ? outcome.smallestBytes().getAsLong() : outcome.result().peakReservedBytes();
    }

    private static Optional<PolicyOutcome> named(List<PolicyOutcome> outcomes, String policy) {
        return outcomes.stream().filter(o -> o.result().policy().equals(policy)).findFirst();
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}

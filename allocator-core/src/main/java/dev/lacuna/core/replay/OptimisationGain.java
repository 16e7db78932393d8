package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.allocator.segregated.SegregatedPoolAllocator;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.Translations;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ResourceBundle;

/**
 * What the optimisation would have changed for a job: Lacuna's pools against PyTorch's stock rules, on the same trace. Each sentence is
 * about one figure and names it, so that none changes its sense when more becomes known. They stand in {@code OptimisationGain*.properties}.
 *
 * @param stock what the stock rules made of it
 * @param optimised what the segregated pools made of it
 */
public record OptimisationGain(PolicyOutcome stock, PolicyOutcome optimised) {
    /** What a sentence is about. */
    private enum Subject {
        /** The smallest card that finishes. */
        CARD,
        /** What is reserved where nothing presses. */
        SPARE,
        /** What is reserved on the device that was asked for. */
        DEVICE,
        /** Requests failed there, and would not have. */
        SAVED,
        /** Requests failed there, and some would have failed all the same. */
        FAILS_TOO,
        /** Nothing failed there, and requests would have. */
        FAILS
    }

    /** The gain, where both took part. */
    public static Optional<OptimisationGain> of(List<PolicyOutcome> outcomes) {
        Optional<PolicyOutcome> stock = named(outcomes, CachingAllocator.NAME);
        Optional<PolicyOutcome> optimised = named(outcomes, SegregatedPoolAllocator.NAME);
        return stock.flatMap(before -> optimised.map(after -> new OptimisationGain(before, after)));
    }

    /** Plain sentences in this language, what decides first. */
    public List<String> sentences(Locale locale) {
        ResourceBundle texts = Translations.of(OptimisationGain.class.getName(), locale);
        return subjects().stream()
                .map(subject ->
                        new MessageFormat(texts.getString(subject.name()), Locale.ROOT).format(figures(subject)))
                .toList();
    }

    private List<Subject> subjects() {
        List<Subject> subjects = new ArrayList<>();
        boolean cards =
                stock.smallestBytes().isPresent() && optimised.smallestBytes().isPresent();
        boolean spare = stock.need().isPresent() && optimised.need().isPresent();
        if (cards) {
            subjects.add(Subject.CARD);
        }
        failure().ifPresent(subjects::add);
        subjects.add(spare ? Subject.SPARE : Subject.DEVICE);
        return subjects;
    }

    private Optional<Subject> failure() {
        boolean failed = stock.result().ooms() > 0;
        if (optimised.result().ooms() > 0) {
            return Optional.of(failed ? Subject.FAILS_TOO : Subject.FAILS);
        }
        return failed ? Optional.of(Subject.SAVED) : Optional.empty();
    }

    private Object[] figures(Subject subject) {
        return switch (subject) {
            case CARD ->
                new Object[] {
                    ByteSize.format(optimised.smallestBytes().orElseThrow()),
                    ByteSize.format(stock.smallestBytes().orElseThrow()),
                    optimised.need().orElseThrow().flushes().count(),
                    stock.need().orElseThrow().flushes().count()
                };
            case SPARE ->
                new Object[] {
                    ByteSize.format(optimised.need().orElseThrow().withSpare().peakReservedBytes()),
                    ByteSize.format(stock.need().orElseThrow().withSpare().peakReservedBytes())
                };
            case DEVICE ->
                new Object[] {
                    ByteSize.format(optimised.result().peakReservedBytes()),
                    ByteSize.format(stock.result().peakReservedBytes())
                };
            case SAVED, FAILS_TOO, FAILS ->
                new Object[] {
                    optimised.result().ooms(),
                    stock.result().ooms(),
                    optimised.result().firstOom().orElse(0),
                    stock.result().firstOom().orElse(0),
                    stock.result().flushes().count()
                };
        };
    }

    private static Optional<PolicyOutcome> named(List<PolicyOutcome> outcomes, String policy) {
        return outcomes.stream().filter(o -> o.result().policy().equals(policy)).findFirst();
    }
}

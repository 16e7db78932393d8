package dev.lacuna.ui.places.diagnose;

import dev.lacuna.bridge.Change;
import dev.lacuna.core.base.ProgramName;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One thing to do, in the language of the window.
 *
 * @param id its stable id
 * @param title what
 * @param why one or two sentences
 * @param terms what it can free, what it costs and what it does not go with, a sentence each
 * @param command what to type or set, if it is that
 * @param change what can be applied to an attached process, if it is that
 * @param deviceBytes size of the device that the change was computed for; empty where it fits any
 */
record RemedyWords(
        String id,
        String title,
        String why,
        List<String> terms,
        Optional<String> command,
        Optional<Change> change,
        OptionalLong deviceBytes) {
    private static final Texts TEXTS = Texts.of("diagnose");

    RemedyWords {
        terms = List.copyOf(terms);
    }

    /** A remedy computed for a device of this size. */
    static RemedyWords of(Remedy remedy, OptionalLong deviceBytes) {
        Locale locale = Texts.locale();
        return new RemedyWords(
                remedy.id(),
                DiagnosisText.render(locale, remedy.title()),
                DiagnosisText.render(locale, remedy.why()),
                terms(remedy, locale),
                remedy.command().map(ProgramName::command),
                change(remedy.live()),
                remedy.live() instanceof Remedy.LiveAction.SetFraction ? deviceBytes : OptionalLong.empty());
    }

    private static List<String> terms(Remedy remedy, Locale locale) {
        List<String> terms = new ArrayList<>();
        remedy.gain().ifPresent(what -> {
            terms.add(TEXTS.get("remedy.gain", DiagnosisText.render(locale, what)));
            DiagnosisText.renderIfThere(locale, remedy.gainBasis())
                    .ifPresent(from -> terms.add(TEXTS.get("remedy.gain.from", from)));
        });
        DiagnosisText.renderIfThere(locale, remedy.cost()).ifPresent(c -> terms.add(TEXTS.get("remedy.cost", c)));
        DiagnosisText.renderIfThere(locale, remedy.conflicts())
                .ifPresent(c -> terms.add(TEXTS.get("remedy.conflicts", c)));
        return terms;
    }

    private static Optional<Change> change(Remedy.LiveAction action) {
        if (action instanceof Remedy.LiveAction.TurnOptimisationOn) {
            return Optional.of(Change.optimisation(true));
        }
        return action instanceof Remedy.LiveAction.SetFraction set
                ? Optional.of(Change.fraction(set.fraction()))
                : Optional.empty();
    }
}

package dev.lacuna.app.recipe;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.remedy.RemedyOffer;
import java.util.Optional;
import java.util.OptionalLong;

/** What somebody writes who adds a remedy: this file, and its words. */
public final class FakeRemedy implements RemedyOffer {
    @Override
    public Optional<Remedy> offer(Evidence evidence) {
        return Optional.of(new Remedy(
                "fake-remedy",
                Text.of("remedy.smaller-work.title"),
                Optional.empty(),
                Text.of("remedy.smaller-work.title"),
                new Remedy.LiveAction.None(),
                OptionalLong.empty()));
    }
}

package dev.lacuna.app.recipe;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.remedy.RemedyOffer;
import java.util.Optional;
import java.util.OptionalLong;

/** What somebody writes who adds a remedy: this file. Its words would stand in a bundle in Lacuna itself. */
public final class FakeRemedy implements RemedyOffer {
    @Override
    public Optional<Remedy> offer(Evidence evidence) {
        return Optional.of(new Remedy(
                "fake-remedy",
                Text.said("Try the fake", "试试示例"),
                Optional.empty(),
                Text.said("It is here to be found.", "它在这里供人找到。"),
                new Remedy.LiveAction.None(),
                OptionalLong.empty()));
    }
}

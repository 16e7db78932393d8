package dev.lacuna.app.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.bridge.LayerPlace;
import dev.lacuna.bridge.LayerPlaces;
import dev.lacuna.bridge.ProfileReading;
import dev.lacuna.core.planning.ProfileReader;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LayersReportTest {
    private static final LayerMeasurement UNMEASURED =
            new LayerMeasurement("Net", 0, 0, 0, 0, 0, 0, 0, Set.of(LayerAction.KEEP));
    private static final LayerMeasurement BLOCK = new LayerMeasurement(
            "blocks.0", 300, 600, 4096, 512, 70, 80, 4, Set.of(LayerAction.KEEP, LayerAction.RECOMPUTE));

    private static LayerProfile profile(LayerMeasurement... layers) {
        return new LayerProfile(List.of(layers), 1000, 9000, 12_000, 4904, 24_000_000_000L);
    }

    private static LayerPlace place(String name, long hostBytes, LayerAction does, String why) {
        return new LayerPlace(name, 4096 - hostBytes, 0, hostBytes, 0, does, does, why);
    }

    private static final LayerPlaces PLACES = new LayerPlaces(
            List.of(place("Net", 0, LayerAction.KEEP, ""), place("blocks.0", 0, LayerAction.KEEP, "")), false);

    private static PlanningProfile planned(LayerPlaces places, LayerProfile profile) throws Exception {
        String saved = LayersReport.json(7, 0, places, new ProfileReading(profile, false));
        return ProfileReader.read(saved.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    }

    @Test
    void what_it_saves_is_the_profile_that_planners_read() throws Exception {
        LayerProfile profile = profile(UNMEASURED, BLOCK);
        assertThat(planned(PLACES, profile)).isEqualTo(PlanningProfile.Layers.live(profile));
    }

    @Test
    void a_layer_that_is_newer_than_the_measurement_is_saved_as_unmeasured() throws Exception {
        LayerPlaces newer = new LayerPlaces(
                List.of(place("blocks.0", 0, LayerAction.KEEP, ""), place("Net", 0, LayerAction.KEEP, "")), false);
        assertThat(planned(newer, profile(BLOCK))).isEqualTo(PlanningProfile.Layers.live(profile(BLOCK, UNMEASURED)));
    }

    @Test
    void before_anything_was_measured_no_table_of_zeros_is_printed() {
        LayerPlaces unseen = new LayerPlaces(
                List.of(new LayerPlace("a", 0, 0, 0, 0, LayerAction.KEEP, LayerAction.KEEP, "")), false);
        LayerProfile nothing = new LayerProfile(List.of(UNMEASURED), 0, 0, 12_000, 0, 0);
        assertThat(LayersReport.text(unseen, new ProfileReading(nothing, true)))
                .isEqualTo(CliText.text("layers.first", 1))
                .doesNotContain("LAYER ");
        assertThat(LayersReport.text(unseen, new ProfileReading(nothing, false)))
                .contains("LAYER ");
        assertThat(LayersReport.text(PLACES, new ProfileReading(nothing, true))).contains("LAYER ");
    }

    @Test
    void a_rule_stands_where_a_policy_would() {
        LayerPlaces ruled = new LayerPlaces(List.of(place("a", 96, LayerAction.KEEP, "")), false, Optional.of("dtr"));
        ProfileReading reading = new ProfileReading(profile(), false);
        assertThat(LayersReport.text(ruled, reading)).contains("dtr");
        assertThat(LayersReport.json(7, 0, ruled, reading)).contains("\"rule\":\"dtr\"");
        assertThat(LayersReport.json(7, 0, PLACES, reading)).contains("\"rule\":null");
    }

    @Test
    void what_a_policy_keeps_and_lies_on_the_host_was_rescued() {
        LayerPlaces reported = new LayerPlaces(
                List.of(place("a", 96, LayerAction.KEEP, ""), place("b", 96, LayerAction.SWAP, "")), true);
        assertThat(LayersReport.text(reported, new ProfileReading(profile(), false)))
                .containsPattern("a +keep \\(" + CliText.text("layers.rescued") + "\\) ")
                .containsPattern("b +swap  ");
    }
}

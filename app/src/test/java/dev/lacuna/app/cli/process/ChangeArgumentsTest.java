package dev.lacuna.app.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lacuna.bridge.Change;
import dev.lacuna.core.base.counters.PoolPolicy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeArgumentsTest {
    @Test
    void reads_both_settings_and_force() {
        assertThat(ChangeArguments.parse(List.of("optimisation=on", "fraction=0.94", "force=yes")))
                .isEqualTo(new Change(0, Optional.of(true), OptionalDouble.of(0.94), true));
    }

    @Test
    void reads_by_whose_rules_lifetimes_are_kept_apart() {
        assertThat(ChangeArguments.parse(List.of("policy=lifetime", "optimization=on")))
                .isEqualTo(new Change(0, Optional.of(true), OptionalDouble.empty(), false)
                        .by(Optional.of(PoolPolicy.LIFETIME)));
        assertThat(ChangeArguments.parse(List.of("policy=segregated")).policy()).contains(PoolPolicy.SEGREGATED);
    }

    @Test
    void leaves_out_what_is_not_asked() {
        assertThat(ChangeArguments.parse(List.of("fraction=1", "device=2")))
                .isEqualTo(new Change(2, Optional.empty(), OptionalDouble.of(1), false));
    }

    @ParameterizedTest
    @CsvSource({"device=cuda:1, cuda:1", "device=1, 1", "fraction=1, ''"})
    void leaves_it_to_the_process_which_number_a_device_has(String assignment, String written) {
        assertThat(ChangeArguments.device(List.of("optimisation=on", assignment))
                        .written())
                .isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "=on",
                "optimisation",
                "optimisation=yes",
                "optimisation=ON",
                "policy=",
                "policy=mindspeed",
                "fraction=0",
                "fraction=-1",
                "fraction=1.01",
                "fraction=NaN",
                "fraction=much",
                "force=yes",
                "colour=red",
                "device=0",
                "device=-1",
                "device=tpu:0"
            })
    void refuses_what_it_does_not_understand(String assignment) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChangeArguments.parse(List.of(assignment)))
                .withMessageMatching("(?s).+");
    }

    @Test
    void refuses_a_setting_given_twice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChangeArguments.parse(List.of("fraction=0.9", "fraction=0.8")))
                .withMessageContaining("fraction");
    }
}

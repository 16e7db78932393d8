package dev.lacuna.ui.places.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.replay.ReplaySettings;
import javafx.beans.binding.StringBinding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceFieldsTest {
    private final DeviceFields fields = new DeviceFields();

    @Test
    void empty_fields_mean_what_was_recorded() {
        assertThat(fields.settings()).hasValue(ReplaySettings.RECORDED);
    }

    @Test
    void takes_sizes_shares_percents_and_factors() {
        fields.capacityProperty().set(" 24 GiB ");
        fields.fractionProperty().set("94 %");
        fields.scaleProperty().set("16");
        ReplaySettings settings = fields.settings().orElseThrow();
        assertThat(settings.capacityBytes()).hasValue(24L << 30);
        assertThat(settings.fraction()).hasValue(0.94);
        assertThat(settings.scale()).isEqualTo(16);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "many", "12 apples", "0GiB"})
    void says_what_is_wrong_with_a_capacity(String text) {
        StringBinding fault = fields.capacityFault();
        assertThat(fault.get()).isEmpty();
        fields.capacityProperty().set(text);
        assertThat(fault.get()).isNotEmpty();
        assertThat(fields.settings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1.01", "-0.5", "NaN", "101 %", "half"})
    void says_what_is_wrong_with_a_fraction(String text) {
        fields.fractionProperty().set(text);
        assertThat(fields.fractionFault().get()).isNotEmpty();
        assertThat(fields.capacityFault().get()).isEmpty();
        assertThat(fields.settings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-2", "1.5", "x"})
    void says_what_is_wrong_with_a_scale(String text) {
        fields.scaleProperty().set(text);
        assertThat(fields.scaleFault().get()).isNotEmpty();
        assertThat(fields.settings()).isEmpty();
    }
}

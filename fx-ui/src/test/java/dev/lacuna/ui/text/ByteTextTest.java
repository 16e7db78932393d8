package dev.lacuna.ui.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import javafx.beans.binding.Bindings;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ByteTextTest {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    @Test
    void writes_bytes_as_the_command_line_does() {
        assertThat(ByteText.of(0)).isEqualTo("0 B");
        assertThat(ByteText.of(20L << 20)).isEqualTo("20.0 MiB");
        assertThat(ByteText.of(2_931_315_179L)).isEqualTo("2.73 GiB");
        assertThat(ByteText.of((1L << 30) - 1)).isEqualTo("1.00 GiB");
    }

    @AfterEach
    void back_to_what_fits() {
        Texts.unitProperty().unbind();
        Texts.unitProperty().set(ByteUnit.FITTING);
    }

    @Test
    void calls_a_few_mebibytes_of_a_large_device_by_their_name() {
        ByteUnit unit = ByteUnit.forDevice(64 * GIB);
        assertThat(ByteText.of(4 * MIB, unit)).isEqualTo("4 MiB");
        assertThat(ByteText.of(GIB - MIB, unit)).isEqualTo("1023 MiB");
        assertThat(ByteText.of(GIB, unit)).isEqualTo("1.00 GiB");
        assertThat(ByteText.of(0, unit)).isEqualTo("0 MiB");
    }

    @Test
    void keeps_to_mebibytes_on_a_small_device() {
        assertThat(ByteText.of(GIB, ByteUnit.forDevice(GIB))).isEqualTo("1024 MiB");
    }

    @Test
    void writes_every_figure_in_the_unit_that_is_chosen() {
        long bytes = 2_931_315_179L;
        Map<ByteUnit, String> written = Map.of(
                ByteUnit.FITTING, "2.73 GiB",
                ByteUnit.MIB, "2,796 MiB",
                ByteUnit.GIB, "2.73 GiB",
                ByteUnit.MB, "2,931 MB",
                ByteUnit.GB, "2.93 GB");
        written.forEach((unit, text) -> {
            Texts.unitProperty().set(unit);
            assertThat(ByteText.of(bytes)).isEqualTo(text);
            assertThat(ByteText.of(bytes, ByteUnit.GIB)).isEqualTo(text);
        });
        assertThat(written).hasSameSizeAs(ByteUnit.values());
    }

    @Test
    void never_writes_something_as_nothing() {
        Texts.unitProperty().set(ByteUnit.GB);
        assertThat(ByteText.of(-4_000_000)).isEqualTo("\u22124.00 MB");
        assertThat(ByteText.of(2_000)).isEqualTo("2.00 kB");
        assertThat(ByteText.of(0)).isEqualTo("0.00 GB");
        Texts.unitProperty().set(ByteUnit.GIB);
        assertThat(ByteText.of(4 * MIB)).isEqualTo("4.00 MiB");
    }

    @Test
    void goes_through_all_units_and_begins_anew() {
        ByteUnit unit = ByteUnit.FITTING;
        Set<ByteUnit> seen = EnumSet.noneOf(ByteUnit.class);
        for (int i = 0; i < ByteUnit.values().length; i++) {
            seen.add(unit);
            unit = unit.next();
        }
        assertThat(seen).containsExactly(ByteUnit.values());
        assertThat(unit).isEqualTo(ByteUnit.FITTING);
    }

    @Test
    void what_follows_the_wording_hears_of_the_unit() {
        StringProperty shown = new SimpleStringProperty();
        shown.bind(Bindings.createStringBinding(() -> ByteText.of(GIB), Texts.wordingProperty()));
        Texts.unitProperty().set(ByteUnit.MIB);
        assertThat(shown.get()).isEqualTo("1,024 MiB");
    }

    @Test
    void keeps_every_digit_for_those_who_ask() {
        assertThat(ByteText.exact(2_931_315_179L)).isEqualTo("2,931,315,179 B");
    }

    @Test
    void writes_an_age_in_one_unit() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
        assertThat(AgeText.of(Duration.ofSeconds(-3))).isEqualTo("0 s");
        assertThat(AgeText.of(Duration.ofSeconds(119))).isEqualTo("119 s");
        assertThat(AgeText.of(Duration.ofMinutes(119))).isEqualTo("119 min");
        assertThat(AgeText.of(Duration.ofHours(47))).isEqualTo("47 h");
        assertThat(AgeText.of(Duration.ofDays(3))).isEqualTo("3 days");
    }
}

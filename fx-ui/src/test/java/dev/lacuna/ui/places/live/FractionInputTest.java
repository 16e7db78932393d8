package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FractionInputTest {
    @Test
    void reads_a_point_and_a_comma() {
        assertThat(FractionInput.parse(" 0.94 ")).hasValue(0.94);
        assertThat(FractionInput.parse("0,5")).hasValue(0.5);
        assertThat(FractionInput.parse("1")).hasValue(1.0);
    }

    @Test
    void reads_a_share_in_per_cent() {
        assertThat(FractionInput.parse("94%")).hasValue(0.94);
        assertThat(FractionInput.parse(" 94,5 % ")).hasValue(0.945);
        assertThat(FractionInput.parse("100 %")).hasValue(1.0);
    }

    @Test
    void refuses_what_no_agent_would_take() {
        for (String typed : new String[] {"", "0", "-1", "1.01", "94", "NaN", "x", "%", "101 %", "0 %", "9 4 %"}) {
            assertThat(FractionInput.parse(typed)).as(typed).isEmpty();
        }
    }

    @Test
    void writes_two_decimals_and_more_only_where_they_are() {
        assertThat(FractionInput.text(0.9)).isEqualTo("0.90");
        assertThat(FractionInput.text(0.9375)).isEqualTo("0.9375");
    }

    @Test
    void rounds_the_lowest_safe_fraction_up_so_that_it_is_safe() {
        assertThat(FractionInput.roundedUp(0.7201)).isEqualTo(0.73);
        assertThat(FractionInput.roundedUp(0.72)).isEqualTo(0.72);
        assertThat(FractionInput.roundedUp(0.999)).isEqualTo(1);
    }
}

package dev.lacuna.ui.window;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NavigatorTest {
    private final Navigator navigator = new Navigator();

    private String current() {
        return navigator.currentProperty().get();
    }

    @Test
    void goes_back_and_forward_through_the_places() {
        navigator.show("a");
        navigator.show("b");
        navigator.show("c");
        navigator.back();
        navigator.back();
        assertThat(current()).isEqualTo("a");
        navigator.forward();
        assertThat(current()).isEqualTo("b");
    }

    @Test
    void stays_where_there_is_no_way_back_or_forward() {
        navigator.show("a");
        navigator.back();
        assertThat(current()).isEqualTo("a");
        navigator.forward();
        assertThat(current()).isEqualTo("a");
    }

    @Test
    void forgets_what_lay_ahead_when_another_place_is_chosen() {
        navigator.show("a");
        navigator.show("b");
        navigator.back();
        navigator.show("c");
        navigator.forward();
        assertThat(current()).isEqualTo("c");
        navigator.back();
        assertThat(current()).isEqualTo("a");
    }
}

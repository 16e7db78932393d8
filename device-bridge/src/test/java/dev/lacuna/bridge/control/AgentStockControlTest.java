package dev.lacuna.bridge.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.StockControl.Categories;
import dev.lacuna.bridge.StockControl.Facts;
import dev.lacuna.bridge.StockControl.RecordingOrder;
import dev.lacuna.bridge.StockControl.RecordingState;
import dev.lacuna.bridge.StockControl.SettingChange;
import dev.lacuna.bridge.StockControl.SettingState;
import dev.lacuna.bridge.StockControl.Trial;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AgentStockControlTest {
    private final List<String> asked = new ArrayList<>();
    private String reply = "ok";
    private final StockControl stock = new AgentStockControl(
            line -> {
                asked.add(line);
                return reply;
            },
            "test");

    @Test
    void a_path_of_any_name_is_one_word_of_printable_ascii() throws Exception {
        stock.arm(Optional.of(Path.of("/tmp/a b%\"显.pickle")));
        assertThat(asked).containsExactly("arm path=/tmp/a%20b%25%22%E6%98%BE.pickle by=test");
    }

    @Test
    void says_what_it_runs_and_what_it_can() throws Exception {
        reply = "ok pid=1 framework=torch-2.14.1 can=fraction,record text=\"\"";
        assertThat(stock.facts())
                .isEqualTo(new Answer.Given<>(new Facts("torch 2.14.1", Set.of("fraction", "record"))));
    }

    @Test
    void a_setting_is_one_key_and_the_answer_what_held_and_holds() throws Exception {
        reply = "ok before=none text=\"expandable_segments:True\"";
        assertThat(stock.changeSetting("expandable_segments", "True"))
                .isEqualTo(new Answer.Given<>(new SettingChange("", "expandable_segments:True")));
        assertThat(asked).containsExactly("setting key=expandable_segments value=True by=test");
    }

    @Test
    void what_would_break_the_line_never_leaves() throws Exception {
        stock.changeSetting("a b\nretract", "");
        assertThat(asked).containsExactly("setting key=a?b?retract value=? by=test");
    }

    @Test
    void the_front_door_is_asked_for_by_the_paths_of_what_it_takes() throws Exception {
        assertThat(stock.openFront(Path.of("/a b/lib.so"), Path.of("/p"))).isEqualTo(new Answer.Given<>(true));
        assertThat(asked).containsExactly("open-front library=/a%20b/lib.so package=/p by=test");
    }

    @Test
    void steps_go_before_seconds() throws Exception {
        stock.record(new RecordingOrder(Path.of("/tmp/a"), OptionalInt.of(3), 10, OptionalInt.of(500)));
        stock.record(new RecordingOrder(Path.of("/tmp/a"), OptionalInt.empty(), 10, OptionalInt.empty()));
        assertThat(asked)
                .containsExactly(
                        "record steps=3 path=/tmp/a entries=500 by=test", "record seconds=10 path=/tmp/a by=test");
    }

    @Test
    void a_recording_that_failed_says_why() throws Exception {
        reply = "ok recording=no path=/tmp/a done=no armed=no text=\"no space left\"";
        assertThat(stock.recording()).isEqualTo(new Answer.Given<>(new RecordingState(false, false, "no space left")));
    }

    @Test
    void categories_are_bytes() throws Exception {
        reply = "ok parameters_bytes=1 gradients_bytes=2 optimizer_bytes=3 activations_bytes=4 other_bytes=5";
        assertThat(stock.categories()).isEqualTo(new Answer.Given<>(new Categories(1, 2, 3, 4, 5)));
    }

    @Test
    void settings_come_with_how_the_last_change_does() throws Exception {
        reply = "ok trial=undone why=retry text=\"a:1\"";
        assertThat(stock.settings()).isEqualTo(new Answer.Given<>(new SettingState("a:1", Trial.RETRY)));
        reply = "ok text=\"\"";
        assertThat(stock.settings()).isEqualTo(new Answer.Given<>(new SettingState("", Trial.NONE)));
    }

    @Test
    void a_refusal_keeps_its_word_and_sentence() throws Exception {
        reply = "error code=cannot text=\"PyTorch keeps no pool on the host\"";
        assertThat(stock.settings()).isEqualTo(new Answer.Refused<>("cannot", "PyTorch keeps no pool on the host"));
    }
}

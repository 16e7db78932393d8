package dev.lacuna.core.config.mindformers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GridEditTest {
    private LayerGrid grid;

    @BeforeEach
    void read() throws IOException {
        String file = "{\"model_config\": {\"num_layers\": 4}, \"parallel_config\": {\"pipeline_stage\": 2}}";
        grid = LayerGrid.of((MindformersResult.Valid) new Mindformers(Map.of()).analyse(ConfigReader.read(file)));
    }

    private Optional<LayerGrid> done(String edit) {
        return GridEdit.parse(edit).flatMap(parsed -> parsed.on(grid));
    }

    @Test
    void whole_layers_are_named_by_ranges() {
        assertThat(done("0,2-3=recompute").orElseThrow().rows())
                .extracting(LayerState::fullRecompute)
                .containsExactly(true, false, true, true);
        assertThat(done("*=recompute").orElseThrow().rows()).allMatch(LayerState::fullRecompute);
    }

    @Test
    void it_is_done_whatever_was_there() {
        LayerGrid once = done("0=recompute").orElseThrow();
        assertThat(GridEdit.parse("0=recompute").orElseThrow().on(once)).hasValue(once);
        assertThat(GridEdit.parse("0=keep").orElseThrow().on(once)).hasValue(grid);
    }

    @Test
    void an_operator_is_named_by_its_end_where_only_one_ends_so() {
        String operator = LayerGrid.operators().stream()
                .filter(name -> name.endsWith("feed_forward.mul"))
                .findFirst()
                .orElseThrow();
        assertThat(done("1:feed_forward.mul=recompute")).isPresent().isEqualTo(done("1:" + operator + "=recompute"));
        assertThat(done("1:matmul=recompute")).isEmpty();
        assertThat(done("1:nothing=recompute")).isEmpty();
    }

    @Test
    void what_there_is_not_is_refused() {
        assertThat(done("4=recompute")).isEmpty();
        assertThat(done("3-1=recompute")).isEmpty();
        assertThat(done("0=exclude")).isEmpty();
        assertThat(GridEdit.parse("0=polish")).isEmpty();
        assertThat(GridEdit.parse("0=recompute@2")).isEmpty();
        assertThat(GridEdit.parse("0=swap@0")).isEmpty();
        assertThat(GridEdit.parse("0=swap@Auto")).isPresent();
    }
}

package dev.lacuna.ui.places.planner.mindformers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.config.mindformers.GridAct;
import dev.lacuna.core.config.mindformers.GridPosition;
import dev.lacuna.core.config.mindformers.layer.OperatorState.Recompute;
import dev.lacuna.ui.fakes.FakePlannerFiles;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Notices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MindformersViewModelTest {
    private static final String FILE = """
            # eight layers
            model_config: {num_layers: 8}
            parallel_config: {pipeline_stage: 2}
            recompute_config:
              recompute: [1, 0]   # only here
            """;

    private final List<String> reported = new ArrayList<>();
    private final FakePlannerFiles files = new FakePlannerFiles()
            .with("/c/llama.yaml", FILE)
            .with("/c/broken.yaml", "a: [1")
            .with("/c/bad.yaml", FILE.replace("[1, 0]", "[1, -1]"));
    private final MindformersViewModel model = new MindformersViewModel(
            files,
            new CurrentThreadTaskExecutor(),
            new Notices() {
                @Override
                public void inform(String text) {
                    reported.add(text);
                }

                @Override
                public void warn(String headline, String detail) {
                    reported.add(headline);
                }

                @Override
                public void fail(String headline, String detail) {
                    reported.add(headline);
                }
            },
            Map.of());

    @Test
    void shows_what_every_layer_gets() {
        model.open("/c/llama.yaml");
        assertThat(model.gridProperty().get().orElseThrow().rows())
                .hasSize(8)
                .filteredOn(row -> row.fullRecompute())
                .hasSize(1);
        assertThat(model.changedProperty().get()).isFalse();
        assertThat(model.canSave().get()).isFalse();
    }

    @Test
    void says_why_a_file_cannot_be_read_in_the_language_of_the_window() {
        model.open("/c/broken.yaml");
        String system = model.faultProperty().get();
        try {
            Texts.languageProperty().set(Language.CHINESE);
            assertThat(model.faultProperty().get()).startsWith("第");
            Texts.languageProperty().set(Language.ENGLISH);
            assertThat(model.faultProperty().get()).isNotEqualTo("").doesNotContain("第");
        } finally {
            Texts.languageProperty().set(Language.SYSTEM);
        }
        assertThat(model.faultProperty().get()).isEqualTo(system);
    }

    @Test
    void excludes_an_operator_of_a_recomputed_layer_with_a_click_and_takes_it_back_with_another() {
        model.open("/c/llama.yaml");
        GridPosition softmax = GridPosition.of(0, "attention.softmax");
        model.cycle(softmax);
        assertThat(CellLook.of(model.gridProperty().get().orElseThrow().rows().get(0), softmax)
                        .letters())
                .isEqualTo("E");
        assertThat(model.text().orElseThrow()).contains("select_recompute_exclude", "# only here");
        assertThat(model.canSave().get()).isTrue();
        model.cycle(softmax);
        assertThat(model.changedProperty().get()).isFalse();
    }

    @Test
    void says_which_key_is_wrong_and_why() {
        model.open("/c/bad.yaml");
        assertThat(model.gridProperty().get()).isEmpty();
        assertThat(model.remarksProperty().get())
                .singleElement()
                .satisfies(remark -> assertThat(remark.where()).isEqualTo("recompute_config.recompute[1], line 5"));
        model.close();
        model.open("/c/broken.yaml");
        assertThat(model.faultProperty().get()).contains("line");
        model.open("/c/gone.yaml");
        assertThat(model.faultProperty().get()).contains("not there");
    }

    @Test
    void what_cannot_be_read_leaves_what_was_open_with_its_changes() {
        model.open("/c/llama.yaml");
        GridPosition mul = GridPosition.of(1, "feed_forward.mul");
        model.cycle(mul);
        model.open("/c/broken.yaml");
        assertThat(model.sourceProperty().get()).isEqualTo("/c/llama.yaml");
        assertThat(recompute(mul)).isEqualTo(Recompute.SELECT);
        assertThat(model.canSave().get()).isTrue();
        assertThat(model.canUndoProperty().get()).isTrue();
        assertThat(reported).singleElement().asString().contains("broken.yaml");
    }

    @Test
    void gives_a_clicked_cell_its_next_state_and_takes_it_back() {
        model.open("/c/llama.yaml");
        GridPosition mul = GridPosition.of(1, "feed_forward.mul");
        model.cycle(mul);
        assertThat(recompute(mul)).isEqualTo(Recompute.SELECT);
        model.cycle(mul);
        assertThat(recompute(mul)).isEqualTo(Recompute.NONE);
        model.undo();
        assertThat(recompute(mul)).isEqualTo(Recompute.SELECT);
        model.undo();
        assertThat(model.canUndoProperty().get()).isFalse();
        assertThat(model.changedProperty().get()).isFalse();
        model.redo();
        assertThat(recompute(mul)).isEqualTo(Recompute.SELECT);
    }

    @Test
    void says_before_saving_what_the_syntax_cannot_express_and_leads_to_the_cell() {
        model.open("/c/llama.yaml");
        model.cycle(new GridPosition(3, 0));
        assertThat(model.canSave().get()).isFalse();
        assertThat(model.remarksProperty().get())
                .first()
                .satisfies(remark -> assertThat(remark.cell()).contains(new GridPosition(1, 0)));
        model.swapOn(true);
        assertThat(model.canSave().get()).isTrue();
    }

    @Test
    void previews_the_changed_lines_and_saves_every_comment() {
        model.open("/c/llama.yaml");
        model.cycle(new GridPosition(4, 0));
        assertThat(model.preview())
                .extracting(line -> line.sign() + line.text())
                .containsExactly(
                        " parallel_config: {pipeline_stage: 2}",
                        " recompute_config:",
                        "-  recompute: [1, 0]   # only here",
                        "+  recompute: [1, 1]   # only here");
        model.save("/c/llama.yaml");
        assertThat(files.text("/c/llama.yaml")).isEqualTo(FILE.replace("[1, 0]", "[1, 1]"));
        assertThat(model.changedProperty().get()).isFalse();
        assertThat(reported).hasSize(1);
        model.open("/c/llama.yaml");
        assertThat(model.gridProperty().get().orElseThrow().rows().get(4).fullRecompute())
                .isTrue();
    }

    @Test
    void names_conflicts_and_the_cell_to_look_at() {
        model.open("/c/llama.yaml");
        model.selectionProperty().set(new GridRange(new GridPosition(0, 0), new GridPosition(1, 0)));
        model.act(GridAct.SWAP);
        assertThat(model.remarksProperty().get())
                .anySatisfy(remark -> {
                    assertThat(remark.kind()).isEqualTo(Remark.Kind.CONFLICT);
                    assertThat(remark.cell()).isPresent();
                })
                .anySatisfy(remark -> assertThat(remark.kind()).isEqualTo(Remark.Kind.ENVIRONMENT));
    }

    @Test
    void sets_a_whole_range_and_unsets_it_again() {
        model.openExample();
        GridRange range = new GridRange(new GridPosition(10, 5), new GridPosition(14, 8));
        model.selectionProperty().set(range);
        model.act(GridAct.RECOMPUTE);
        assertThat(range.cells()).allSatisfy(cell -> assertThat(recompute(cell)).isEqualTo(Recompute.SELECT));
        model.act(GridAct.RECOMPUTE);
        assertThat(range.cells()).allSatisfy(cell -> assertThat(recompute(cell)).isEqualTo(Recompute.NONE));
    }

    private Recompute recompute(GridPosition cell) {
        return model.gridProperty()
                .get()
                .orElseThrow()
                .rows()
                .get(cell.layer())
                .operators()
                .get(cell.column() - 1)
                .recompute();
    }
}

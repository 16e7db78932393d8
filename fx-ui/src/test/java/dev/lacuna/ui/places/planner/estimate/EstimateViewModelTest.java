package dev.lacuna.ui.places.planner.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakePlannerFiles;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.fakes.HeardNotices;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EstimateViewModelTest {
    private final FakeProcesses machine = new FakeProcesses();
    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final Session session =
            new Session(machine, executor, Runnable::run, process -> CompletableFuture.completedFuture(true));
    private final FakePlannerFiles files = new FakePlannerFiles()
            .with(
                    "/c/run.sh",
                    "TP=2\npython pretrain.py --num-layers 4 --hidden-size 512 --num-attention-heads 8 --seq-length 128"
                            + " --vocab-size 1000 --micro-batch-size 1 --tensor-model-parallel-size $TP --bf16")
            .with("/c/nonsense.txt", "nothing to see")
            .with("/c/step.trace", "alloc a 1000\nalloc b 500\nfree a\nfree b\n")
            .with(
                    "/c/graph.json",
                    "{\"directed\": true, \"graph\": {\"name\": \"g\"}, \"nodes\": [{\"name\": \"a\", \"backward\": false,"
                            + " \"cost_cpu\": 1, \"cost_ram\": 10, \"id\": 0}, {\"name\": \"b\", \"backward\": true,"
                            + " \"cost_cpu\": 1, \"cost_ram\": 20, \"id\": 1}], \"links\": [{\"source\": 0, \"target\": 1}]}");
    private final HeardNotices notices = new HeardNotices();
    private final EstimateViewModel model = new EstimateViewModel(files, executor, session, notices);

    @BeforeEach
    void english() {
        Texts.languageProperty().set(Language.ENGLISH);
    }

    @Test
    void stacks_the_parts_of_each_stage_up_to_its_peak() {
        model.openPreset("llama2-70b-tp8-pp4-4k");
        assertThat(model.stacksProperty().get())
                .hasSize(4)
                .filteredOn(MemoryStack::binding)
                .hasSize(1);
        model.estimateProperty()
                .get()
                .orElseThrow()
                .stages()
                .forEach(stage -> assertThat(
                                model.stacksProperty().get().get(stage.stage()).bytes())
                        .isCloseTo(stage.memory().value(), org.assertj.core.data.Offset.offset(1.0)));
        assertThat(model.termsProperty().get().get(0).value())
                .isEqualTo(model.estimateProperty()
                        .get()
                        .orElseThrow()
                        .binding()
                        .memory()
                        .value());
    }

    @Test
    void follows_the_fields_and_says_what_contradicts() {
        model.open("/c/run.sh");
        double whole = peak();
        model.fields().value("pp").set("2");
        assertThat(model.stacksProperty().get()).hasSize(2);
        model.fields().value("pp").set("5");
        assertThat(model.estimateProperty().get()).isEmpty();
        assertThat(model.faultProperty().get()).isNotEmpty();
        model.fields().value("pp").set("");
        assertThat(peak()).isEqualTo(whole);
        model.fields().value("recompute").set("full");
        assertThat(peak()).isLessThan(whole);
    }

    @Test
    void shows_something_for_a_bare_shape() {
        model.openPreset("llama3.1-8b");
        assertThat(model.estimateProperty().get()).isPresent();
    }

    @Test
    void takes_traces_and_exported_graphs_too() {
        model.open("/c/step.trace");
        assertThat(model.stacksProperty().get()).hasSize(4);
        assertThat(model.stacksProperty().get().get(0).bytes()).isEqualTo(1500);
        model.open("/c/graph.json");
        assertThat(model.stacksProperty().get()).hasSize(4);
        assertThat(model.stacksProperty().get().get(0).bytes()).isEqualTo(30);
    }

    @Test
    void what_cannot_be_read_says_why_and_leaves_what_was_open() {
        model.open("/c/nonsense.txt");
        assertThat(model.faultProperty().get()).isNotEmpty();
        assertThat(model.isOpen()).isFalse();
        model.open("/c/run.sh");
        model.fields().value("pp").set("2");
        model.open("/c/nonsense.txt");
        assertThat(model.sourceProperty().get()).isEqualTo("/c/run.sh");
        assertThat(model.stacksProperty().get()).hasSize(2);
        assertThat(model.faultProperty().get()).isEmpty();
        assertThat(notices.failures())
                .singleElement()
                .asString()
                .startsWith("nonsense.txt cannot be opened; what was open stays: ");
    }

    @Test
    void explains_the_difference_from_the_attached_process_and_takes_the_explanation() {
        model.openPreset("llama2-7b-tp8-4k");
        double kept = peak();
        model.fields().value("recompute").set("full");
        long measured = Math.round(peak());
        model.fields().value("recompute").set("");
        TrainingProcess process = machine.start(7, "train");
        machine.of(7)
                .counters(Counters.ofADevice()
                        .reserved(measured + (1 << 30))
                        .allocated(measured)
                        .build());
        session.attach(process);
        machine.of(7).send(1, ProcessState.RUNNING);
        executor.pass(Duration.ofMillis(40));
        model.calibrate();
        assertThat(model.calibrationProperty().get()).hasValueSatisfying(calibration -> {
            assertThat(calibration.estimatedBytes()).isEqualTo(kept);
            assertThat(calibration.agrees()).isFalse();
            model.take(calibration.explanations().get(0));
        });
        assertThat(peak()).isLessThan(kept);
        assertThat(model.calibrationProperty().get().orElseThrow().agrees()).isTrue();
    }

    @Test
    void tells_what_of_the_input_changes_nothing_or_was_assumed() {
        model.openPreset("llama3.1-8b");
        assertThat(notes()).singleElement().asString().contains("--micro-batch-size 1");
        model.fields().value("micro").set("2");
        assertThat(notes()).isEmpty();
        model.paste("--num-layers 4 --hiden-size 512 --num-attention-heads 8 --seq-length 128 --vocab-size 1000"
                + " --micro-batch-size 1");
        assertThat(model.estimateProperty().get()).isEmpty();
        assertThat(notes()).singleElement().asString().contains("--hiden-size", "--hidden-size");
        model.open("/c/step.trace");
        assertThat(notes()).isEmpty();
    }

    @Test
    void opens_a_sum_into_its_parts_and_their_values() {
        model.openPreset("llama2-7b-tp8-4k");
        Term states = model.termsProperty().get().get(0).find("states").orElseThrow();
        assertThat(EstimateText.formula(states))
                .isEqualTo("weights + gradients + optimizer states and master weights = "
                        + states.parts().stream().map(EstimateText::value).collect(Collectors.joining(" + ")));
        assertThat(EstimateText.formula(states.parts().get(0))).contains("bytes·(dense/dp");
    }

    private List<String> notes() {
        return model.notesProperty().get().stream()
                .map(note -> note.text(Locale.ROOT))
                .toList();
    }

    @Test
    void copies_every_number_with_its_formula() {
        model.openPreset("llama2-7b-tp8-4k");
        String text = EstimateText.plain(model.termsProperty().get());
        assertThat(text.lines()).allMatch(line -> line.contains("  = "));
        assertThat(text).hasLineCount(count(model.termsProperty().get()));
        assertThat(EstimateText.markdown(
                        model.stacksProperty().get(), model.termsProperty().get()))
                .startsWith("| ");
        assertThat(EstimateText.json(
                        model.estimateProperty().get().orElseThrow(),
                        model.capacityBytes(),
                        model.notesProperty().get()))
                .contains("\"peak_bytes\"", "\"notes\"")
                .doesNotContain("\"formula\" : null");
    }

    private static int count(List<Term> terms) {
        return terms.stream().mapToInt(term -> 1 + count(term.parts())).sum();
    }

    private double peak() {
        return model.estimateProperty().get().orElseThrow().binding().memory().value();
    }
}

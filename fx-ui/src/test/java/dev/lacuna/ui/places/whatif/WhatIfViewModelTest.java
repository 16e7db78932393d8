package dev.lacuna.ui.places.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.event.HeldSegment;
import dev.lacuna.core.base.event.HeldSegment.HeldBlock;
import dev.lacuna.core.base.event.OpeningMemory;
import dev.lacuna.core.replay.Replay;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.ui.chart.OverlayPicture;
import dev.lacuna.ui.fakes.FakeTraceFiles;
import dev.lacuna.ui.places.whatif.WhatIfViewModel.State;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WhatIfViewModelTest {
    private static final String SMALL =
            "total 104857600\nalloc a 41943040\nalloc b 41943040\nfree a\nalloc c 68157440\n";

    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final UiSettings settings = new UiSettings(StoredSettings.DEFAULTS);
    private final FakeTraceFiles files =
            new FakeTraceFiles().with("/runs/small.trace", SMALL).with("/runs/broken.trace", "alloc a 1\nfree b\n");
    private final WhatIfViewModel model = new WhatIfViewModel(executor, Runnable::run, settings.recentTraces(), files);

    @BeforeEach
    @AfterEach
    void speak_english() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
    }

    private void tick(String... names) {
        model.policies().forEach(p -> p.chosenProperty().set(List.of(names).contains(p.name())));
    }

    private PolicyRun run(String policy) {
        return model.runs().stream()
                .filter(r -> r.policy().equals(policy))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void replays_a_trace_as_soon_as_it_is_opened() {
        model.openExample();
        assertThat(model.stateProperty().get()).isEqualTo(State.DONE);
        assertThat(model.sourceProperty().get()).contains("Example");
        ReplayResult alone = new Replay(FakeTraceFiles.training(30), ReplaySettings.RECORDED)
                .run(model.policies().get(0).policy());
        assertThat(model.runs().get(0).outcome().result()).isEqualTo(alone);
        assertThat(model.runs().stream().filter(model::isBest)).hasSize(1);
    }

    @Test
    void shows_every_policy_that_is_ticked_and_no_other() {
        tick("segregated", "caching");
        model.openExample();
        assertThat(model.runs()).extracting(PolicyRun::policy).containsExactlyInAnyOrder("caching", "segregated");
        OverlayPicture picture = model.picture().orElseThrow();
        assertThat(picture.curves()).hasSize(2);
        assertThat(picture.curves().get(0).reserved().largest(0))
                .isEqualTo(run("caching").outcome().result().peakReservedBytes());
    }

    @Test
    void another_device_is_tried_without_opening_the_trace_again() {
        tick("caching");
        model.open("/runs/small.trace");
        assertThat(run("caching").outcome().result().ooms()).isEqualTo(1);
        files.with("/runs/small.trace", "gone");
        model.device().capacityProperty().set("200MiB");
        model.replay();
        assertThat(run("caching").outcome().result().ooms()).isZero();
    }

    @Test
    void works_out_the_smallest_cards_at_once() {
        tick("caching", "segregated");
        model.openExample();
        assertThat(model.searchingProperty().get()).isFalse();
        assertThat(model.gain()).first().asString().startsWith("The smallest card that finishes this job");
        for (PolicyRun run : model.runs()) {
            assertThat(run.search()).isEqualTo(PolicyRun.Search.DONE);
            assertThat(run.outcome().smallestBytes().orElseThrow())
                    .isGreaterThanOrEqualTo(run.outcome().result().peakAllocatedBytes());
        }
        assertThat(model.isBest(run("segregated"))).isTrue();
    }

    @Test
    void what_a_policy_needs_stays_known_on_another_device() {
        tick("caching", "segregated");
        model.openExample();
        var needed = run("caching").outcome().need();
        model.device().capacityProperty().set("48GiB");
        executor.hold();
        model.replay();
        executor.releaseOne();
        assertThat(run("caching").outcome().need()).isEqualTo(needed).isPresent();
        assertThat(model.searchingProperty().get()).isFalse();
        executor.release();
    }

    @Test
    void a_cancelled_search_is_as_if_nobody_had_asked() {
        executor.hold();
        model.openExample();
        executor.releaseOne();
        assertThat(model.searchingProperty().get()).isTrue();
        assertThat(model.runs()).allMatch(r -> r.search() == PolicyRun.Search.RUNNING);
        model.cancel();
        executor.release();
        assertThat(model.runs()).allMatch(r -> r.search() == PolicyRun.Search.NOT_ASKED);
        assertThat(model.stateProperty().get()).isEqualTo(State.DONE);
        assertThat(model.searchingProperty().get()).isFalse();
    }

    @Test
    void a_cancelled_replay_leaves_what_was_shown() {
        executor.hold();
        model.openExample();
        assertThat(model.stateProperty().get()).isEqualTo(State.RUNNING);
        model.cancel();
        assertThat(model.stateProperty().get()).isEqualTo(State.EMPTY);
        executor.release();
        assertThat(model.runs()).isEmpty();
        model.openExample();
        executor.hold();
        model.replay();
        model.cancel();
        executor.release();
        assertThat(model.stateProperty().get()).isEqualTo(State.DONE);
        assertThat(model.runs()).isNotEmpty();
    }

    @Test
    void says_under_which_recorded_cap_a_job_is_replayed_and_seeks_the_whole_card() {
        tick("caching");
        AllocationTrace.Builder capped = AllocationTrace.builder().total(1L << 30);
        capped.fraction(0.05).free(capped.alloc(30 << 20, 0));
        model.open(() -> "capped", capped.build());
        assertThat(model.openingNote()).startsWith("On this device with a cap of 0.05, as recorded");
        assertThat(model.runs().get(0).outcome().smallestBytes()).hasValue(30 << 20);
        Texts.languageProperty().set(Language.CHINESE);
        assertThat(model.openingNote()).contains("上限 0.05");
        model.device().fractionProperty().set("1");
        model.replay();
        assertThat(model.openingNote()).isEmpty();
    }

    @Test
    void says_how_a_recording_that_began_late_is_gone_on_with() {
        tick("caching");
        model.open(() -> "late", late());
        assertThat(model.openingNote()).startsWith("caching went on from the segments");
        model.device().scaleProperty().set("2");
        model.replay();
        assertThat(model.openingNote()).contains("do not fit");
        Texts.languageProperty().set(Language.CHINESE);
        assertThat(model.openingNote()).contains("不适合");
        model.openExample();
        assertThat(model.openingNote()).isEmpty();
    }

    @Test
    void says_that_a_trace_ends_early() {
        model.open(() -> "cut", late().endingEarly());
        assertThat(model.stateProperty().get()).isEqualTo(State.DONE);
        assertThat(model.cutNote()).contains("truncated");
        Texts.languageProperty().set(Language.CHINESE);
        assertThat(model.cutNote()).contains("截断");
        model.openExample();
        assertThat(model.cutNote()).isEmpty();
    }

    /** A block in a segment that was there before the recording began. */
    private static AllocationTrace late() {
        long mib = 1L << 20;
        AllocationTrace.Builder trace = AllocationTrace.builder();
        int block = trace.alloc(4 * mib, 0);
        List<HeldBlock> inside = List.of(HeldBlock.live(block, 4 * mib, 4 * mib), HeldBlock.free(16 * mib));
        HeldSegment segment = new HeldSegment(true, 0x7f00_0000_0000L, 20 * mib, 0, inside);
        return trace.build().startingFrom(new OpeningMemory(List.of(segment)));
    }

    @Test
    void says_in_the_language_of_now_in_which_line_a_trace_is_broken() {
        model.open("/runs/broken.trace");
        assertThat(model.stateProperty().get()).isEqualTo(State.FAILED);
        assertThat(model.faultProperty().get()).contains("Line 2").contains("b");
        Texts.languageProperty().set(Language.CHINESE);
        assertThat(model.faultProperty().get()).contains("第 2 行");
        model.close();
        assertThat(model.stateProperty().get()).isEqualTo(State.EMPTY);
    }

    @Test
    void a_file_that_is_not_there_says_so_and_can_be_forgotten() {
        model.open("/runs/none.trace");
        assertThat(model.faultProperty().get()).contains("no such file");
        Texts.languageProperty().set(Language.CHINESE);
        assertThat(model.faultProperty().get()).contains("不存在");
        assertThat(model.recentTraces()).as("it was never open").isEmpty();
        model.open("/runs/small.trace");
        assertThat(model.recentTraces()).containsExactly("/runs/small.trace");
        model.forget("/runs/small.trace");
        assertThat(model.recentTraces()).isEmpty();
        assertThat(settings.recentFiles()).isEmpty();
    }

    @Test
    void what_cannot_be_replayed_leaves_what_was_open() {
        List<String> kept = new ArrayList<>();
        model.whenKept((name, why) -> kept.add(name + ": " + why));
        tick("caching", "segregated");
        model.open("/runs/small.trace");
        var before = run("caching").outcome();
        executor.hold();
        model.open("/runs/broken.trace");
        assertThat(model.openingProperty().get()).isEqualTo("/runs/broken.trace");
        executor.release();
        assertThat(model.openingProperty().get()).isEmpty();
        assertThat(model.stateProperty().get()).isEqualTo(State.DONE);
        assertThat(model.sourceProperty().get()).isEqualTo("/runs/small.trace");
        assertThat(run("caching").outcome()).isEqualTo(before);
        assertThat(model.recentTraces()).containsExactly("/runs/small.trace");
        assertThat(kept)
                .singleElement()
                .asString()
                .startsWith("broken.trace cannot be opened; what was open stays: Line 2");
        model.device().capacityProperty().set("200MiB");
        model.replay();
        assertThat(run("caching").outcome().result().ooms()).isZero();
    }

    @Test
    void another_trace_knows_nothing_of_what_the_one_before_needed() {
        tick("caching");
        model.open("/runs/small.trace");
        var small = run("caching").outcome().need();
        executor.hold();
        model.openExample();
        executor.releaseOne();
        assertThat(run("caching").outcome().need()).isEmpty();
        executor.release();
        assertThat(run("caching").outcome().need()).isPresent().isNotEqualTo(small);
    }

    @Test
    void another_trace_that_is_given_up_leaves_what_was_open() {
        tick("caching");
        model.open("/runs/small.trace");
        executor.hold();
        model.openExample();
        model.cancel();
        executor.release();
        assertThat(model.sourceProperty().get()).isEqualTo("/runs/small.trace");
        assertThat(model.stateProperty().get()).isEqualTo(State.DONE);
        assertThat(model.openingProperty().get()).isEmpty();
    }

    @Test
    void replays_nothing_while_a_field_is_wrong_or_no_policy_is_ticked() {
        model.device().fractionProperty().set("2");
        model.openExample();
        assertThat(model.stateProperty().get()).isEqualTo(State.FAILED);
        assertThat(model.canReplay().get()).isFalse();
        model.device().fractionProperty().set("");
        assertThat(model.canReplay().get()).isTrue();
        tick();
        assertThat(model.canReplay().get()).isFalse();
        tick("caching");
        model.replay();
        assertThat(model.stateProperty().get()).isEqualTo(State.DONE);
    }
}

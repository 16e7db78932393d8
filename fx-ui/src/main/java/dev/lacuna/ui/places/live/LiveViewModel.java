package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.WholeSteps;
import dev.lacuna.ui.chart.Reading;
import dev.lacuna.ui.chart.TimeCursor;
import dev.lacuna.ui.session.AttachedDevice;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.UiSettings;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;

/**
 * The attached process as it runs. Answers what the view asks for at its own pace; {@link #onChange} says when there is
 * something new. UI thread only; no toolkit.
 */
public final class LiveViewModel extends AttachedDevice {
    /** Figures of a sample farther from an instant than this are not its own. */
    private static final long NEAR_NS = 2_000_000_000L;

    private final Session session;
    private final UiSettings settings;
    private final MemoryHistory history = new MemoryHistory();
    private final WholeSteps steps = new WholeSteps();
    private final GapWatch gaps = new GapWatch(steps);
    private final BeforeAfter comparison = new BeforeAfter();
    private final StepRate rate = new StepRate();
    private final EventFeed feed = new EventFeed();
    private final ControlModel control;
    private final TimeCursor cursor = new TimeCursor();
    private final MomentHistory moments = new MomentHistory();
    private final ObjectProperty<LiveSelection> selection = new SimpleObjectProperty<>(LiveSelection.NONE);
    private Runnable onChange = () -> {};

    public LiveViewModel(Session session, UiSettings settings, Clock clock) {
        super(session, clock);
        this.session = session;
        this.settings = settings;
        this.control = new ControlModel(session, clock);
    }

    /** Calls this after every change of what the methods below answer. */
    public void onChange(Runnable action) {
        onChange = action;
    }

    /** The two settings. */
    public ControlModel control() {
        return control;
    }

    /** What the timeline is drawn from. */
    public MemoryHistory history() {
        return history;
    }

    /** Events that were lost since reading began. */
    public long lostEvents() {
        return latest().map(Sample::lostEvents).orElse(0L);
    }

    /** The instant at which everything is held; hold it by {@link #hold}. */
    public TimeCursor cursor() {
        return cursor;
    }

    /** What is selected in any of the cards. */
    ObjectProperty<LiveSelection> selectionProperty() {
        return selection;
    }

    /** Selects this, or nothing when it is selected already. */
    void choose(LiveSelection chosen) {
        selection.set(selection.get().equals(chosen) ? LiveSelection.NONE : chosen);
    }

    /** Holds everything at the sample closest to an instant, where one is kept near it; else at the instant itself. */
    void hold(long timeNs) {
        forgetEvent();
        cursor.hold(moments.nearest(timeNs)
                .map(LiveMoment::timeNs)
                .filter(at -> Math.abs(at - timeNs) <= NEAR_NS)
                .orElse(timeNs));
    }

    /** Holds everything as it was when something had just happened, and selects that. */
    void holdAtEvent(long timeNs) {
        cursor.hold(moments.knowing(timeNs)
                .map(LiveMoment::timeNs)
                .filter(at -> Math.abs(at - timeNs) <= NEAR_NS)
                .orElse(timeNs));
        selection.set(new LiveSelection.Event(timeNs));
    }

    /** Holds everything so many samples later; earlier for a negative number. */
    void step(int samples) {
        long from = cursor.heldProperty()
                .get()
                .orElseGet(() -> moments.isEmpty() ? 0 : moments.newest().timeNs());
        moments.beside(from, samples).ifPresent(moment -> hold(moment.timeNs()));
    }

    /** Holds everything at the next thing that is marked with a word, or the one before. */
    void stepMark(boolean later) {
        long from = selection.get() instanceof LiveSelection.Event event
                ? event.timeNs()
                : cursor.heldProperty().get().orElse(Long.MAX_VALUE);
        history.markBeside(from, later).ifPresent(mark -> holdAtEvent(mark.timeNs()));
    }

    private void forgetEvent() {
        if (selection.get() instanceof LiveSelection.Event) {
            selection.set(LiveSelection.NONE);
        }
    }

    /** All figures of the instant that is held, or else of now; empty before the first, and where they are no longer kept. */
    Optional<LiveMoment> shown() {
        OptionalLong held = cursor.heldProperty().get();
        if (held.isEmpty()) {
            return moments.isEmpty() ? Optional.empty() : Optional.of(moments.newest());
        }
        return moments.nearest(held.getAsLong()).filter(m -> Math.abs(m.timeNs() - held.getAsLong()) <= NEAR_NS);
    }

    /** Memory at the instant that is held, as the chart has it; empty while everything follows. */
    Optional<Reading> heldReading() {
        OptionalLong held = cursor.heldProperty().get();
        return held.isEmpty() ? Optional.empty() : history.readingAt(held.getAsLong());
    }

    /** The instant that is held on the wall clock, milliseconds since the epoch; empty while everything follows. */
    OptionalLong heldMs() {
        OptionalLong held = cursor.heldProperty().get();
        return held.isEmpty() ? held : history.wallClockMs(held.getAsLong());
    }

    /** Steps a second over the last moments; empty until two steps were seen. */
    public OptionalDouble stepsPerSecond() {
        return cursor.isHeld()
                ? shown().map(LiveMoment::stepsPerSecond).orElse(OptionalDouble.empty())
                : rate.perSecond();
    }

    /** What is to be said of the gap, if it is above the threshold of the settings. */
    public Optional<GapNotice> gapNotice() {
        return cursor.isHeld() ? shown().flatMap(LiveMoment::notice) : noticeNow();
    }

    private Optional<GapNotice> noticeNow() {
        return gaps.notice(settings.gapThresholdBytesProperty().get());
    }

    /** The gap of the newest whole steps, which every figure here that is called so is; empty until one has ended. */
    public Optional<WindowGap> gap() {
        return cursor.isHeld() ? shown().flatMap(LiveMoment::gap) : gaps.gap();
    }

    /** What setting this fraction would come to; empty before the first counters. */
    Optional<FractionPreview> preview(double fraction) {
        return counters().map(now -> FractionPreview.of(fraction, now, steps.window()));
    }

    /** Steps with the optimisation off and on. */
    Comparison comparison() {
        return cursor.isHeld() ? shown().map(LiveMoment::comparison).orElse(Comparison.NONE) : comparison.now();
    }

    /** The newest events. */
    public EventFeed feed() {
        return feed;
    }

    /** Whether the process is known to have run out of memory; empty before the first sample. */
    public Optional<Boolean> ranOutOfMemory() {
        return latest().map(sample -> sample.devices().stream().anyMatch(c -> c.ooms() > 0)
                || feed.newestFirst().stream().anyMatch(entry -> entry.kind() == FeedEntry.Kind.OOM));
    }

    /** Lets go of the process. */
    public void detach() {
        session.detach();
    }

    @Override
    protected void add(Sample sample, MemoryCounters now) {
        if (session.attachedProperty().get().filter(TrainingProcess::isStock).isPresent()) {
            history.addLooks(sample, now);
        } else {
            history.add(sample, now);
        }
        if (steps.add(now)) {
            comparison.add(steps);
        }
        gaps.add(sample.monotonicNs(), now);
        rate.add(sample.monotonicNs(), now.step());
        feed.add(sample, now.device());
        control.observe(now);
        moments.add(new LiveMoment(
                sample.monotonicNs(),
                sample.timeMs(),
                now,
                gaps.gap(),
                noticeNow(),
                comparison.now(),
                rate.perSecond()));
    }

    @Override
    protected void taken() {
        onChange.run();
    }

    @Override
    protected void forget() {
        cursor.release();
        selection.set(LiveSelection.NONE);
        moments.clear();
        history.clear();
        steps.clear();
        gaps.clear();
        comparison.clear();
        rate.clear();
        feed.clear();
        control.clear();
        onChange.run();
    }
}

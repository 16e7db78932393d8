package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.WholeSteps;
import dev.lacuna.ui.session.AttachedDevice;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.UiSettings;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The attached process as it runs. Answers what the view asks for at its own pace; {@link #onChange} says when there is
 * something new. UI thread only; no toolkit.
 */
public final class LiveViewModel extends AttachedDevice {
    private final Session session;
    private final UiSettings settings;
    private final MemoryHistory history = new MemoryHistory();
    private final WholeSteps steps = new WholeSteps();
    private final GapWatch gaps = new GapWatch(steps);
    private final BeforeAfter comparison = new BeforeAfter();
    private final StepRate rate = new StepRate();
    private final EventFeed feed = new EventFeed();
    private final ControlModel control;
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

    /** Steps a second over the last moments; empty until two steps were seen. */
    public OptionalDouble stepsPerSecond() {
        return rate.perSecond();
    }

    /** What is to be said of the gap, if it is above the threshold of the settings. */
    public Optional<GapNotice> gapNotice() {
        return gaps.notice(settings.gapThresholdBytesProperty().get());
    }

    /** The gap of the newest whole steps, which every figure here that is called so is; empty until one has ended. */
    public Optional<WindowGap> gap() {
        return gaps.gap();
    }

    /** What setting this fraction would come to; empty before the first counters. */
    Optional<FractionPreview> preview(double fraction) {
        return counters().map(now -> FractionPreview.of(fraction, now, steps.window()));
    }

    /** Steps with the optimisation off and on. */
    public BeforeAfter comparison() {
        return comparison;
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
        history.add(sample, now);
        if (steps.add(now)) {
            comparison.add(steps);
        }
        gaps.add(sample.monotonicNs(), now);
        rate.add(sample.monotonicNs(), now.step());
        feed.add(sample, now.device());
        control.observe(now);
    }

    @Override
    protected void taken() {
        onChange.run();
    }

    @Override
    protected void forget() {
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

package dev.lacuna.ui.places.live.phase;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.NamedPhases;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.chart.TimeRange;
import dev.lacuna.ui.session.Session;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/**
 * What the attached process does by name, asked for once a second while somebody looks, and how its time was shared between two
 * answers: steps are shorter than a picture of half a minute can show one by one. UI thread only; no toolkit.
 */
public final class PhasesModel {
    private static final long PACE_NS = 1_000_000_000L;

    /** Half an hour, as the timeline keeps finely. */
    private static final int MOST_SHARES = 1800;

    private final Session session;
    private final IntSupplier device;
    private final ReadOnlyObjectWrapper<Optional<NamedPhases>> phases = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final Deque<Share> shares = new ArrayDeque<>();
    private long askedNs;
    private long answeredNs;
    private boolean refused;
    private int generation;

    /**
     * How a stretch of time was shared.
     *
     * @param range monotonic clock
     * @param ofPhases 0 … 1 of it for each phase, by its place in the list; they overlap where one lies within another
     */
    record Share(TimeRange range, List<Double> ofPhases) {
        Share {
            ofPhases = List.copyOf(ofPhases);
        }
    }

    /** @param device number of the device that is looked at */
    public PhasesModel(Session session, IntSupplier device) {
        this.session = session;
        this.device = device;
        session.attachedProperty().addListener((property, before, now) -> forget());
    }

    /** What it told last; empty where it does not tell. */
    public ReadOnlyObjectProperty<Optional<NamedPhases>> phasesProperty() {
        return phases.getReadOnlyProperty();
    }

    /** How the time of this stretch was shared, oldest first. */
    List<Share> within(TimeRange range) {
        return shares.stream()
                .filter(share ->
                        share.range().endNs() > range.startNs() && share.range().startNs() < range.endNs())
                .toList();
    }

    /** Another device is looked at: its peaks are others. */
    public void forget() {
        generation++;
        phases.set(Optional.empty());
        shares.clear();
        askedNs = 0;
        answeredNs = 0;
        refused = false;
    }

    /** It is being looked at. */
    public void refresh() {
        Optional<Sample> latest = session.latestProperty().get();
        boolean answers = session.attachedProperty()
                .get()
                .filter(TrainingProcess::control)
                .isPresent();
        if (latest.isEmpty() || !answers || refused || latest.get().monotonicNs() - askedNs < PACE_NS) {
            return;
        }
        askedNs = latest.get().monotonicNs();
        int asked = generation;
        int of = device.getAsInt();
        session.ask(process -> process.phases(of)).whenComplete((answer, fault) -> {
            if (asked == generation && fault == null) {
                take(answer);
            }
        });
    }

    private void take(Answer<NamedPhases> answer) {
        if (answer instanceof Answer.Given<NamedPhases> given) {
            long now = session.latestProperty().get().map(Sample::monotonicNs).orElse(askedNs);
            phases.get().ifPresent(before -> add(before, given.value(), now));
            answeredNs = now;
            phases.set(Optional.of(given.value()));
        } else {
            refused = true;
        }
    }

    private void add(NamedPhases before, NamedPhases after, long now) {
        long span = now - answeredNs;
        if (span <= 0 || after.phases().size() < before.phases().size()) {
            return;
        }
        List<Double> of = IntStream.range(0, after.phases().size())
                .mapToObj(n -> {
                    long then =
                            n < before.phases().size() ? before.phases().get(n).timeNs() : 0;
                    return Math.max(0, Math.min(1, (after.phases().get(n).timeNs() - then) / (double) span));
                })
                .toList();
        shares.add(new Share(new TimeRange(answeredNs, now), of));
        if (shares.size() > MOST_SHARES) {
            shares.remove();
        }
    }
}

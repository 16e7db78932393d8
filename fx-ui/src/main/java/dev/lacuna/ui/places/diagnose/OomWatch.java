package dev.lacuna.ui.places.diagnose;

import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.session.Session;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/**
 * Notices that the attached process ran out of memory, from its counters or at its end, and fetches the message from its
 * black box. A failure that lies before the attaching is no news; one process is told of once, since a trainer that
 * catches its failures may have one at every step.
 */
final class OomWatch {
    private final Session session;
    private final BiConsumer<TrainingProcess, String> raise;
    private OptionalLong known = OptionalLong.empty();
    private boolean reported;

    /** Tells of the failure, on the UI thread. */
    OomWatch(Session session, BiConsumer<TrainingProcess, String> raise) {
        this.session = session;
        this.raise = raise;
        session.addSampleListener(this::see);
        session.attachedProperty().addListener((property, before, now) -> {
            known = OptionalLong.empty();
            reported = false;
        });
        session.connectionProperty().addListener((property, before, now) -> {
            if (now.kind() == ConnectionState.GONE.kind() && before.kind() != ConnectionState.NONE.kind()) {
                // Its last counters may never have been read; only where it had none before is the message new.
                if (known.orElse(-1) == 0) {
                    fetch();
                }
            }
        });
    }

    private void see(Sample sample) {
        long ooms = sample.devices().stream().mapToLong(MemoryCounters::ooms).sum();
        boolean news = known.isPresent() && ooms > known.getAsLong();
        known = OptionalLong.of(ooms);
        if (news) {
            fetch();
        }
    }

    private void fetch() {
        Optional<TrainingProcess> process = session.attachedProperty().get();
        if (reported || process.isEmpty()) {
            return;
        }
        reported = true;
        session.lastOutOfMemory(process.get()).whenComplete((message, fault) -> {
            if (fault == null && message.filter(text -> !text.isBlank()).isPresent()) {
                raise.accept(process.get(), message.get());
            } else {
                reported = false; // No message yet, or it could not be read: the next failure is as good.
            }
        });
    }
}

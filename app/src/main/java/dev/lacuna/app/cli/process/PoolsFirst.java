package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.Question;
import dev.lacuna.app.cli.output.Terminal;
import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.StockControl.Facts;
import dev.lacuna.bridge.TakeOver;
import dev.lacuna.bridge.TrainingProcess;
import java.util.Optional;

/**
 * Has Lacuna's pools come into an attached process before the optimisation is switched on there: that is what whoever says
 * {@code optimisation=on} means. A person at a terminal is asked as {@code take-over} asks; a script says {@code --yes}.
 */
final class PoolsFirst {
    private static final String FRONT = "front";
    private static final String NO_STEP = "no-step";

    private final TakeOver takeOver;
    private final Terminal terminal;
    private final boolean yes;
    private final boolean json;

    /** What became of it. */
    sealed interface Door {
        /** There is none to be opened: the process carries an agent, has no place for one, or nothing is switched on. */
        record None() implements Door {}

        /** Nobody has said that it may be opened. */
        record Closed() implements Door {}

        /** An agent is there now. */
        record Opened() implements Door {}

        /** It could not be opened. */
        record Stuck(String code, String text) implements Door {
            /** Whether it opens by itself, later: then nothing else is done in its place. */
            boolean opensLater() {
                return code.equals(NO_STEP);
            }
        }
    }

    /**
     * @param yes whether it may be opened without a question
     * @param json whether a document is wanted: then nobody is asked
     */
    PoolsFirst(TakeOver takeOver, Terminal terminal, boolean yes, boolean json) {
        this.takeOver = takeOver;
        this.terminal = terminal;
        this.yes = yes;
        this.json = json;
    }

    /**
     * Opens it where it is wanted and there is one.
     *
     * @throws dev.lacuna.app.cli.output.CommandFailure where the person says no: nothing was done
     */
    Door open(AttachedProcess process, Change change) throws BridgeException {
        if (!change.optimisation().orElse(false) || !canBeOpened(process)) {
            return new Door.None();
        }
        String pid = process.process().id().toString();
        if (!yes && (json || !terminal.isThere())) {
            terminal.tell("lacuna: " + CliText.text("set.pools.closed", pid));
            return new Door.Closed();
        }
        new Question(terminal, yes).require(CliText.text("takeover.what", pid), CliText.text("takeover.ask"));
        return told(takeOver.open(process.process(), line -> terminal.tell("lacuna: " + line)));
    }

    private Door told(Answer<TrainingProcess> answer) {
        if (answer instanceof Answer.Refused<TrainingProcess> refused) {
            Door.Stuck stuck = new Door.Stuck(refused.code(), refused.text());
            if (!stuck.opensLater()) {
                terminal.tell("lacuna: " + CliText.text("set.pools.stuck", stuck.code(), stuck.text()));
            }
            return stuck;
        }
        terminal.tell("lacuna: " + CliText.text("set.pools.opened"));
        return new Door.Opened();
    }

    private static boolean canBeOpened(AttachedProcess process) throws BridgeException {
        Optional<StockControl> stock = process.stock();
        return stock.isPresent()
                && stock.get().facts() instanceof Answer.Given<Facts> known
                && known.value().can().contains(FRONT);
    }
}

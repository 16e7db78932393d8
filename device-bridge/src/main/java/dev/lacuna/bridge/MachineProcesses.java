package dev.lacuna.bridge;

import java.util.List;
import java.util.OptionalLong;

/** Every process of this machine that has a training framework loaded, prepared or not. Reading only; cheap enough to be asked every second. */
public interface MachineProcesses {
    /** All of them, those of ours and the attached first, each kind newest first, and behind them what was split off from others. */
    List<ListedProcess> list() throws BridgeException;

    /**
     * What is known of one process, whether or not a framework was found in it.
     *
     * @throws BridgeException GONE
     */
    FoundProcess look(long pid) throws BridgeException;

    /** Nothing but what carries an agent: where nothing else is to be looked at. */
    static MachineProcesses of(TrainingProcesses prepared) {
        return new MachineProcesses() {
            @Override
            public List<ListedProcess> list() throws BridgeException {
                return prepared.living().stream()
                        .map(process -> ListedProcess.of(process, java.util.Optional.empty()))
                        .toList();
            }

            @Override
            public FoundProcess look(long pid) throws BridgeException {
                throw new BridgeException(BridgeException.Reason.GONE, "there is no process " + OptionalLong.of(pid));
            }
        };
    }
}

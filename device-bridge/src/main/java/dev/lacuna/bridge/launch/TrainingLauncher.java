package dev.lacuna.bridge.launch;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.hosted.AgentPackage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts training processes that carry the agent of this program's jar. */
public final class TrainingLauncher {
    private final AgentPackage agent;

    /** Starts with this agent. */
    public TrainingLauncher(AgentPackage agent) {
        this.agent = agent;
    }

    /**
     * Starts {@code python -m lacuna script arguments…}, with output unbuffered.
     *
     * @param python an interpreter that has PyTorch, see {@link TorchPython}
     * @throws BridgeException SYSTEM when it cannot be started
     */
    public LaunchedTraining script(Path python, Path script, List<String> arguments, LaunchSettings settings)
            throws BridgeException {
        List<String> command = new ArrayList<>(List.of(python.toString(), "-u", "-m", "lacuna", script.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = builder(command, settings);
        Map<String, String> environment = builder.environment();
        environment.put("LACUNA_LIBRARY", agent.torchLibrary().toString());
        putFirst(environment, "PYTHONPATH", agent.pythonPath());
        return start(builder);
    }

    /**
     * Starts any command with the agent preloaded; a Python among what it starts marks its phases.
     *
     * @throws BridgeException SYSTEM when it cannot be started
     */
    public LaunchedTraining command(List<String> command, LaunchSettings settings) throws BridgeException {
        ProcessBuilder builder = builder(command, settings);
        putFirst(builder.environment(), "LD_PRELOAD", agent.torchLibrary());
        putFirst(builder.environment(), "PYTHONPATH", agent.pythonHook());
        builder.environment().put("LACUNA_HOOK", agent.pythonHook().toString());
        return start(builder);
    }

    /**
     * Starts a command as it is, for programs that host the allocator themselves; of the settings they see the environment.
     *
     * @throws BridgeException SYSTEM when it cannot be started
     */
    public LaunchedTraining plain(List<String> command, LaunchSettings settings) throws BridgeException {
        return start(builder(command, settings));
    }

    private static ProcessBuilder builder(List<String> command, LaunchSettings settings) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        settings.directory().ifPresent(folder -> builder.directory(folder.toFile()));
        builder.environment().putAll(settings.environment());
        return builder;
    }

    private static LaunchedTraining start(ProcessBuilder builder) throws BridgeException {
        try {
            return new LaunchedTraining(builder.start());
        } catch (IOException e) {
            throw new BridgeException(
                    Reason.SYSTEM, builder.command().get(0) + " could not be started: " + e.getMessage(), e);
        }
    }

    private static void putFirst(Map<String, String> environment, String variable, Path path) {
        environment.merge(variable, path.toString(), (old, first) -> old.isEmpty() ? first : first + ":" + old);
    }
}

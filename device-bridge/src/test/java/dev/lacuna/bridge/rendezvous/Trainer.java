package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.hosted.AgentPackage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real process with a real agent: {@code trainer.c}, compiled by the system's compiler against the library of the jar. */
final class Trainer implements AutoCloseable {
    private static Path program;

    private final Process process;

    private Trainer(Process process) {
        this.process = process;
    }

    /** Starts it and waits until it trains. */
    static Trainer start(Path rendezvous, String... arguments) throws Exception {
        return start(rendezvous, List.of(), arguments);
    }

    /** What makes a command process 1 of a pid namespace of its own. */
    static final List<String> CONTAINER = List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc");

    /** Whether such namespaces are permitted here. */
    static boolean mayMakeContainers() throws Exception {
        List<String> command = new ArrayList<>(CONTAINER);
        command.add("true");
        return new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /** The same through another command, which starts it. */
    static Trainer start(Path rendezvous, List<String> through, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(through);
        command.add(program().toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("LACUNA_DIR", rendezvous.toString());
        Trainer trainer = new Trainer(builder.start());
        String line = trainer.process.inputReader(StandardCharsets.UTF_8).readLine();
        if (!"ready".equals(line)) {
            throw new IOException("the trainer said: " + line);
        }
        return trainer;
    }

    long pid() {
        return process.pid();
    }

    /** Its pid where another command has started it. */
    long childPid() {
        return process.children().findFirst().orElseThrow().pid();
    }

    void signal(String name) throws Exception {
        signal(pid(), name);
    }

    static void signal(long pid, String name) throws Exception {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill -" + name + " " + pid + " failed");
        }
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends its input and waits until it runs this program; one started with "exec" does that. */
    void becomes(String name) throws Exception {
        process.getOutputStream().close();
        Path running = Path.of("/proc", Long.toString(pid()), "comm");
        while (!Files.readString(running).strip().equals(name)) {
            Thread.sleep(5);
        }
    }

    /** Lets it end in good order and returns its exit status. */
    int finish() throws Exception {
        process.getOutputStream().close();
        return process.waitFor();
    }

    @Override
    public void close() throws Exception {
        kill();
    }

    private static synchronized Path program() throws Exception {
        if (program == null) {
            Path library = AgentPackage.unpack().library();
            Path folder = Files.createDirectories(Path.of("target", "trainer").toAbsolutePath());
            Path source = folder.resolve("trainer.c");
            try (var in = Trainer.class.getResourceAsStream("/trainer.c")) {
                Files.write(source, in.readAllBytes());
            }
            Path built = folder.resolve("trainer");
            int status = new ProcessBuilder(
                            "gcc",
                            "-O1",
                            "-Wall",
                            "-Werror",
                            "-I" + Path.of("..", "native", "include").toAbsolutePath(),
                            source.toString(),
                            library.toString(),
                            "-Wl,-rpath," + library.getParent(),
                            "-o",
                            built.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IOException("trainer.c does not compile");
            }
            program = built;
        }
        return program;
    }
}

package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.argument.ProcessIdConverter;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessId;
import java.io.IOException;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What every command takes that asks one process one thing, and how it answers. */
public final class ProcessRequest {
    @Parameters(paramLabel = "PID", index = "0", descriptionKey = "pid", converter = ProcessIdConverter.class)
    private ProcessId pid;

    @Option(names = "--json")
    private boolean json;

    /** The members of the answer after {@code pid}. */
    @FunctionalInterface
    public interface Members {
        void write(JsonGenerator json) throws IOException;
    }

    /** Which process. */
    public ProcessId pid() {
        return pid;
    }

    /** Whether a program reads the answer: then nothing is asked back either. */
    public boolean isJson() {
        return json;
    }

    /** The process, watched already or from now on; to be closed. */
    public AttachedProcess open() throws BridgeException {
        return Bridge.processes().attach(pid);
    }

    /** Prints one object for programs, or lines for people. */
    public void answer(Members members, Stream<String> lines) {
        if (json) {
            JsonLine.print(System.out, JsonLine.of(out -> {
                out.writeStartObject();
                out.writeNumberField("pid", pid.pid());
                members.write(out);
                out.writeEndObject();
            }));
        } else {
            lines.forEach(System.out::println);
        }
    }
}

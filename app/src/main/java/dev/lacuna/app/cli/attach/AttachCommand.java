package dev.lacuna.app.cli.attach;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.SystemTerminal;
import dev.lacuna.app.cli.process.Bridge;
import dev.lacuna.app.cli.process.DevicesJson;
import dev.lacuna.app.cli.process.ProcessRequest;
import dev.lacuna.bridge.Attacher.Outcome;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.Framework;
import dev.lacuna.bridge.Obstacle;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.Reach;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lacuna attach PID}: has a running process that was not prepared tell of its memory. */
@Command(name = "attach", mixinStandardHelpOptions = true)
public final class AttachCommand implements Callable<Integer> {
    private static final double NS_PER_MS = 1e6;

    @Mixin
    private ProcessRequest request;

    @Option(
            names = {"-y", "--yes"},
            descriptionKey = "yes")
    private boolean yes;

    @Override
    public Integer call() throws BridgeException {
        ProcessId pid = request.pid();
        if (pid.namespace().isPresent()) {
            throw new CommandFailure(ExitStatus.PROCESS, CliText.text("attach.elsewhere", pid.toString()));
        }
        FoundProcess found = Bridge.everything().look(pid.pid());
        if (found.obstacle().isEmpty()) {
            new AttachConsent(new SystemTerminal(), yes || request.isJson()).require(found);
        }
        Outcome outcome = Bridge.attacher().attach(found, AttachCommand::tellWaiting);
        if (outcome instanceof Outcome.Refused refused) {
            String text = refused.why().text(Locale.getDefault());
            if (request.isJson()) {
                request.answer(out -> write(out, refused.why()), Stream.empty());
            }
            throw new CommandFailure(
                    ExitStatus.PROCESS,
                    CliText.text(
                            "attach.refused",
                            pid.toString(),
                            refused.why().kind().label(),
                            text));
        }
        print(found, (Outcome.Attached) outcome);
        return ExitStatus.DONE.code();
    }

    /** Once a second at first, then ever more seldom. */
    private static void tellWaiting(Duration since) {
        if (Long.bitCount(since.toSeconds()) > 1) {
            return;
        }
        System.err.println("lacuna: " + CliText.text("attach.waiting", Long.toString(since.toSeconds())));
    }

    private void print(FoundProcess found, Outcome.Attached attached) {
        String pid = request.pid().toString();
        String devices = attached.process().devices().stream()
                .map(device -> device.name().written())
                .collect(Collectors.joining(", "));
        request.answer(
                out -> write(out, found, attached),
                Stream.of(
                        CliText.text(
                                words(attached),
                                pid,
                                found.framework().map(Framework::toString).orElse("-"),
                                devices.isEmpty() ? "-" : devices,
                                ms(attached.took()),
                                ms(attached.stopped())),
                        CliText.text("attach.next", pid)));
    }

    private static String words(Outcome.Attached attached) {
        if (!attached.process().isStock()) {
            return "attach.agent";
        }
        return attached.already() ? "attach.already" : "attach.done";
    }

    private static void write(JsonGenerator json, FoundProcess found, Outcome.Attached attached) throws IOException {
        Reach reach = attached.process().isStock() ? Reach.ATTACHED : Reach.AGENT;
        json.writeStringField("reach", reach.label());
        json.writeStringField(
                "framework", found.framework().map(Framework::toString).orElse(null));
        DevicesJson.write(json, attached.process().devices());
        json.writeNumberField("attach_ms", attached.took().toNanos() / NS_PER_MS);
        json.writeNumberField("stopped_ms", attached.stopped().toNanos() / NS_PER_MS);
    }

    private static void write(JsonGenerator json, Obstacle why) throws IOException {
        json.writeObjectFieldStart("error");
        json.writeStringField("code", why.kind().label());
        json.writeStringField("text", why.text(Locale.getDefault()));
        json.writeEndObject();
    }

    private static String ms(Duration time) {
        return String.format(Locale.ROOT, "%.1f", time.toNanos() / NS_PER_MS);
    }
}

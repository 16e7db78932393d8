package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.argument.ByteSizeConverter;
import dev.lacuna.app.cli.argument.CompactionPace;
import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.argument.ProcessIdConverter;
import dev.lacuna.app.cli.argument.SwapModeConverter;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.output.Style;
import dev.lacuna.app.cli.output.SystemTerminal;
import dev.lacuna.app.cli.process.PoolsFirst.Door;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.Reply;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.SwapMode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna set PID optimisation=on fraction=0.94}: live control of a running process. */
@Command(name = "set", mixinStandardHelpOptions = true)
public final class SetCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PID", index = "0", descriptionKey = "pid", converter = ProcessIdConverter.class)
    private ProcessId pid;

    @Parameters(paramLabel = "KEY=VALUE", index = "1..*", arity = "0..*", descriptionKey = "assignments")
    private List<String> assignments = List.of();

    @Option(names = "--swap", paramLabel = "on|off|all", converter = SwapModeConverter.class)
    private SwapMode swap;

    @Option(names = "--swap-budget", paramLabel = "SIZE", converter = ByteSizeConverter.class)
    private Long swapBudget;

    @Option(
            names = "--compact",
            paramLabel = "gentle|at-once",
            arity = "0..1",
            converter = CompactionPace.Converter.class,
            preprocessor = CompactionPace.Usual.class)
    private CompactionPace compact;

    @Option(names = "--preview")
    private boolean preview;

    @Mixin
    private FirstChange first;

    @Option(names = "--json")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BridgeException, InterruptedException {
        Change asked = parse();
        DeviceArgument device = device();
        if (preview) {
            return preview(asked, device);
        }
        Door door = door(asked, device);
        Change change;
        Reply reply;
        List<MemoryCounters> now;
        Compacted compacted;
        PoolsMissed missed;
        try (AttachedProcess process = Bridge.processes().attach(pid)) {
            change = asked.on(device.in(process.sample().devices()));
            // Who has just let it be taken over has said more than this asks.
            first.require(process, json || door instanceof Door.Stuck);
            missed = PoolsMissed.look(process, change, door);
            reply = apply(process, change, door);
            now = process.sample().devices();
            if (!json && reply instanceof Reply.Applied applied) {
                print(applied);
                missed.words(pid.toString())
                        .ifPresent(line -> System.out.println(Style.out().hint(line)));
            }
            compacted = compact != null && reply instanceof Reply.Applied
                    ? Compacted.in(process, change.device(), compact)
                    : Compacted.NOT_ASKED;
        }
        if (json) {
            JsonLine.print(
                    System.out, ChangeJson.of(change, reply, now, new ChangeJson.Beside(door, missed, compacted)));
        }
        if (reply instanceof Reply.Refused refused) {
            long totalBytes = now.stream()
                    .filter(counters -> counters.device() == change.device())
                    .mapToLong(MemoryCounters::totalBytes)
                    .findFirst()
                    .orElse(0);
            throw new CommandFailure(ExitStatus.PROCESS, explain(refused, totalBytes));
        }
        return compacted.ended(json);
    }

    /** Changes nothing, and so asks nobody. */
    private int preview(Change asked, DeviceArgument device) throws BridgeException {
        SwitchPreview found;
        try (AttachedProcess process = Bridge.processes().attach(pid)) {
            List<MemoryCounters> now = process.sample().devices();
            int number = device.in(now);
            found = now.stream()
                    .filter(counters -> counters.device() == number)
                    .findFirst()
                    .map(counters -> SwitchPreview.of(counters, asked, compact != null))
                    .orElseThrow(() -> new CommandFailure(
                            ExitStatus.PROCESS, CliText.text("set.refused", "no-device", String.valueOf(number))));
        }
        if (json) {
            JsonLine.print(System.out, JsonLine.of(out -> {
                out.writeStartObject();
                out.writeNumberField("pid", pid.pid());
                found.write(out);
                out.writeEndObject();
            }));
        } else {
            found.lines().forEach(System.out::println);
        }
        return ExitStatus.DONE.code();
    }

    /** Switching on means Lacuna's pools, where they can be had. */
    private Door door(Change asked, DeviceArgument device) throws BridgeException {
        try (AttachedProcess process = Bridge.processes().attach(pid)) {
            device.in(process.sample().devices()); // a slip of the pen takes nothing over
            return new PoolsFirst(Bridge.takeOver(), new SystemTerminal(), first.isAgreed(), json).open(process, asked);
        }
    }

    private Reply apply(AttachedProcess process, Change change, Door door) throws BridgeException {
        return door instanceof Door.Stuck stuck && stuck.opensLater()
                ? new Reply.Refused(stuck.code(), stuck.text(), Optional.empty())
                : new GuardedChange(new SystemTerminal(), json).apply(process, change);
    }

    private Change parse() {
        try {
            Change change = ChangeArguments.parse(
                    assignments,
                    Optional.ofNullable(swap),
                    swapBudget == null ? OptionalLong.empty() : OptionalLong.of(swapBudget));
            if (compact != null
                    && change.optimisation().isEmpty()
                    && change.policy().isEmpty()) {
                throw new IllegalArgumentException(CliText.text("set.compact.alone"));
            }
            if (preview && !change.isOfRules()) {
                throw new IllegalArgumentException(CliText.text("set.preview.alone"));
            }
            return change;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    private DeviceArgument device() {
        try {
            return ChangeArguments.device(assignments);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    private static void print(Reply.Applied applied) {
        System.out.println(Style.out()
                .good(CliText.text(
                        "set.holds",
                        applied.optimisation() ? "on" : "off",
                        Fractions.text(applied.fraction()),
                        ByteSize.format(applied.limitBytes()))));
        applied.policy().ifPresent(policy -> System.out.println(CliText.text("set.policy." + policy.label())));
        applied.swapping()
                .ifPresent(swapping -> System.out.println(CliText.text(
                        "set.swapping", swapping.mode().label(), ByteSize.format(swapping.budgetBytes()))));
        System.out.println(CliText.text("set.before", CounterSummary.of(applied.before())));
        System.out.println(CliText.text("set.after", CounterSummary.of(applied.after())));
        applied.swapLeastBytes().ifPresent(least -> printLeast(least, applied.beyondSwapping()));
        if (applied.unreachedBytes() > 0) {
            System.out.println(
                    Style.out().hint(CliText.text("set.unreached", ByteSize.format(applied.unreachedBytes()))));
        }
    }

    private static void printLeast(long bytes, boolean beyond) {
        String line = CliText.text(beyond ? "set.least.beyond" : "set.least", ByteSize.format(bytes));
        System.out.println(beyond ? Style.out().hint(line) : line);
    }

    private static String explain(Reply.Refused refused, long totalBytes) {
        return refused.byGuard()
                ? GuardText.of(refused, totalBytes) + System.lineSeparator() + CliText.text("set.force.hint")
                : CliText.text("set.refused", refused.code(), refused.text());
    }
}

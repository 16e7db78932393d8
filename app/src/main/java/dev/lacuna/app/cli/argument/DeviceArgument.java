package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.core.base.counters.DeviceName;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Which device of a process is meant: {@code cuda:1}, {@code host}, or a number, which is an accelerator's own index where the process
 * has accelerators. Where nothing is said, the first accelerator, else the host.
 *
 * @param written as it was written; empty where nothing was
 * @param name the device that it names, unless it is a number or nothing
 */
public record DeviceArgument(String written, Optional<DeviceName> name) {
    /** Nothing was said. */
    public static final DeviceArgument USUAL = new DeviceArgument("", Optional.empty());

    /** Longest number that is one of a device. */
    private static final String NUMBER = "\\d{1,9}";

    /** Reads an argument; empty where it names no kind of device. */
    public static Optional<DeviceArgument> read(String written) {
        if (written.matches(NUMBER)) {
            return Optional.of(new DeviceArgument(written, Optional.empty()));
        }
        return DeviceName.read(written).map(name -> new DeviceArgument(written, Optional.of(name)));
    }

    /** The number that was written, 0 where none was. */
    public int number() {
        return written.matches(NUMBER) ? Integer.parseInt(written) : 0;
    }

    /**
     * The number of the device that is meant, in the table of this process. A number that fits no device is passed on: its agent refuses it.
     *
     * @param devices as a sample tells them, accelerators first
     * @throws CommandFailure where the process has no device of that name; the text names those that it has
     */
    public int in(List<MemoryCounters> devices) {
        Map<Integer, DeviceName> names = new LinkedHashMap<>();
        devices.forEach(counters -> names.put(counters.device(), counters.name()));
        return in(names);
    }

    /** The same of devices by their numbers in the table. */
    public int in(Map<Integer, DeviceName> devices) {
        if (written.isEmpty()) {
            return devices.keySet().stream().findFirst().orElse(0);
        }
        return name.isPresent()
                ? numbered(devices, name.get()::equals).orElseThrow(() -> missing(devices))
                : numbered(devices, device -> device.isAccelerator() && device.index() == number())
                        .orElse(number());
    }

    private static Optional<Integer> numbered(Map<Integer, DeviceName> devices, Predicate<DeviceName> which) {
        return devices.entrySet().stream()
                .filter(device -> which.test(device.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private CommandFailure missing(Map<Integer, DeviceName> devices) {
        String there = devices.values().stream().map(DeviceName::written).collect(Collectors.joining(", "));
        return new CommandFailure(ExitStatus.PROCESS, CliText.text("device.missing", written, there));
    }

    /** For options of commands. */
    public static final class Converter implements ITypeConverter<DeviceArgument> {
        @Override
        public DeviceArgument convert(String value) {
            return read(value).orElseThrow(() -> new TypeConversionException(CliText.text("set.device", value)));
        }
    }
}

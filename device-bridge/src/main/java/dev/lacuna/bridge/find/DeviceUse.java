package dev.lacuna.bridge.find;

import dev.lacuna.bridge.FoundProcess.UsedDevice;
import dev.lacuna.bridge.device.DeviceFacts;
import dev.lacuna.bridge.device.DeviceHolder;
import dev.lacuna.bridge.device.DeviceInventory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which accelerators a process uses: the drivers' word for it where they give one, else what it has open. */
final class DeviceUse {
    private static final long GOOD_FOR_NS = 2_000_000_000;
    private static final Pattern OPEN = Pattern.compile("/dev/(nvidia|davinci)(\\d{1,3})");

    private final Map<String, DeviceInventory> drivers;
    private final boolean ownNumbers;
    private final List<Held> held = new ArrayList<>();
    private OptionalLong askedNs = OptionalLong.empty();

    /**
     * Asks these drivers.
     *
     * @param drivers by the kind of device, {@code cuda} or {@code npu}
     * @param ownNumbers whether the drivers' pids are this program's: false in a pid namespace of its own
     */
    DeviceUse(Map<String, DeviceInventory> drivers, boolean ownNumbers) {
        this.drivers = Map.copyOf(drivers);
        this.ownNumbers = ownNumbers;
    }

    /** Asks the drivers again where their last word is old. */
    void refresh(long nowNs) {
        if (!ownNumbers || askedNs.isPresent() && nowNs - askedNs.getAsLong() < GOOD_FOR_NS) {
            return;
        }
        askedNs = OptionalLong.of(nowNs);
        held.clear();
        drivers.forEach((kind, inventory) -> {
            for (DeviceFacts device : inventory.devices()) {
                device.processes().forEach(holder -> held.add(new Held(kind, device, holder)));
            }
        });
    }

    /** Whether a driver names it. */
    boolean holds(long pid) {
        return held.stream().anyMatch(device -> device.holder().pid() == pid);
    }

    /** The devices that it uses. */
    List<UsedDevice> of(long pid, Optional<String> driver, ProcFolder folder, Map<String, String> environment) {
        List<UsedDevice> told = held.stream()
                .filter(device -> device.holder().pid() == pid)
                .map(device -> new UsedDevice(
                        device.kind(),
                        OptionalInt.of(device.facts().index()),
                        device.holder().bytes(),
                        OptionalLong.of(device.facts().totalBytes())))
                .toList();
        return told.isEmpty() && driver.isPresent() ? open(driver.get(), folder, environment) : told;
    }

    /** Initialised alone, a driver opens every device: then what the process was told to see says more. */
    private static List<UsedDevice> open(String driver, ProcFolder folder, Map<String, String> environment) {
        TreeSet<Integer> indices = new TreeSet<>(visible(driver, environment));
        if (indices.isEmpty()) {
            for (String file : folder.openFiles()) {
                Matcher device = OPEN.matcher(file);
                if (device.matches()) {
                    indices.add(Integer.parseInt(device.group(2)));
                }
            }
        }
        return indices.stream()
                .map(index -> new UsedDevice(driver, OptionalInt.of(index), OptionalLong.empty(), OptionalLong.empty()))
                .toList();
    }

    private static List<Integer> visible(String driver, Map<String, String> environment) {
        String variable = driver.equals("npu") ? "ASCEND_RT_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES";
        String value = environment.getOrDefault(variable, "");
        if (!value.matches("\\d{1,3}(,\\d{1,3})*")) {
            return List.of();
        }
        return Pattern.compile(",").splitAsStream(value).map(Integer::valueOf).toList();
    }

    private record Held(String kind, DeviceFacts facts, DeviceHolder holder) {}
}

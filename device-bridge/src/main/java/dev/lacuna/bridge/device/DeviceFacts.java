package dev.lacuna.bridge.device;

import java.util.List;

/**
 * One accelerator.
 *
 * @param index the driver's index
 * @param name the vendor's name
 * @param totalBytes memory installed
 * @param freeBytes memory that nobody holds
 * @param processes compute processes that hold memory, as far as the driver tells
 */
public record DeviceFacts(int index, String name, long totalBytes, long freeBytes, List<DeviceHolder> processes) {
    public DeviceFacts {
        processes = List.copyOf(processes);
    }
}

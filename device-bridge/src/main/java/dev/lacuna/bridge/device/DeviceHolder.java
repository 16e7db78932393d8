package dev.lacuna.bridge.device;

import java.util.OptionalLong;

/**
 * A process that holds memory of a device.
 *
 * @param pid process id as the driver knows it
 * @param bytes what it holds; empty when the driver does not tell (containers, other users)
 */
public record DeviceHolder(long pid, OptionalLong bytes) {}

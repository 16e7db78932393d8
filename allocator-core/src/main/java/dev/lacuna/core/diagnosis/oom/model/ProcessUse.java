package dev.lacuna.core.diagnosis.oom.model;

import java.util.OptionalLong;

/**
 * A process that the message lists by number. In a container it may be the failing process under its host's number.
 *
 * @param pid as printed
 * @param bytes what it uses of the device; empty when the driver could not say
 */
public record ProcessUse(long pid, OptionalLong bytes) {}

package dev.lacuna.core.history.model;

/**
 * A step, a phase or a mark of the program begins or ends.
 *
 * @param device number of the device, as {@link DeviceHistory#device} tells it
 * @param event index of the first event of that device after it, 0 … size
 * @param timeNs when, on the clock of the events; 0 where they have none
 * @param name what begins or ends
 * @param begins whether it begins; a mark without a length only begins
 */
public record HistoryAnnotation(int device, int event, long timeNs, String name, boolean begins) {}

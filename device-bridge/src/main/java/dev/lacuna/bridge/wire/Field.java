package dev.lacuna.bridge.wire;

/**
 * One named piece of a binary record.
 *
 * @param name the record's and the field's name, such as {@code device.total_bytes}; the same in the C header
 * @param offset bytes from the start of the record
 * @param size bytes
 */
public record Field(String name, int offset, int size) {
    /** The first byte after the field. */
    public int end() {
        return offset + size;
    }
}

package dev.lacuna.bridge.wire;

import java.util.ArrayList;
import java.util.List;

/** Builds the layout of a C record field by field, with C's natural alignment, so that no offset is written by hand. */
public final class RecordShape {
    private final String record;
    private final List<Field> fields = new ArrayList<>();
    private int length;

    /** Starts an empty record of this name. */
    public RecordShape(String record) {
        this.record = record;
    }

    /** Appends an unsigned byte. */
    public Field u8(String name) {
        return append(name, 1, 1);
    }

    /** Appends a 32-bit integer. */
    public Field u32(String name) {
        return append(name, Integer.BYTES, Integer.BYTES);
    }

    /** Appends a 64-bit integer or a double. */
    public Field u64(String name) {
        return append(name, Long.BYTES, Long.BYTES);
    }

    /** Appends a run of bytes. */
    public Field bytes(String name, int count) {
        return append(name, count, 1);
    }

    /** Appends an array of records whose alignment is 8. */
    public Field records(String name, int count, RecordShape element) {
        return append(name, count * element.length(), Long.BYTES);
    }

    /** Reserved room up to this offset, which must not lie behind what was already appended. */
    public void skipTo(int offset) {
        if (offset < length) {
            throw new IllegalArgumentException(record + " already takes " + length + " bytes, not " + offset);
        }
        length = offset;
    }

    /** Bytes so far. */
    public int length() {
        return length;
    }

    /** The fields so far, in order; reserved room is none. */
    public List<Field> fields() {
        return List.copyOf(fields);
    }

    /** The record as a whole, named as in {@code lacuna_layout()}. */
    public Field whole() {
        return new Field(record, 0, length);
    }

    private Field append(String name, int size, int alignment) {
        int offset = (length + alignment - 1) / alignment * alignment;
        Field field = new Field(record + "." + name, offset, size);
        fields.add(field);
        length = field.end();
        return field;
    }
}

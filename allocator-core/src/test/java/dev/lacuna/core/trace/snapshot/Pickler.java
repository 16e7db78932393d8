package dev.lacuna.core.trace.snapshot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Writes maps, lists, strings, numbers and booleans as pickles, the way Python does: what occurs again comes from the memo. */
public final class Pickler {
    /** Python's None. */
    public static final Object NONE = new Object();

    private final int protocol;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Map<Object, Integer> memo = new IdentityHashMap<>();

    private Pickler(int protocol) {
        this.protocol = protocol;
    }

    /** The bytes of this value under protocol 0 (text), 2, 4 or 5. */
    public static byte[] pickle(Object value, int protocol) {
        Pickler pickler = new Pickler(protocol);
        if (protocol >= 2) {
            pickler.bytes(0x80, protocol);
        }
        if (protocol >= 4) {
            pickler.bytes(0x95, 0, 0, 0, 0, 0, 0, 0, 0);
        }
        pickler.write(value);
        pickler.bytes('.');
        return pickler.out.toByteArray();
    }

    /** The same as a stream, protocol 4. */
    public static InputStream stream(Object value) {
        return new ByteArrayInputStream(pickle(value, 4));
    }

    private void write(Object value) {
        Integer slot = memo.get(value);
        if (slot != null) {
            get(slot);
        } else if (value instanceof Map) {
            empty('}', "(d");
            memoize(value);
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                write(entry.getKey());
                write(entry.getValue());
                bytes('s');
            }
        } else if (value instanceof List) {
            empty(']', "(l");
            memoize(value);
            for (Object item : (List<?>) value) {
                write(item);
                bytes('a');
            }
        } else if (value instanceof String) {
            text((String) value);
            memoize(value);
        } else if (value instanceof Boolean) {
            if (protocol == 0) {
                ascii((Boolean) value ? "I01\n" : "I00\n");
            } else {
                bytes((Boolean) value ? 0x88 : 0x89);
            }
        } else if (value instanceof Double) {
            real((Double) value);
        } else if (value instanceof BigInteger) {
            large((BigInteger) value);
        } else if (value == NONE) {
            bytes('N');
        } else if (value instanceof Number) {
            whole(((Number) value).longValue());
        } else {
            throw new IllegalArgumentException("cannot pickle " + value.getClass());
        }
    }

    private void empty(int binary, String text) {
        if (protocol == 0) {
            ascii(text);
        } else {
            bytes(binary);
        }
    }

    private void text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (protocol == 0) {
            ascii("V" + value + "\n");
        } else if (protocol >= 4 && utf8.length < 256) {
            bytes(0x8C, utf8.length);
            out.writeBytes(utf8);
        } else {
            bytes('X', utf8.length, utf8.length >> 8, utf8.length >> 16, utf8.length >> 24);
            out.writeBytes(utf8);
        }
    }

    private void whole(long value) {
        if (protocol == 0) {
            ascii("L" + value + "L\n");
        } else if (value >= 0 && value < 256) {
            bytes('K', (int) value);
        } else {
            bytes(0x8A, 8);
            for (int i = 0; i < 8; i++) {
                bytes((int) (value >>> 8 * i));
            }
        }
    }

    /** More than 64 bits, least byte first. */
    private void large(BigInteger value) {
        if (protocol == 0) {
            ascii("L" + value + "L\n");
            return;
        }
        byte[] digits = value.toByteArray();
        bytes(0x8A, digits.length);
        for (int i = digits.length - 1; i >= 0; i--) {
            bytes(digits[i]);
        }
    }

    private void real(double value) {
        if (protocol == 0) {
            ascii("F" + value + "\n");
            return;
        }
        bytes('G');
        long bits = Double.doubleToLongBits(value);
        for (int i = 7; i >= 0; i--) {
            bytes((int) (bits >>> 8 * i));
        }
    }

    private void memoize(Object value) {
        int slot = memo.size();
        memo.put(value, slot);
        if (protocol == 0) {
            ascii("p" + slot + "\n");
        } else if (protocol >= 4) {
            bytes(0x94);
        } else {
            bytes('r', slot, slot >> 8, slot >> 16, slot >> 24);
        }
    }

    private void get(int slot) {
        if (protocol == 0) {
            ascii("g" + slot + "\n");
        } else {
            bytes('j', slot, slot >> 8, slot >> 16, slot >> 24);
        }
    }

    private void ascii(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void bytes(int... values) {
        for (int value : values) {
            out.write(value);
        }
    }
}

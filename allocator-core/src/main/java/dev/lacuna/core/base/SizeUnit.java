package dev.lacuna.core.base;

import java.util.Optional;

/**
 * Units of memory sizes. All are binary: frameworks that print {@code MB} or {@code M} (older MPS, Paddle, MindSpore,
 * llama.cpp) divide by 1024 as well, so both spellings name the same unit here. Rates are decimal and have no place here.
 */
public enum SizeUnit {
    BYTE("B", 0),
    KIB("KiB", 10),
    MIB("MiB", 20),
    GIB("GiB", 30),
    TIB("TiB", 40),
    /** No memory has it; what asks for it says so. */
    PIB("PiB", 50);

    private final String label;
    private final int shift;

    SizeUnit(String label, int shift) {
        this.label = label;
        this.shift = shift;
    }

    /** How the unit is written for people. */
    public String label() {
        return label;
    }

    /** Number of bytes in one unit. */
    public long bytes() {
        return 1L << shift;
    }

    /** The unit that a message means by this word (any case): {@code bytes}, {@code B}, {@code MiB}, {@code MB}, {@code M} …. */
    public static Optional<SizeUnit> ofWord(String word) {
        if (word.equalsIgnoreCase("bytes") || word.equalsIgnoreCase("byte") || word.equalsIgnoreCase("b")) {
            return Optional.of(BYTE);
        }
        for (SizeUnit unit : values()) {
            if (unit == BYTE) {
                continue;
            }
            String letter = unit.label.substring(0, 1);
            if (word.equalsIgnoreCase(unit.label)
                    || word.equalsIgnoreCase(letter + "B")
                    || word.equalsIgnoreCase(letter)) {
                return Optional.of(unit);
            }
        }
        return Optional.empty();
    }
}

package dev.lacuna.ui.settings;

import dev.lacuna.ui.text.ByteUnit;

/**
 * How figures and colours look.
 *
 * @param unit of all bytes
 * @param palette which colours the meanings have
 * @param own what the operator made of them; kept while another palette is chosen
 */
public record Look(ByteUnit unit, PaletteChoice palette, OwnColours own) {
    /** What a new operator finds. */
    public static final Look DEFAULT = new Look(ByteUnit.FITTING, PaletteChoice.STANDARD, OwnColours.NONE);
}

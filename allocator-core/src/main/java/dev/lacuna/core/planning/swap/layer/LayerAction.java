package dev.lacuna.core.planning.swap.layer;

/** What happens between forward and backward to what a layer keeps for backward. */
public enum LayerAction {
    /** It stays on the device. */
    KEEP('K'),
    /** It leaves for the host behind the computation and comes back ahead of need. */
    SWAP('S'),
    /** Only the layer's input is kept; backward computes the rest again. */
    RECOMPUTE('R');

    private final char letter;

    LayerAction(char letter) {
        this.letter = letter;
    }

    /** The letter of the wire and of policies as text. */
    public char letter() {
        return letter;
    }

    /**
     * The action of a letter.
     *
     * @throws IllegalArgumentException for any other letter than K, S and R
     */
    public static LayerAction of(char letter) {
        return switch (letter) {
            case 'K' -> KEEP;
            case 'S' -> SWAP;
            case 'R' -> RECOMPUTE;
            default -> throw new IllegalArgumentException("no layer action has the letter " + letter);
        };
    }
}

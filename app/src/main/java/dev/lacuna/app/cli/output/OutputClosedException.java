package dev.lacuna.app.cli.output;

/** Nobody takes our output any more: the command ends, quietly, as programs in a pipe do. */
public final class OutputClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
}

package dev.lacuna.core.planning.swap.mindspeed;

/** Even the static memory alone is too much: no policy can help. The text is the framework's own. */
public final class NoBudgetFitsException extends Exception {
    private static final long serialVersionUID = 1;

    NoBudgetFitsException() {
        super("out of Memory!!!!!!!!!!");
    }
}

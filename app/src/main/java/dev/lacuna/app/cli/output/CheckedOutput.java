package dev.lacuna.app.cli.output;

import java.io.IOException;

/** Standard output for texts of any length: when its reader has gone, writing ends, quietly, as programs in a pipe do. */
public final class CheckedOutput implements Appendable {
    /** Often enough to stop soon, seldom enough to cost nothing: asking flushes. */
    private static final int BETWEEN_CHECKS = 1 << 14;

    private final Appendable out;
    private int sinceCheck;

    public CheckedOutput(Appendable out) {
        this.out = out;
    }

    @Override
    public Appendable append(CharSequence text) throws IOException {
        out.append(text);
        check();
        return this;
    }

    @Override
    public Appendable append(CharSequence text, int start, int end) throws IOException {
        out.append(text, start, end);
        check();
        return this;
    }

    @Override
    public Appendable append(char c) throws IOException {
        out.append(c);
        check();
        return this;
    }

    private void check() {
        if (++sinceCheck == BETWEEN_CHECKS) {
            sinceCheck = 0;
            if (System.out.checkError()) {
                throw new OutputClosedException();
            }
        }
    }
}

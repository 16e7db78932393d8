package dev.lacuna.app.replay;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A CSV trace of a training run of any length, made as it is read: parameters that stay, then steps whose forward pass
 * allocates activations of lengths that vary from step to step and whose backward pass frees them, last first.
 */
public final class GeneratedRun extends InputStream {
    private static final int PARAMETERS = 400;
    private static final int ACTIVATIONS = 1500;
    private static final long ADDRESS = 0x7f00_0000_0000L;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final long events;
    private final byte[] buffer = new byte[1 << 18];
    private final long[] sizes = new long[ACTIVATIONS];
    private int at;
    private int filled;
    private long made;
    private long step;
    private int inStep;
    private long random = 42;

    /** @param events requests and frees, about: the running step is ended */
    public GeneratedRun(long events) {
        this.events = events;
        text("ts_ns,op,addr,size,thread\n");
        for (int i = 0; i < PARAMETERS; i++) {
            row('A', ADDRESS + i, 512L * (1 + (i % 7) * 4096));
        }
    }

    @Override
    public int read() {
        if (at == filled && !fill()) {
            return -1;
        }
        return buffer[at++] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        if (at == filled && !fill()) {
            return -1;
        }
        int count = Math.min(length, filled - at);
        System.arraycopy(buffer, at, into, offset, count);
        at += count;
        return count;
    }

    private boolean fill() {
        at = 0;
        filled = 0;
        while (filled < buffer.length - 256 && (made < events || inStep > 0)) {
            next();
        }
        return filled > 0;
    }

    private void next() {
        if (inStep == 0) {
            step++;
            row('M', 0, step * 10);
        }
        if (inStep < ACTIVATIONS) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            long length = 128 + (step * 37) % 1920;
            sizes[inStep] = length * (256 + ((random >>> 33) % 16) * 256);
            row('A', ADDRESS + 0x10_0000 + inStep, sizes[inStep]);
        } else {
            if (inStep == ACTIVATIONS) {
                row('M', 0, step * 10 + 1);
            }
            row('F', ADDRESS + 0x10_0000 + (2 * ACTIVATIONS - 1 - inStep), 0);
        }
        inStep++;
        if (inStep == 2 * ACTIVATIONS) {
            row('M', 0, step * 10 + 3);
            inStep = 0;
        }
    }

    private void row(char operation, long address, long size) {
        made += operation == 'M' ? 0 : 1;
        decimal(made * 500);
        buffer[filled++] = ',';
        buffer[filled++] = (byte) operation;
        buffer[filled++] = ',';
        int shift = 60;
        while (shift > 0 && address >>> shift == 0) {
            shift -= 4;
        }
        for (; shift >= 0; shift -= 4) {
            buffer[filled++] = HEX[(int) (address >>> shift) & 15];
        }
        buffer[filled++] = ',';
        decimal(size);
        text(",0\n");
    }

    private void decimal(long number) {
        int end = filled + 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            end++;
        }
        filled = end;
        long rest = number;
        do {
            buffer[--end] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, buffer, filled, bytes.length);
        filled += bytes.length;
    }

    /** Prints a run of as many events as the argument says. */
    public static void main(String[] args) throws Exception {
        new GeneratedRun(Long.parseLong(Arrays.asList(args).get(0))).transferTo(System.out);
    }
}

package dev.lacuna.core.allocator.block;

import java.util.Arrays;

/** Small numbers for the streams met so far, counted from 0 in the order of their first appearance. */
public final class StreamNumbers {
    private int[] streams = {0, 0, 0, 0};
    private int[] numbers = {-1, -1, -1, -1};
    private int count;

    // Programs mostly stay on one stream.
    private int lastStream;
    private int lastNumber = -1;

    /** The number of this stream, a new one when it was not met before. */
    public int number(int stream) {
        if (stream == lastStream && lastNumber >= 0) {
            return lastNumber;
        }
        int slot = slot(stream);
        if (numbers[slot] < 0) {
            if (count * 2 >= numbers.length) {
                grow();
                slot = slot(stream);
            }
            streams[slot] = stream;
            numbers[slot] = count++;
        }
        lastStream = stream;
        lastNumber = numbers[slot];
        return lastNumber;
    }

    private int slot(int stream) {
        int mask = numbers.length - 1;
        int slot = (stream * 0x9E3779B9 >>> 16) & mask;
        while (numbers[slot] >= 0 && streams[slot] != stream) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        int[] oldStreams = streams;
        int[] oldNumbers = numbers;
        streams = new int[oldStreams.length * 2];
        numbers = new int[oldNumbers.length * 2];
        Arrays.fill(numbers, -1);
        for (int i = 0; i < oldNumbers.length; i++) {
            if (oldNumbers[i] >= 0) {
                int slot = slot(oldStreams[i]);
                streams[slot] = oldStreams[i];
                numbers[slot] = oldNumbers[i];
            }
        }
    }
}

package dev.lacuna.core.pool;

import java.util.Arrays;

/** The wholly free segments of one pool, named by their only block: put, drop and take any in constant time. */
final class WholeSegments {
    private int[] blocks = new int[16];
    private int[] places = new int[256];
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    void put(int block) {
        if (count == blocks.length) {
            blocks = Arrays.copyOf(blocks, count * 2);
        }
        if (block >= places.length) {
            places = Arrays.copyOf(places, Math.max(block + 1, places.length * 2));
        }
        blocks[count] = block;
        places[block] = count++;
    }

    /** Any one of them; it stays. Only when there is one. */
    int any() {
        return blocks[count - 1];
    }

    void drop(int block) {
        int moved = blocks[--count];
        blocks[places[block]] = moved;
        places[moved] = places[block];
    }
}

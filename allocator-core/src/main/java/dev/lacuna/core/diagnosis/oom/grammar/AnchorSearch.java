package dev.lacuna.core.diagnosis.oom.grammar;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/**
 * Looks for all anchors of all grammars in one pass over a text, however many there are: the automaton of Aho and Corasick
 * (1975) with its failure links worked into the table. Logs that print memory figures at every step are read at the speed
 * of one comparison a character.
 */
public final class AnchorSearch {
    /** Characters below this have a column of their own where a word uses them. */
    private static final int CHARACTERS = 256;

    private final int columns;
    private final byte[] columnOf = new byte[CHARACTERS];
    /** Next state by state and column. */
    private final int[] next;
    /** Words that end in each state, as indexes; null for none. */
    private final int[][] ends;

    private final int[] lengths;

    /** Told of each word found. */
    public interface Hits {
        /**
         * A word stands in the text.
         *
         * @param word index of the word in the list
         * @param start index of its first character
         */
        void hit(int word, int start);
    }

    /** Prepares a search for these words, each of characters below 256. */
    public AnchorSearch(List<String> words) {
        columns = assignColumns(words);
        int states = 1 + words.stream().mapToInt(String::length).sum();
        next = new int[states * columns];
        ends = new int[states][];
        lengths = words.stream().mapToInt(String::length).toArray();
        linkFailures(trie(words));
    }

    /** Tells every place of every word in the text, in the order of their ends. */
    public void search(String text, Hits hits) {
        int state = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            state = next[state * columns + (c < CHARACTERS ? columnOf[c] : 0)];
            int[] found = ends[state];
            if (found != null) {
                for (int word : found) {
                    hits.hit(word, i + 1 - lengths[word]);
                }
            }
        }
    }

    /** Column 0 is that of all characters that no word uses. */
    private int assignColumns(List<String> words) {
        int count = 1;
        for (String word : words) {
            for (int i = 0; i < word.length(); i++) {
                if (columnOf[word.charAt(i)] == 0) {
                    columnOf[word.charAt(i)] = (byte) count++;
                }
            }
        }
        return count;
    }

    /** Builds the words' tree; returns how many states it has. */
    private int trie(List<String> words) {
        int states = 1;
        for (int w = 0; w < words.size(); w++) {
            int state = 0;
            for (int i = 0; i < words.get(w).length(); i++) {
                int at = state * columns + columnOf[words.get(w).charAt(i)];
                if (next[at] == 0) {
                    next[at] = states++;
                }
                state = next[at];
            }
            ends[state] = with(ends[state], w);
        }
        return states;
    }

    /** Breadth first, a missing step becomes the step of the longest suffix that is a prefix of a word. */
    private void linkFailures(int states) {
        int[] failure = new int[states];
        Queue<Integer> open = new ArrayDeque<>(List.of(0));
        while (!open.isEmpty()) {
            int state = open.remove();
            for (int column = 0; column < columns; column++) {
                int at = state * columns + column;
                int fallback = state == 0 ? 0 : next[failure[state] * columns + column];
                if (next[at] == 0) {
                    next[at] = fallback;
                } else if (next[at] != fallback || state == 0) {
                    int child = next[at];
                    failure[child] = fallback;
                    ends[child] = both(ends[child], ends[fallback]);
                    open.add(child);
                }
            }
        }
    }

    private static int[] with(int[] words, int word) {
        int[] result = words == null ? new int[1] : Arrays.copyOf(words, words.length + 1);
        result[result.length - 1] = word;
        return result;
    }

    private static int[] both(int[] a, int[] b) {
        if (b == null) {
            return a;
        }
        List<Integer> all = new ArrayList<>();
        for (int[] part : a == null ? new int[][] {b} : new int[][] {a, b}) {
            for (int word : part) {
                all.add(word);
            }
        }
        return all.stream().mapToInt(Integer::intValue).toArray();
    }
}

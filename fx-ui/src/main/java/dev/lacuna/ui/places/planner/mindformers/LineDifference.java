package dev.lacuna.ui.places.planner.mindformers;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of a comparison of two texts.
 *
 * @param sign ' ' for a line that stays, '-' for one that goes, '+' for one that comes
 */
record LineDifference(char sign, String text) {
    /** Lines around a change that are shown with it. */
    private static final int CONTEXT = 2;

    /** What differs, with a few lines around; empty for equal texts. Settings files are short: the whole table is made. */
    static List<LineDifference> between(String before, String after) {
        List<String> a = before.lines().toList();
        List<String> b = after.lines().toList();
        int head = 0;
        while (head < Math.min(a.size(), b.size()) && a.get(head).equals(b.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < Math.min(a.size(), b.size()) - head
                && a.get(a.size() - 1 - tail).equals(b.get(b.size() - 1 - tail))) {
            tail++;
        }
        List<LineDifference> all = new ArrayList<>();
        a.subList(0, head).forEach(line -> all.add(new LineDifference(' ', line)));
        middle(a.subList(head, a.size() - tail), b.subList(head, b.size() - tail), all);
        a.subList(a.size() - tail, a.size()).forEach(line -> all.add(new LineDifference(' ', line)));
        return near(all);
    }

    private static void middle(List<String> a, List<String> b, List<LineDifference> into) {
        int[][] common = new int[a.size() + 1][b.size() + 1];
        for (int i = a.size() - 1; i >= 0; i--) {
            for (int j = b.size() - 1; j >= 0; j--) {
                common[i][j] = a.get(i).equals(b.get(j))
                        ? 1 + common[i + 1][j + 1]
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while (i < a.size() || j < b.size()) {
            if (i < a.size() && j < b.size() && a.get(i).equals(b.get(j))) {
                into.add(new LineDifference(' ', a.get(i++)));
                j++;
            } else if (j == b.size() || i < a.size() && common[i + 1][j] >= common[i][j + 1]) {
                into.add(new LineDifference('-', a.get(i++)));
            } else {
                into.add(new LineDifference('+', b.get(j++)));
            }
        }
    }

    private static List<LineDifference> near(List<LineDifference> all) {
        List<LineDifference> near = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            boolean close = false;
            for (int j = Math.max(0, i - CONTEXT); j <= Math.min(all.size() - 1, i + CONTEXT); j++) {
                close |= all.get(j).sign() != ' ';
            }
            if (close) {
                near.add(all.get(i));
            }
        }
        return near;
    }
}

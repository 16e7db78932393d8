package dev.lacuna.core.diagnosis.oom;

/** Words that make a line worth reading; the cheap test, one look at each character, that most lines of a log fail. */
final class Suspicion {
    private Suspicion() {}

    /** A shell's word between a process's number, or who speaks, and the command. */
    private static boolean isShells(String line, int end) {
        int start = end - "killed".length() + 1;
        boolean word = line.startsWith("illed", start + 1) && start > 1 && line.charAt(start - 1) == ' ';
        return word
                && (line.contains(": line ")
                        || line.startsWith("[")
                        || line.startsWith("zsh:")
                        || line.startsWith("make"));
    }

    /** A shell's word to the end of the line, behind which only blanks may stand. */
    private static boolean isWordOfDeath(String line, int start) {
        return (line.startsWith("Killed", start) || line.startsWith("killed", start)) && line.length() - start < 8;
    }

    static boolean of(String line) {
        for (int i = 2; i < line.length(); i++) {
            boolean found = switch (line.charAt(i)) {
                case 'y' -> line.startsWith("emory", i - 4);
                case 'Y' -> line.startsWith("EMORY", i - 4);
                case 'c' -> line.startsWith("lloc", i - 3);
                case 'C' -> line.startsWith("LLOC", i - 3);
                case 'p' -> line.startsWith("expandable_seg", i - 2);
                case '=' -> line.startsWith("hbm usage >=", i - 11);
                case '7' ->
                    line.startsWith("207001", i - 2)
                            || line.startsWith("EI0007", i - 5)
                            || line.startsWith("137", i - 2) && (line.contains("code") || line.contains("status"));
                case 'L' -> line.startsWith("SIGKILL", i - 6);
                case 'E' -> line.startsWith("ResourceExhaustedError  ", i - 17);
                case 'z' ->
                    line.startsWith("reached zero", i - 8)
                            || line.startsWith("buffer size", i - 9)
                            || line.startsWith("Dst tensor is not initialized", i - 26);
                case 'd' ->
                    i == 5 && isWordOfDeath(line, 0)
                            || i > 5 && line.charAt(i - 6) == ']' && isWordOfDeath(line, i - 5)
                            || line.startsWith("signal: killed", i - 13)
                            || isShells(line, i);
                case '死', '掉' ->
                    line.startsWith("已杀死", i - 2) || line.startsWith("已殺死", i - 2) || line.startsWith("已砍掉", i - 2);
                case 'O' -> line.startsWith("an OOM event", i - 3);
                case 'k' -> line.startsWith("oom_kill", i - 4) || line.startsWith("oom-kill", i - 4);
                case 'K' -> line.startsWith("OOMKill", i - 3) || line.startsWith("PagedKv", i - 5);
                case 's' ->
                    line.startsWith("us error", i - 1)
                            || line.startsWith("insufficient system res", i - 13)
                            || line.startsWith("by signal: ", i - 3);
                case '8' -> line.startsWith("Errno 28", i - 7);
                case '1' -> line.startsWith("rror 1455", i - 5);
                case '9' ->
                    line.startsWith("signal 9", i - 7)
                            || line.startsWith("to signal 9", i - 10)
                            || line.startsWith("-9", i - 1) && (line.contains("code") || line.contains("status"));
                case '<' -> line.startsWith("</torch_", i) || line.startsWith("<filename not", i);
                case 'M' ->
                    line.startsWith("OUT_OF_ME", i - 7)
                            || line.startsWith("TERM_MEMLIMIT", i - 5)
                            || line.startsWith("available RAM", i - 12)
                            || line.startsWith("e OOM killer", i - 4)
                            || line.startsWith("ient VRAM", i - 8)
                            || line.startsWith("GPU RAM", i - 6);
                case 'm' -> line.startsWith("killed: mem", i - 8) || line.startsWith("/shm", i - 3);
                case 'f' -> line.startsWith("store is full", i - 9) || line.startsWith("result of limit", i - 8);
                case 'l' -> line.startsWith("initial pool", i - 11) || line.startsWith("Initial pool", i - 11);
                case 'R' -> line.startsWith("OUT_OF_RES", i - 7) || line.startsWith("AndRetryOOM", i - 3);
                case 'F' -> line.startsWith("StoreFull", i - 5);
                default -> false;
            };
            if (found) {
                return true;
            }
        }
        return false;
    }
}

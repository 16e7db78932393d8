package dev.lacuna.core.diagnosis.oom.passage;

/**
 * Decimal numbers as people's settings print them: {@code 1.55}, {@code 1,55} (decimal comma), {@code 1,024.50} and
 * {@code 85,898,814,480} (commas between thousands), {@code 926.} (NumPy, three digits). A comma before three digits
 * groups, any other is a decimal comma.
 */
final class PrintedDecimal {
    private static final int GROUP = 3;

    private PrintedDecimal() {}

    /** Index behind the number that begins here; {@code from} when none does. */
    static int end(String s, int from, int most) {
        int whole = groupsEnd(s, from, most);
        if (whole == from || whole >= s.length()) {
            return whole;
        }
        char mark = s.charAt(whole);
        int fraction = mark == '.' || mark == ',' ? digits(s, whole + 1, most) : whole;
        if (mark == '.' && fraction == whole + 1 && s.startsWith("ib", whole + 2)) {
            return whole + 1; // "926. GiB"
        }
        boolean decimal = fraction > whole + 1 && (mark == '.' || fraction - whole <= GROUP);
        return decimal ? fraction : whole;
    }

    /** Index behind digits that may stand in groups of three with commas between. */
    static int groupsEnd(String s, int from, int most) {
        int end = digits(s, from, most);
        if (end == from || end - from > GROUP) {
            return end;
        }
        int next = groupEnd(s, end);
        while (next > end && next - from <= most) {
            end = next;
            next = groupEnd(s, end);
        }
        return end;
    }

    private static int groupEnd(String s, int comma) {
        boolean group =
                comma < s.length() && s.charAt(comma) == ',' && digits(s, comma + 1, GROUP + 1) == comma + 1 + GROUP;
        return group ? comma + 1 + GROUP : comma;
    }

    /** The number with a point for its decimals and nothing between its thousands. */
    static String plain(String number) {
        int point = number.lastIndexOf('.');
        int comma = number.lastIndexOf(',');
        boolean decimalComma = comma > point && number.length() - comma - 1 != GROUP;
        String digits = decimalComma ? number.substring(0, comma) + "." + number.substring(comma + 1) : number;
        String plain = digits.replace(",", "");
        return plain.endsWith(".") ? plain.substring(0, plain.length() - 1) : plain;
    }

    private static int digits(String s, int from, int most) {
        int end = from;
        while (end < s.length() && end - from < most && s.charAt(end) >= '0' && s.charAt(end) <= '9') {
            end++;
        }
        return end;
    }
}

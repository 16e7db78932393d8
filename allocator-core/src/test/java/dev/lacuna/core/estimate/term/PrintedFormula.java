package dev.lacuna.core.estimate.term;

/** Works out a formula as it is printed with numbers, by itself: {@code 2·(3 − 1)/4²}. */
public final class PrintedFormula {
    private final String text;
    private int at;

    private PrintedFormula(String text) {
        this.text = text.replace(" ", "");
    }

    public static double value(String numbers) {
        PrintedFormula formula = new PrintedFormula(numbers);
        double value = formula.sum();
        if (formula.at < formula.text.length()) {
            throw new IllegalArgumentException(numbers + " at " + formula.at);
        }
        return value;
    }

    private boolean takes(String sign) {
        boolean is = text.startsWith(sign, at);
        at += is ? sign.length() : 0;
        return is;
    }

    private double sum() {
        double value = product();
        while (true) {
            if (takes("+")) {
                value += product();
            } else if (takes("−")) {
                value -= product();
            } else {
                return value;
            }
        }
    }

    private double product() {
        double value = atom();
        while (true) {
            if (takes("·")) {
                value *= atom();
            } else if (takes("/")) {
                value /= atom();
            } else {
                return value;
            }
        }
    }

    private double atom() {
        if (takes("min(")) {
            double one = sum();
            takes(",");
            double other = sum();
            takes(")");
            return Math.min(one, other);
        }
        double value;
        if (takes("(")) {
            value = sum();
            takes(")");
        } else {
            int begin = at;
            while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
                at++;
            }
            value = Double.parseDouble(text.substring(begin, at));
        }
        return takes("²") ? value * value : value;
    }
}

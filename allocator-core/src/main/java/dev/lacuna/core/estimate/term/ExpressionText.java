package dev.lacuna.core.estimate.term;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes an expression with as few parentheses as it can be read with. */
record ExpressionText(Function<Expression.Quantity, String> quantity, Function<Term, String> term) {
    String of(Expression expression) {
        if (expression instanceof Expression.Constant constant) {
            return FigureText.of(constant.value());
        } else if (expression instanceof Expression.Quantity one) {
            return quantity.apply(one);
        } else if (expression instanceof Expression.Named named) {
            return term.apply(named.term());
        } else if (expression instanceof Expression.Sum sum) {
            return sum.parts().isEmpty() ? "0" : joined(sum.parts(), " + ");
        } else if (expression instanceof Expression.Difference less) {
            return of(less.whole()) + " − " + (adds(less.less()) ? "(" + of(less.less()) + ")" : of(less.less()));
        } else if (expression instanceof Expression.Product product) {
            return product.factors().stream().map(this::factor).collect(Collectors.joining("·"));
        } else if (expression instanceof Expression.Quotient quotient) {
            return factor(quotient.dividend()) + "/" + divisor(quotient.divisor());
        } else if (expression instanceof Expression.Square square) {
            return quantity.apply(square.of()) + "²";
        } else if (expression instanceof Expression.Smaller smaller) {
            return "min(" + of(smaller.one()) + ", " + of(smaller.other()) + ")";
        }
        throw new IllegalArgumentException("no formula: " + expression);
    }

    private String joined(List<Expression> parts, String sign) {
        return parts.stream().map(this::of).collect(Collectors.joining(sign));
    }

    private String factor(Expression expression) {
        return adds(expression) ? "(" + of(expression) + ")" : of(expression);
    }

    /** What comes after a stroke must be one thing. */
    private String divisor(Expression expression) {
        boolean many = expression instanceof Expression.Product || expression instanceof Expression.Quotient;
        return many ? "(" + of(expression) + ")" : factor(expression);
    }

    private static boolean adds(Expression expression) {
        return expression instanceof Expression.Sum sum && sum.parts().size() > 1
                || expression instanceof Expression.Difference;
    }
}

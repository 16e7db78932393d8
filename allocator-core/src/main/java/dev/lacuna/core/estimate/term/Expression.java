package dev.lacuna.core.estimate.term;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** A formula: what it comes to, how it reads with symbols and how with numbers, all three from the same tree. */
public sealed interface Expression {
    /** A number that the formula itself names, as the 2 of {@code 2·h}. */
    record Constant(double value) implements Expression {}

    /** A number with a symbol. */
    record Quantity(String symbol, double value) implements Expression {}

    /** Another term, by its name. */
    record Named(Term term) implements Expression {
        @Override
        public double value() {
            return term.value();
        }
    }

    /** All of them added; nothing is 0. */
    record Sum(List<Expression> parts) implements Expression {
        public Sum {
            parts = List.copyOf(parts);
        }

        @Override
        public double value() {
            return parts.stream().mapToDouble(Expression::value).sum();
        }
    }

    /** One without the other. */
    record Difference(Expression whole, Expression less) implements Expression {
        @Override
        public double value() {
            return whole.value() - less.value();
        }
    }

    /** All of them multiplied, the first first. */
    record Product(List<Expression> factors) implements Expression {
        public Product {
            factors = List.copyOf(factors);
        }

        @Override
        public double value() {
            return factors.stream().mapToDouble(Expression::value).reduce(1, (one, other) -> one * other);
        }
    }

    /** One divided by the other. */
    record Quotient(Expression dividend, Expression divisor) implements Expression {
        @Override
        public double value() {
            return dividend.value() / divisor.value();
        }
    }

    /** What has a symbol, times itself. */
    record Square(Quantity of) implements Expression {
        @Override
        public double value() {
            return of.value() * of.value();
        }
    }

    /** The smaller of two. */
    record Smaller(Expression one, Expression other) implements Expression {
        @Override
        public double value() {
            return Math.min(one.value(), other.value());
        }
    }

    /** What it comes to. */
    double value();

    static Expression of(double constant) {
        return new Constant(constant);
    }

    static Quantity of(String symbol, double value) {
        return new Quantity(symbol, value);
    }

    default Expression plus(Expression more) {
        return new Sum(joined(this instanceof Sum sum ? sum.parts() : List.of(this), more));
    }

    default Expression minus(Expression less) {
        return new Difference(this, less);
    }

    default Expression times(Expression factor) {
        List<Expression> more = factor instanceof Product product ? product.factors() : List.of(factor);
        return new Product(joined(
                this instanceof Product product ? product.factors() : List.of(this), more.toArray(Expression[]::new)));
    }

    default Expression over(Expression divisor) {
        return new Quotient(this, divisor);
    }

    private static List<Expression> joined(List<Expression> first, Expression... more) {
        List<Expression> all = new ArrayList<>(first);
        all.addAll(List.of(more));
        return all;
    }

    /** With symbols, then with numbers, {@code 2·h = 2·512}; a number alone where it has no symbol. */
    default String text(Locale locale, Function<Term, String> value) {
        String symbols = written(quantity -> quantity.symbol(), term -> term.name(locale));
        String numbers = written(quantity -> FigureText.of(quantity.value()), value);
        return symbols.equals(numbers) ? numbers : symbols + " = " + numbers;
    }

    private String written(Function<Quantity, String> quantity, Function<Term, String> term) {
        return new ExpressionText(quantity, term).of(this);
    }
}

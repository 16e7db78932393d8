package dev.lacuna.core.estimate.term;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lacuna.core.estimate.Estimate;
import dev.lacuna.core.estimate.Estimator;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.input.MegatronConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {
    private static final String GPT = "--num-layers 8 --hidden-size 8 --num-attention-heads 2 --seq-length 8"
            + " --padded-vocab-size 128 --micro-batch-size 3 --bf16 ";

    private final Expression a = Expression.of("a", 6);
    private final Expression b = Expression.of("b", 4);
    private final Expression two = Expression.of(2);

    @Test
    void puts_parentheses_where_they_are_needed_and_nowhere_else() {
        assertThat(text(a.plus(b).times(two))).isEqualTo("(a + b)·2 = (6 + 4)·2");
        assertThat(text(a.times(b).plus(two))).isEqualTo("a·b + 2 = 6·4 + 2");
        assertThat(text(a.over(two.times(b)))).isEqualTo("a/(2·b) = 6/(2·4)");
        assertThat(text(a.times(b).over(two).times(a))).isEqualTo("a·b/2·a = 6·4/2·6");
        assertThat(text(a.minus(b.minus(two)))).isEqualTo("a − (b − 2) = 6 − (4 − 2)");
        assertThat(text(a.minus(b).minus(two))).isEqualTo("a − b − 2 = 6 − 4 − 2");
        assertThat(text(new Expression.Smaller(a, b.minus(two)).over(a)))
                .isEqualTo("min(a, b − 2)/a = min(6, 4 − 2)/6");
        assertThat(text(new Expression.Square(Expression.of("h", 3)).times(two)))
                .isEqualTo("h²·2 = 3²·2");
    }

    @Test
    void says_a_number_without_symbols_once() {
        assertThat(text(Expression.of(12.5))).isEqualTo("12.5");
    }

    /** What stands there with numbers is worked out anew, and has the shape of what stands there with symbols. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--attention-backend unfused --context-parallel-size 2 --world-size 2",
                "--sequence-parallel --tensor-model-parallel-size 2 --world-size 4 --zero-stage 1",
                "--zero-stage 3 --world-size 4 --group-query-attention --num-query-groups 1 --swiglu",
                "--num-experts 4 --moe-router-topk 2 --expert-model-parallel-size 2 --world-size 4 --moe-shared-expert-intermediate-size 12",
                "--pipeline-model-parallel-size 2 --num-virtual-stages-per-pipeline-rank 2 --world-size 2 --global-batch-size 24",
                "--recompute-granularity full --recompute-method uniform --recompute-num-layers 3",
                "--recompute-granularity selective --recompute-modules core_attn mlp",
                "--multi-latent-attention --q-lora-rank 4 --kv-lora-rank 4 --qk-head-dim 4 --qk-pos-emb-head-dim 2 --v-head-dim 3"
                        + " --recompute-granularity selective --recompute-modules mla_up_proj"
            })
    void every_number_of_an_estimate_is_what_its_formula_says(String more) throws Exception {
        hold(new Estimator(MegatronConfiguration.of(Arguments.parse(GPT + more))).estimate());
    }

    @Test
    void a_narrow_embedding_is_said_to_be_as_wide_as_it_is() throws Exception {
        Estimate opt = new Estimator(
                        EstimateInput.read("""
                {"model_type": "opt", "hidden_size": 16, "ffn_dim": 64, "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 128,
                 "word_embed_proj_dim": 8, "max_position_embeddings": 32, "tie_word_embeddings": true}
                """).configuration(Arguments.parse("--micro-batch-size 1 --bf16")))
                .estimate();
        hold(opt);
        assertThat(opt.parameters().find("embedding").orElseThrow().formula(Locale.ROOT))
                .isEqualTo("V·e/t = 128·8/1");
    }

    private static void hold(Estimate estimate) {
        List<Term> all = new ArrayList<>(estimate.ofModel());
        estimate.stages().forEach(stage -> {
            all.add(stage.memory());
            all.addAll(stage.beside());
        });
        for (int i = 0; i < all.size(); i++) {
            all.addAll(all.get(i).parts());
        }
        for (Term term : all) {
            String formula = term.formula(Locale.ROOT);
            String[] sides = formula.split(" = ", 2);
            assertThat(PrintedFormula.value(sides[sides.length - 1]))
                    .as(term.key() + ": " + formula)
                    .isCloseTo(term.value(), within(1e-3 * Math.max(1, Math.abs(term.value()))));
            if (sides.length == 2 && !(term.formula() instanceof Expression.Sum)) {
                assertThat(shape(sides[0])).as(term.key() + ": " + formula).isEqualTo(shape(sides[1]));
            }
        }
    }

    /** Only what joins symbols or numbers. */
    private static String shape(String side) {
        return side.replace("min", "").replaceAll("[^·/+−²(),]", "");
    }

    private static String text(Expression expression) {
        return expression.text(Locale.ROOT, term -> FigureText.of(term.value()));
    }
}

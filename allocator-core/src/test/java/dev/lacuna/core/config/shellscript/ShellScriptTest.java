package dev.lacuna.core.config.shellscript;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShellScriptTest {
    private static List<ShellWord> last(String script) {
        List<List<ShellWord>> commands = ShellScript.of(script).commands();
        return commands.get(commands.size() - 1);
    }

    private static String line(String script) {
        return String.join("|", last(script).stream().map(ShellWord::text).toList());
    }

    /** The right sides are what bash prints for {@code printf '%s|'} in place of x. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '\u0000',
            value = {
                "TP=${TP:-2}\\nx $TP ~ x|2",
                "x ${TP:-2} ${1:-3} ${TP-4} ~ x|2|3|4",
                "x ${TP:=2} $TP ~ x|2|2",
                "A=\\nx ${A:-1} ${A-2}. ${A:+3}. ${B+4}. ~ x|1|.|.|.",
                "A=5\\nx ${A:+3} ${A:?no} ${#A} ~ x|3|5|1",
                "TP=2; PP=3\\nx $TP $PP ~ x|2|3",
                "export TP=2 PP=3\\nx $TP $PP ~ x|2|3",
                "N=2\\nM=4\\nx $((N*M)) $(( N * 4 )) $(($N + $M)) $((2**M-1)) ~ x|8|8|6|15",
                "W=32 TP=2\\nPP=4\\nx $((W / TP / PP)) $(( -7 % 4 )) $((1+2*3)) $(( (1+2)*3 )) ~ x|4|-3|7|9",
                "A=( --a 1\\n --b 2 # three\\n # --c 3\\n)\\nx \"${A[@]}\" ~ x|--a|1|--b|2",
                "A=(\"p q\" r)\\nx \"${A[@]}\" ${A[@]} ${#A[@]} ${A[1]} $A ~ x|p q|r|p|q|r|2|r|p|q",
                "A=(1)\\nA+=(2 3)\\nB=x\\nB+=y\\nx ${A[*]} $B ~ x|1|2|3|xy",
                "A=\"--a 1 \\\\\\n --b 2\"\\nx $A \"$A\" ~ x|--a|1|--b|2|--a 1  --b 2",
                "x 'a $B' \"it's\" a\\\\ b \"\\\\$C\" ~ x|a $B|it's|a b|$C",
                "x a \\\\\\n b # c ~ x|a|b",
                "x a 2>&1 > out < in b ~ x|a|b",
                "x <<EOT\\n--no\\nEOT\\nx b ~ x|b",
                "TP=2\\nif [ $TP -eq 2 ]; then E=yes\\nelse E=no\\nfi\\nx $E ~ x|yes",
                "S=7B\\nif [ $S = 1B ]; then L=1\\nelif [[ $S == 7B ]]; then L=32\\nelse L=80; fi\\nx $L ~ x|32",
                "[ -z \"$TP\" ] && TP=4\\n[ $TP -gt 5 ] || PP=2\\nx $TP $PP ~ x|4|2",
                "for S in 4096; do x $S; done ~ x|4096",
                "A=\"$A --a 1\"\\nA=\"${A} --b 2\"\\nx $A ~ x|--a|1|--b|2",
                "if [ 1 = 1 ]; then A=\"--a $A\"; fi\\nx $A ~ x|--a",
                "case a in a) x 1;; esac; x 2 ~ x|2"
            })
    void follows_what_bash_does(String script, String words) {
        assertThat(line(script.replace("\\n", "\n").replace("\\\\", "\\"))).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({
        "x $NNODES, $NNODES, NOT_SET",
        "x ${NNODES}, $NNODES, NOT_SET",
        "x $1, $1, NOT_SET",
        "N=$(nproc --all); x $N, $(nproc --all), COMMAND",
        "N=`echo 2`; x $N, `echo 2`, COMMAND",
        "x $((N * 2)), $N, NOT_SET",
        "M=$N; x $((M * 2)), $N, NOT_SET",
        "x $((1 / 0)), $((1 / 0)), BEYOND",
        "x $((9999999999 * 9999999999)), $((9999999999 * 9999999999)), BEYOND",
        "A=abc; x ${A%c}, ${A%c}, BEYOND",
        "for N in 1 2; do x $N; done, $N, VARIES",
        "if [ $HOSTNAME = a ]; then N=1; else N=2; fi; x $N, $N, VARIES"
    })
    void names_what_only_a_run_could_tell(String script, String reference, ShellWord.Reason reason) {
        Optional<ShellWord.Unknown> unknown = last(script).get(1).unknown();
        assertThat(unknown).isPresent();
        assertThat(unknown.get().written()).isEqualTo(reference);
        assertThat(unknown.get().reason()).isEqualTo(reason);
    }

    /** What a run decides stays unknown; what was there before it does not become so. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '\u0000',
            value = {
                "A=\"--a 1\"; if [ -f y ]; then A=\"$A --b\"; fi; x $A ~ x|--a|1|$A",
                "A=\"--a 1\"; if [ -f y ]; then A+=\" --b\"; A=\"$A --c\"; fi; A=\"$A --d\"; x $A ~ x|--a|1|$A|--d",
                "A=(--a 1); if [ -f y ]; then A+=(--b); A+=(--c); fi; x ${A[@]} ~ x|--a|1|$A",
                "A=1; if [ -f y ]; then A=12; fi; x $A ~ x|$A",
                "A=$A; x $A ~ x|$A",
                "A=\"${A}\"; x $A ~ x|$A"
            })
    void keeps_what_was_there_before_a_run_appends_to_it(String script, String words) {
        assertThat(line(script)).isEqualTo(words);
        assertThat(last(script)).anyMatch(word -> word.unknown().isPresent());
    }

    @Test
    void never_runs_anything() {
        assertThat(line("A=$(touch /tmp/never); eval x=1; x $A")).isEqualTo("x|$(touch\u00a0/tmp/never)");
    }

    /** What would take memory or time beyond all measure, were it followed to the end. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "A=$A$A$A$A$A$A$A$A\n",
                "A=x$A$A\n",
                "A+=(y ${A[@]} ${A[@]})\n",
                "A+=(\"\" \"${A[@]}\")\n",
                "${A:-",
                "${",
                "$((",
                "$(((",
                "\"$(",
                "`",
                "'\"",
                "if [ a = a ]; then ",
                "A=(",
                "<<E\n",
                "x \\\n",
                "--a \"--b '",
                "A=1 B=2 "
            })
    void bounds_what_a_script_can_ask_for(String part) {
        ShellScript script = ShellScript.of("A=seed\n" + part.repeat(300_000 / part.length()));
        long words = script.commands().stream().mapToLong(List::size).sum();
        assertThat(words).isLessThan(10_000_000);
    }

    @Property(tries = 300)
    void takes_any_text(@ForAll("fragments") List<String> parts) {
        assertThat(ShellScript.of(String.join("", parts)).commands())
                .allSatisfy(command -> assertThat(command).isNotEmpty());
    }

    @Provide
    static Arbitrary<List<String>> fragments() {
        return Arbitraries.of(
                        "A=",
                        "$A",
                        "${A",
                        ":-",
                        "}",
                        "$((",
                        "))",
                        "(",
                        ")",
                        "\"",
                        "'",
                        "`",
                        "\\",
                        "\n",
                        " ",
                        "#",
                        "--num-layers",
                        "if ",
                        "then ",
                        "fi ",
                        ";",
                        "&&",
                        "||",
                        "|",
                        "<<E",
                        "E",
                        "[ ",
                        " ]",
                        "-z ",
                        "[@]",
                        "+=",
                        "for A in ",
                        "do ",
                        "done ",
                        "1",
                        "é",
                        "$",
                        "case ",
                        "esac ")
                .list()
                .ofMaxSize(60);
    }
}

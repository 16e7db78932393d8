package dev.lacuna.app.reach;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** That what cannot run is found, and what can is not: else the list of what is unreached would be worth nothing. */
class ReachTest {
    private interface Sounding {
        String sound();
    }

    private static final class Bell implements Sounding {
        @Override
        public String sound() {
            return struck();
        }

        private String struck() {
            return "bell";
        }

        String silent() {
            return "silent";
        }
    }

    private static final class Horn implements Sounding {
        @Override
        public String sound() {
            return "horn";
        }
    }

    private static final class Program {
        private final Sounding sounding = new Bell();
        private final Supplier<String> later = this::referenced;

        static String main() {
            Program program = new Program();
            return program.sounding.sound() + program.later.get() + program;
        }

        private String referenced() {
            return List.of(1).stream().map(i -> ofLambda()).findFirst().orElseThrow();
        }

        private String ofLambda() {
            return "lambda";
        }

        @Override
        public String toString() {
            return "called by somebody else";
        }
    }

    private final JavaClasses classes =
            new ClassFileImporter().importClasses(Sounding.class, Bell.class, Horn.class, Program.class);
    private final Reach reach = new Reach(classes, "dev.lacuna.app.reach.").from(classes.get(Program.class));

    private boolean reaches(Class<?> owner, String method) {
        return reach.reaches(classes.get(owner).getMethod(method));
    }

    @Test
    void follows_calls_through_interfaces_to_what_is_made() {
        assertThat(reaches(Bell.class, "sound")).isTrue();
        assertThat(reaches(Bell.class, "struck")).isTrue();
    }

    @Test
    void leaves_out_what_nobody_calls_and_what_nobody_makes() {
        assertThat(reaches(Bell.class, "silent")).isFalse();
        assertThat(reaches(Horn.class, "sound")).isFalse();
        assertThat(reach.uses(classes.get(Horn.class))).isFalse();
    }

    @Test
    void follows_lambdas_references_and_what_overrides_other_peoples_methods() {
        assertThat(reaches(Program.class, "referenced")).isTrue();
        assertThat(reaches(Program.class, "ofLambda")).isTrue();
        assertThat(reaches(Program.class, "toString")).isTrue();
    }
}

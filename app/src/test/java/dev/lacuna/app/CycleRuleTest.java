package dev.lacuna.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** A rule that cannot fail guards nothing: two packages that know each other, several folders down, are found. */
class CycleRuleTest {
    private static final String CIRCLE = "dev.lacuna.app.house.circle";

    @Test
    void a_circle_far_down_is_found() {
        JavaClasses circle = new ClassFileImporter().importPackages(CIRCLE);
        assertThat(circle).hasSize(2);
        assertThatThrownBy(
                        () -> ArchitectureTest.freeOfCycles("dev.lacuna.(**)").check(circle))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Cycle detected")
                .hasMessageContaining("app.house.circle.one.deep")
                .hasMessageContaining("app.house.circle.two");
    }
}

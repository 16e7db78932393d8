package dev.lacuna.core;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A test on one set of the conformance data, the folder that system property {@code lacuna.data} names: skipped where the
 * folder lacks the set, failed where the set is there and does not pass.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("conformance")
@ExtendWith(ConformanceSet.IsThere.class)
public @interface ConformanceSet {
    /** Name of the set's folder. */
    String value();

    /** Looks for the set. */
    final class IsThere implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return AnnotationSupport.findAnnotation(context.getRequiredTestClass(), ConformanceSet.class)
                    .map(set -> Path.of(System.getProperty("lacuna.data"), set.value()))
                    .filter(set -> !Files.isDirectory(set))
                    .map(set -> ConditionEvaluationResult.disabled(set + " is not there"))
                    .orElseGet(() -> ConditionEvaluationResult.enabled("the set is there"));
        }
    }
}

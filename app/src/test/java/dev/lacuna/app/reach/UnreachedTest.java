package dev.lacuna.app.reach;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.lacuna.app.Main;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is shipped and can never run is a burden without a use: it goes, moves to where it runs, or stands in the list with its reason. */
class UnreachedTest {
    private static final String OURS = "dev.lacuna.";

    /** Started or loaded by their names: the demo's process without PyTorch, and what only stands where OR-Tools does. */
    private static final List<String> BY_NAME = List.of(
            "dev.lacuna.app.demo.BuiltinWorkload",
            "dev.lacuna.app.ortools.cpsat.PackingProgramme",
            "dev.lacuna.app.ortools.cpsat.RetentionProgramme");

    /** Named in META-INF/services. */
    private static final List<String> SERVICES = List.of(
            "dev.lacuna.core.allocator.packing.ExactSolver", "dev.lacuna.core.planning.graph.model.ExactGraphSolver");

    private static JavaClasses classes;
    private static Reach reach;
    private static Map<String, String> allowed;

    @BeforeAll
    static void follow() throws IOException {
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.lacuna");
        reach = new Reach(classes, OURS).from(classes.get(Main.class));
        BY_NAME.forEach(name -> reach.from(classes.get(name)));
        for (String service : SERVICES) {
            for (String provider : lines("/META-INF/services/" + service)) {
                reach.from(classes.get(provider));
            }
        }
        allowed = lines("unreached.txt").stream()
                .map(line -> line.split("\\s+", 2))
                .collect(Collectors.toMap(
                        words -> words[0], words -> words.length > 1 ? words[1] : "", (a, b) -> a, TreeMap::new));
    }

    private static List<String> lines(String resource) throws IOException {
        try (InputStream in = UnreachedTest.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        }
    }

    @Test
    void every_class_is_used_by_something_that_runs() {
        assertThat(unlisted(unusedClasses())).isEmpty();
    }

    @Test
    void every_method_is_called_by_something_that_runs() {
        assertThat(unlisted(uncalledMethods())).isEmpty();
    }

    @Test
    void the_list_names_only_what_is_not_reached_and_says_why() {
        Set<String> unreached = new TreeSet<>(unusedClasses());
        unreached.addAll(uncalledMethods());
        assertThat(allowed.keySet()).allSatisfy(entry -> assertThat(unreached).anyMatch(name -> fits(name, entry)));
        assertThat(allowed.values()).allSatisfy(reason -> assertThat(reason).hasSizeGreaterThan(10));
    }

    private static Set<String> unlisted(Set<String> names) {
        return names.stream()
                .filter(name -> allowed.keySet().stream().noneMatch(entry -> fits(name, entry)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** An entry is a name, or with a star at its end what begins so; arguments may be left out. */
    private static boolean fits(String name, String entry) {
        return entry.endsWith("*")
                ? name.startsWith(entry.substring(0, entry.length() - 1))
                : name.equals(entry) || name.startsWith(entry + "(");
    }

    private static Set<String> unusedClasses() {
        return classes.stream()
                .filter(each -> !reach.uses(each) && isWritten(each))
                .filter(each -> each.getEnclosingClass().map(reach::uses).orElse(true))
                .map(UnreachedTest::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> uncalledMethods() {
        return classes.stream()
                .filter(reach::uses)
                .flatMap(each -> each.getCodeUnits().stream())
                .filter(unit -> !reach.reaches(unit) && isWritten(unit))
                .map(UnreachedTest::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String name(JavaClass each) {
        return each.getName().substring(OURS.length());
    }

    private static String name(JavaCodeUnit unit) {
        return unit.getRawParameterTypes().stream()
                .map(JavaClass::getSimpleName)
                .collect(Collectors.joining(",", name(unit.getOwner()) + "#" + unit.getName() + "(", ")"));
    }

    private static boolean isWritten(JavaClass each) {
        return !each.getSimpleName().equals("package-info") && !each.isAnonymousClass() && !each.isAnnotation();
    }

    /** The compiler writes some for enums and records; a class that only has static methods keeps a constructor that nobody calls. */
    private static boolean isWritten(JavaCodeUnit unit) {
        boolean made = unit.getModifiers().contains(JavaModifier.SYNTHETIC)
                || unit.getModifiers().contains(JavaModifier.BRIDGE)
                || unit.getName().startsWith("lambda$");
        if (made || unit.isConstructor()) {
            return false;
        }
        JavaClass owner = unit.getOwner();
        return !(owner.isEnum() && Set.of("values", "valueOf").contains(unit.getName()))
                && !(owner.isRecord() && isOfRecord((JavaMethod) unit))
                && !(unit instanceof JavaMethod method && method.getModifiers().contains(JavaModifier.ABSTRACT));
    }

    private static boolean isOfRecord(JavaMethod method) {
        return method.getRawParameterTypes().isEmpty()
                        && (method.getOwner().tryGetField(method.getName()).isPresent()
                                || Set.of("hashCode", "toString").contains(method.getName()))
                || method.getName().equals("equals");
    }
}

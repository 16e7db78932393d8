package dev.lacuna.app.reach;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasAnnotations;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What can run, worked out from bytecode: from its roots along calls, references, fields and initialisers. A call of a method reaches what
 * overrides it in classes of which something reached makes an instance; what overrides a method of somebody else's class may be called by
 * it. It errs towards reached.
 */
final class Reach {
    private final Map<String, List<JavaMethod>> overridable = new HashMap<>();
    private final Set<JavaCodeUnit> reached = new HashSet<>();
    private final Set<JavaClass> used = new LinkedHashSet<>();
    private final Set<JavaClass> made = new HashSet<>();
    private final Set<String> called = new HashSet<>();
    private final Deque<JavaCodeUnit> toDo = new ArrayDeque<>();
    private final String ours;

    /**
     * @param classes all classes that are shipped
     * @param ours how the packages of all of them begin
     */
    Reach(JavaClasses classes, String ours) {
        this.ours = ours;
        for (JavaClass each : classes) {
            each.getMethods().stream()
                    .filter(Reach::isOfInstances)
                    .forEach(method -> overridable
                            .computeIfAbsent(signature(method), name -> new ArrayList<>())
                            .add(method));
        }
    }

    /** Has this class be made by somebody who is not seen, such as a service loader or the start of the program. */
    Reach from(JavaClass root) {
        make(root);
        root.getCodeUnits().forEach(this::reach);
        run();
        return this;
    }

    boolean uses(JavaClass each) {
        return used.contains(each);
    }

    boolean reaches(JavaCodeUnit unit) {
        return reached.contains(unit);
    }

    private void run() {
        while (!toDo.isEmpty()) {
            JavaCodeUnit unit = toDo.pop();
            annotations(unit);
            unit.getAccessesFromSelf().forEach(this::access);
            unit.getReferencedClassObjects().forEach(object -> make(object.getRawType()));
            unit.getInstanceofChecks().forEach(check -> use(check.getRawType()));
            unit.getExceptionTypes().forEach(this::use);
            unit.getRawParameterTypes().forEach(this::use);
            use(unit.getRawReturnType());
        }
    }

    private void access(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        use(owner);
        access.getTarget().resolveMember().ifPresent(member -> {
            if (member instanceof JavaCodeUnit unit) {
                reach(unit);
            }
            if (member instanceof JavaField field) {
                use(field.getOwner());
            }
        });
        if (access.getTarget() instanceof AccessTarget.CodeUnitCallTarget
                || access.getTarget() instanceof AccessTarget.CodeUnitReferenceTarget) {
            String name = access.getTarget().getName();
            if (name.equals("<init>")) {
                make(owner);
            }
        }
    }

    private void reach(JavaCodeUnit unit) {
        if (!isOurs(unit.getOwner()) || !reached.add(unit)) {
            return;
        }
        use(unit.getOwner());
        toDo.push(unit);
        if (unit.isConstructor()) {
            make(unit.getOwner());
        }
        if (unit instanceof JavaMethod method
                && !method.getModifiers().contains(JavaModifier.STATIC)
                && called.add(signature(method))) {
            for (JavaMethod other : overridable.get(signature(method))) {
                if (made.contains(other.getOwner()) || inheritedByMade(other.getOwner())) {
                    reach(other);
                }
            }
        }
    }

    private boolean inheritedByMade(JavaClass owner) {
        return owner.getAllSubclasses().stream().anyMatch(made::contains);
    }

    private void use(JavaClass type) {
        JavaClass each = type.getBaseComponentType();
        if (!isOurs(each) || !used.add(each)) {
            return;
        }
        each.getStaticInitializer().ifPresent(this::reach);
        each.getRawSuperclass().ifPresent(this::use);
        each.getRawInterfaces().forEach(this::use);
        annotations(each);
        each.getFields().forEach(field -> {
            use(field.getRawType());
            // Options and their groups are set by a library.
            if (!field.getAnnotations().isEmpty()) {
                annotations(field);
                make(field.getRawType());
            }
        });
        if (each.isEnum()) {
            make(each);
        }
    }

    /** An instance of it may exist: what it overrides may be called. */
    private void make(JavaClass type) {
        JavaClass each = type.getBaseComponentType();
        if (!isOurs(each) || !made.add(each)) {
            return;
        }
        use(each);
        each.getConstructors().stream().filter(c -> c.getParameters().isEmpty()).forEach(this::reach);
        Stream.concat(Stream.of(each), each.getAllRawSuperclasses().stream())
                .filter(this::isOurs)
                .flatMap(level -> level.getMethods().stream())
                .filter(Reach::isOfInstances)
                .filter(method -> called.contains(signature(method))
                        || !method.getAnnotations().isEmpty()
                        || overridesForeign(method, each))
                .forEach(this::reach);
        each.getAllRawInterfaces().stream()
                .filter(this::isOurs)
                .flatMap(level -> level.getMethods().stream())
                .filter(Reach::isOfInstances)
                .filter(method -> called.contains(signature(method)))
                .forEach(this::reach);
    }

    private static boolean isOfInstances(JavaMethod method) {
        return !method.getModifiers().contains(JavaModifier.STATIC);
    }

    /** Whether somebody else's code can know this method: by a supertype of theirs that the class has. */
    private boolean overridesForeign(JavaMethod method, JavaClass each) {
        return Stream.concat(each.getAllRawSuperclasses().stream(), each.getAllRawInterfaces().stream())
                .filter(type -> !isOurs(type))
                .flatMap(type -> type.getMethods().stream())
                .anyMatch(theirs -> signature(theirs).equals(signature(method)));
    }

    private void annotations(HasAnnotations<?> annotated) {
        for (JavaAnnotation<?> annotation : annotated.getAnnotations()) {
            annotation.getProperties().values().forEach(this::annotationValue);
        }
    }

    private void annotationValue(Object value) {
        if (value instanceof JavaClass type) {
            make(type);
        } else if (value instanceof Object[] several) {
            Stream.of(several).forEach(this::annotationValue);
        }
    }

    private boolean isOurs(JavaClass type) {
        return type.getName().startsWith(ours);
    }

    /** By name and number of arguments: generic methods are overridden by others of the same length. */
    private static String signature(JavaMethod method) {
        return method.getName() + "/" + method.getRawParameterTypes().size();
    }
}

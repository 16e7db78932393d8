package dev.lacuna.app.ortools;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/**
 * Sees OR-Tools' jars and, of Lacuna's classes, defines those anew that name OR-Tools: the program's own loader has them too, but
 * does not see the jars. OR-Tools itself comes from the jars alone. Everything else comes from the program's loader.
 */
final class SolverClassLoader extends URLClassLoader {
    private static final String MODELS = "dev.lacuna.app.ortools.cpsat.";

    private static final String SOLVER = "com.google.ortools.";

    static {
        registerAsParallelCapable();
    }

    SolverClassLoader(List<Path> jars) throws MalformedURLException {
        super(urls(jars), SolverClassLoader.class.getClassLoader());
    }

    private static URL[] urls(List<Path> jars) throws MalformedURLException {
        URL[] urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = jars.get(i).toUri().toURL();
        }
        return urls;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean models = name.startsWith(MODELS);
        if (!models && !name.startsWith(SOLVER)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            return models ? defined(name) : findClass(name);
        }
    }

    private Class<?> defined(String name) throws ClassNotFoundException {
        try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] code = bytes.readAllBytes();
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}

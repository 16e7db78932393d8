package dev.lacuna.core.planning.swap.mindspeed;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A module in the tree that profiling builds, with the marks that decide where it measures. Functions that are no modules
 * are put in afterwards.
 */
public final class ModuleContext {
    private static final Pattern INDEX = Pattern.compile("\\d+(?=\\.|$)");

    private final String name;
    private final List<ModuleContext> children = new ArrayList<>();
    private String prefix;
    private int depth;
    private boolean adaptable;
    private boolean moduleList;
    private boolean adaptLayer;

    /**
     * @param name as its parent calls it
     * @param prefix path of its parent
     * @param depth levels below the model, from 1
     */
    public ModuleContext(String name, String prefix, int depth) {
        this.name = name;
        this.prefix = prefix;
        this.depth = depth;
    }

    /**
     * Adds a module below this one and marks both.
     *
     * @param transformerLayer whether it is of a class that may be adapted
     * @param inModuleList whether this one is a list of modules
     * @return whether modules further below may still be the ones to adapt
     */
    public boolean add(ModuleContext child, boolean transformerLayer, boolean inModuleList) {
        children.add(child);
        if (!transformerLayer) {
            return true;
        }
        child.adaptable = true;
        if (inModuleList) {
            moduleList = true;
            adaptLayer = true;
        } else {
            child.adaptLayer = true;
        }
        return false;
    }

    /**
     * Puts a function into every layer that may be adapted, below the module where the model calls it.
     *
     * @param function its name, the prefix and depth that it has in one of the layers
     * @param wrapped name of the module below that one which the function calls; then that module comes below the function;
     *     empty when it calls none, and the function is a sibling of what is there
     */
    public void insert(ModuleContext function, String wrapped) {
        if (adaptable) {
            insertWithin(function, wrapped);
        } else {
            children.forEach(each -> each.insert(function, wrapped));
        }
    }

    private boolean insertWithin(ModuleContext function, String wrapped) {
        if (isParentOf(function)) {
            put(function.name, wrapped);
            return true;
        }
        return children.stream().anyMatch(each -> each.insertWithin(function, wrapped));
    }

    /** Layers and chunks differ in their numbers only. */
    private boolean isParentOf(ModuleContext function) {
        return depth + 1 == function.depth && unnumbered(path()).equals(unnumbered(function.prefix));
    }

    private static String unnumbered(String path) {
        return INDEX.matcher(path).replaceAll("#");
    }

    private void put(String function, String wrapped) {
        ModuleContext added = new ModuleContext(function, path(), depth + 1);
        for (int i = 0; i < children.size(); i++) {
            ModuleContext each = children.get(i);
            if (each.name.equals(wrapped)) {
                each.moveBelow(added, path().length());
                added.children.add(each);
                children.set(i, added);
                return;
            }
        }
        children.add(added);
    }

    private void moveBelow(ModuleContext parent, int at) {
        prefix = prefix.substring(0, at) + "." + parent.name + prefix.substring(at);
        depth++;
        children.forEach(each -> each.moveBelow(parent, at));
    }

    /** Name as its parent calls it. */
    public String name() {
        return name;
    }

    /** Its path from the model. */
    public String path() {
        return prefix.isEmpty() ? name : prefix + "." + name;
    }

    /** Levels below the model, from 1. */
    public int depth() {
        return depth;
    }

    /** What is below it, in order. */
    public List<ModuleContext> children() {
        return List.copyOf(children);
    }

    /** Whether it is a layer that may be adapted. */
    public boolean adaptable() {
        return adaptable;
    }

    /** Whether it is a list of such layers. */
    public boolean moduleList() {
        return moduleList;
    }

    /** Whether measuring starts here: the list of layers, or a layer that is in none. */
    public boolean adaptLayer() {
        return adaptLayer;
    }
}

package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import dev.lacuna.core.config.mindformers.layer.Selection;

/** Turns what a file says about layers into a {@link Selection}; what a number means depends on whether swap is on. */
interface Normaliser {
    /** @throws InvalidSettingException when MindFormers would refuse the value, or loop for ever over it */
    Selection normalise(ConfigValue value, ConfigPath path) throws InvalidSettingException;

    /**
     * Looks at a value that several patterns share, after it was normalised for the first of them.
     *
     * @throws InvalidSettingException when the framework changed it in doing so to what it refuses for the next one
     */
    default void share(ConfigValue value, ConfigPath path) throws InvalidSettingException {}
}

/** The settings as written, as normalised, as applied to layers, and what is void about them. */
package dev.lacuna.core.config.mindformers.setting;

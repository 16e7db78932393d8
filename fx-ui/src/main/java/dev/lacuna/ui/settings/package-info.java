/** What the operator chose and the window remembers. Where it is kept is the matter of a {@code SettingsStore}. */
package dev.lacuna.ui.settings;

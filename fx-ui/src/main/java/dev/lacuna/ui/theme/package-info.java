/** Light and dark: what the operator chose, what the desktop prefers, and the style sheets that follow. */
package dev.lacuna.ui.theme;

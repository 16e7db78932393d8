/**
 * The window itself: the rail of places, header, status bar, shortcuts, notices, theme. It knows places only through
 * {@link dev.lacuna.ui.window.Place}; what a place shows is its own matter.
 */
package dev.lacuna.ui.window;

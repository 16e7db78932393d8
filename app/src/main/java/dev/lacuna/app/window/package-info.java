/** The window's wiring: which places it has, what they share, and the demo that it starts where nothing trains. */
package dev.lacuna.app.window;

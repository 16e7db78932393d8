/** The places of the window, a folder each, and the one list of them. */
package dev.lacuna.ui.places;

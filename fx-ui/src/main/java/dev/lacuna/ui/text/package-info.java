/**
 * The words of the window: bundles in English and 简体中文, handed out as bindings so that the language changes while
 * the window is open, and the one way in which bytes are written.
 */
package dev.lacuna.ui.text;

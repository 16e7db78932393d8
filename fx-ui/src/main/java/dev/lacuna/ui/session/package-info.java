/**
 * The one process that the window is attached to: its samples, its connection, what was changed in it. A view model:
 * no nodes, no threads of its own. Everything here belongs to the UI thread unless it says otherwise.
 */
package dev.lacuna.ui.session;

/** The place where training processes are found: the living, live, and the black boxes of the dead. */
package dev.lacuna.ui.places.processes;

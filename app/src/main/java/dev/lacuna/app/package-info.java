/** The launcher, the command line and the wiring of the rooms below. */
package dev.lacuna.app;

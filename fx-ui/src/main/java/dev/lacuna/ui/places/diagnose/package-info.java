/**
 * The place where a log is pasted, dropped or opened and a verdict comes back. What an out-of-memory message means is
 * decided in the core; this package words it, colours it and lets the operator act on it.
 */
package dev.lacuna.ui.places.diagnose;

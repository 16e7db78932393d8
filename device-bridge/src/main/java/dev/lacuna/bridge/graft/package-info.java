/**
 * Attaching to a process that was not prepared: the native library that does it, and the journey from the operator's word to the
 * first sample.
 */
package dev.lacuna.bridge.graft;

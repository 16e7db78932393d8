/** A history from what Lacuna's agent tells, whole or from somewhere on. */
package dev.lacuna.core.history.agent;

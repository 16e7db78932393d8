/** {@code lacuna snapshot}. */
package dev.lacuna.app.cli.snapshot;

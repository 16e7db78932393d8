/** {@code lacuna estimate}. */
package dev.lacuna.app.cli.estimate;

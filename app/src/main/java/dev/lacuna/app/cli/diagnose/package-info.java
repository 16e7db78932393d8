/** {@code lacuna diagnose}. */
package dev.lacuna.app.cli.diagnose;

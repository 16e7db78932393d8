/** {@code lacuna mindformers}. */
package dev.lacuna.app.cli.mindformers;

/** {@code lacuna plan}. */
package dev.lacuna.app.cli.plan;

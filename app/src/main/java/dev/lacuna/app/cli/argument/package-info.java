/** What users type: converters, and faults of input in their language. */
package dev.lacuna.app.cli.argument;

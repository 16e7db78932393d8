/** Which version of the program this is. */
package dev.lacuna.app.version;

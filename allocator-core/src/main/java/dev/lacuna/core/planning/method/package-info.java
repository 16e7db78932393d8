/** One planning method, one class, and the profile that all are asked with. */
package dev.lacuna.core.planning.method;

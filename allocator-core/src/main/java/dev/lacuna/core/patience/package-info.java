/** How long searches may go on. */
package dev.lacuna.core.patience;

/** What the kernel is asked through its C functions, because no file tells it. What it means stands elsewhere. */
package dev.lacuna.bridge.kernel;

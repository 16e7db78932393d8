/** Accelerators of this machine as their vendors' libraries describe them. A machine without any is no error. */
package dev.lacuna.bridge.device;

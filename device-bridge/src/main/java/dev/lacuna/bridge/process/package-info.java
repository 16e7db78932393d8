/** What the kernel says about processes and users. Nothing here knows of telemetry or sockets. */
package dev.lacuna.bridge.process;

/**
 * What the rest of the program knows of training processes: finding them, attaching read-only, streaming samples,
 * commanding with acknowledgement, opening the black boxes of dead ones, and a mirror of their blocks. The wire, sockets, JNA and /proc live in
 * packages below and are not visible through these types.
 */
package dev.lacuna.bridge;

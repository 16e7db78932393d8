/** Test doubles of the other side of the wire. */
package dev.lacuna.bridge.synthetic;

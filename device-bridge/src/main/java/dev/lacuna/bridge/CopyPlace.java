package dev.lacuna.bridge;

/** Which processors a device's copies, and host memory for them, are kept to. */
public sealed interface CopyPlace {

    /**
     * They stay near the device.
     *
     * @param node the NUMA node, from 0
     */
    record Bound(int node) implements CopyPlace {
        public Bound {
            if (node < 0) {
                throw new IllegalArgumentException("a node is 0 or more, not " + node);
            }
        }
    }

    /** They run and lie wherever the system puts them. */
    record Unbound(Cause cause) implements CopyPlace {}

    /** Why nothing is bound. */
    enum Cause {
        /** The device is played on the host and near all of it. */
        VIRTUAL,
        /** Nobody tells where the device is on the bus. */
        NO_ADDRESS,
        /** Nobody tells the node of its place on the bus. */
        UNTOLD,
        /** The node has no processors that the process may use. */
        NO_PROCESSORS,
        /** The system refused. */
        REFUSED,
        /** The agent does not say, or in a word that is not known here. */
        UNKNOWN
    }
}

package dev.lacuna.core.planning.online.program;

/**
 * One operator call of a recorded program. Tensors are numbered in the order in which calls produce them.
 *
 * @param name the operator; {@link #CONSTANT} for what the model brings along
 * @param costNs its run time, nanoseconds
 * @param inputs tensors it reads, in order, repeated as often as they are passed
 * @param firstOutput number of its first output; further outputs follow
 * @param outputBytes bytes of new storage per output, 0 for an alias
 * @param aliasOf per output the position in {@code inputs} that it is a view of, -1 for storage of its own
 */
@SuppressWarnings("ArrayRecordComponent") // columns of a program; never compared, never handed out for writing
public record OperatorCall(String name, long costNs, int[] inputs, int firstOutput, long[] outputBytes, int[] aliasOf) {
    /** What the model brings along: weights, inputs. It costs nothing and stays. */
    public static final String CONSTANT = "constant";

    public int outputs() {
        return outputBytes.length;
    }

    boolean constant() {
        return name.equals(CONSTANT);
    }

    /** Bytes that must be free for the call to run. */
    public long totalBytes() {
        long sum = 0;
        for (long bytes : outputBytes) {
            sum += bytes;
        }
        return sum;
    }
}

package dev.lacuna.bridge.hosted;

/** A virtual machine that hosts the allocator and appears as a training process, until its standard input ends. */
final class ServingProgram {
    private ServingProgram() {}

    public static void main(String[] arguments) throws Exception {
        try (HostedAllocator allocator = HostedAllocator.open(HostedSettings.served(64 << 20, 0.9, true))) {
            allocator.malloc(5 << 20, 0);
            System.out.println("ready");
            while (System.in.read() >= 0) {
                allocator.free(allocator.malloc(1 << 20, 0));
            }
        }
    }
}

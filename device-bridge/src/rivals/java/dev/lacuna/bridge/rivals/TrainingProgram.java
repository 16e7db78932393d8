package dev.lacuna.bridge.rivals;

import java.util.Locale;
import java.util.Random;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AdamW;
import org.bytedeco.pytorch.AdamWOptions;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.EmbeddingImpl;
import org.bytedeco.pytorch.LayerNormImpl;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.LongVector;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A GPT that the real libtorch trains on the stand-in runtime: kernels do nothing, so the loss means nothing, but the
 * control flow and every allocation are libtorch's own. Runs in a process of its own, because libtorch_cuda must find the
 * stand-ins where it looks for CUDA.
 *
 * <p>{@code TrainingProgram lacuna|pytorch fixed|variable|accumulation STEPS LAYERS WIDTH TOKENS}. Prints how many steps were
 * done; where an out-of-memory ended them its message, which arrived as an exception, and whether a small batch then
 * went through; and what the allocator counted.
 */
public final class TrainingProgram {
    private static final int VOCABULARY = 4096;
    private static final int SHORTEST = 32;
    private static final int LONGEST = 512;
    private static final int HEAD_WIDTH = 64;

    private final Device device = new Device(torch.DeviceType.CUDA);
    private final Random random = new Random(7);
    private final Module model = new Module();
    private final EmbeddingImpl words;
    private final EmbeddingImpl places;
    private final Block[] blocks;
    private final LinearImpl head;
    private final int tokens;

    private TrainingProgram(int layers, int width, int tokens) {
        this.tokens = tokens;
        words = model.register_module("words", new EmbeddingImpl(VOCABULARY, width));
        places = model.register_module("places", new EmbeddingImpl(LONGEST, width));
        blocks = new Block[layers];
        for (int i = 0; i < layers; i++) {
            blocks[i] = new Block(width, device);
            model.register_module("block" + i, blocks[i]);
        }
        head = model.register_module("head", new LinearImpl(width, VOCABULARY));
        model.to(device, false);
    }

    /** One block of the model; its tensors are let go of when its forward ends, as Python would. */
    private static final class Block extends Module {
        private final long width;
        private final Device device;
        private final LayerNormImpl before;
        private final LayerNormImpl between;
        private final LinearImpl attend;
        private final LinearImpl join;
        private final LinearImpl widen;
        private final LinearImpl narrow;

        Block(int width, Device device) {
            this.width = width;
            this.device = device;
            LongVector shape = new LongVector(new long[] {width});
            before = register_module("before", new LayerNormImpl(shape));
            between = register_module("between", new LayerNormImpl(shape));
            attend = register_module("attend", new LinearImpl(width, 3L * width));
            join = register_module("join", new LinearImpl(width, width));
            widen = register_module("widen", new LinearImpl(width, 4L * width));
            narrow = register_module("narrow", new LinearImpl(4L * width, width));
        }

        Tensor forward(Tensor x) {
            try (PointerScope scope = new PointerScope()) {
                Tensor attended = x.add(join.forward(attention(before.forward(x))));
                Tensor mixed = narrow.forward(torch.gelu(widen.forward(between.forward(attended))));
                return attended.add(mixed).retainReference();
            }
        }

        private Tensor attention(Tensor x) {
            long batch = x.size(0);
            long length = x.size(1);
            long heads = width / HEAD_WIDTH;
            Tensor parts = attend.forward(x).view(batch, length, 3, heads, HEAD_WIDTH).permute(2, 0, 3, 1, 4);
            Tensor scores = torch.matmul(parts.select(0, 0), parts.select(0, 1).transpose(-2, -1))
                    .div(new Scalar(Math.sqrt(HEAD_WIDTH)));
            Tensor later = torch.ones(length, length).triu(1).to(device, torch.ScalarType.Bool);
            Tensor weights = torch.softmax(scores.masked_fill(later, new Scalar(-1e9)), -1);
            return torch.matmul(weights, parts.select(0, 2)).transpose(1, 2).reshape(batch, length, width);
        }
    }

    private void microBatch(int length, int batch) {
        try (PointerScope scope = new PointerScope()) {
            Tensor input = torch.randint(VOCABULARY, new long[] {batch, length}).to(device, torch.ScalarType.Long);
            Tensor wanted = torch.randint(VOCABULARY, new long[] {batch, length}).to(device, torch.ScalarType.Long);
            Tensor positions = torch.arange(new Scalar(length)).to(device, torch.ScalarType.Long);
            Tensor x = words.forward(input).add(places.forward(positions));
            for (Block block : blocks) {
                Tensor next = block.forward(x);
                x.close();
                x = next;
                scope.attach(x);
            }
            Tensor loss = torch.cross_entropy(head.forward(x).view(-1, VOCABULARY), wanted.view(-1));
            x.close();
            loss.backward();
        }
    }

    /** Trains, and if memory runs out carries on with a small batch, as a careful script would. */
    private void train(String shapes, int steps) {
        AdamW optimizer = new AdamW(model.parameters(), new AdamWOptions(1e-4));
        int done = 0;
        try {
            for (; done < steps; done++) {
                step(optimizer, shapes);
            }
        } catch (RuntimeException failed) {
            System.out.println("exception=" + failed.getMessage().lines().findFirst().orElse(""));
            optimizer.zero_grad(true);
            microBatch(SHORTEST, 1);
            System.out.println("continued=true");
        }
        System.out.println("steps=" + done);
    }

    private void step(AdamW optimizer, String shapes) {
        optimizer.zero_grad(true);
        int batches = shapes.equals("accumulation") ? 4 : 1;
        for (int i = 0; i < batches; i++) {
            int length = length(shapes);
            microBatch(length, Math.max(1, tokens / length));
        }
        optimizer.step();
    }

    private int length(String shapes) {
        return switch (shapes) {
            case "fixed" -> LONGEST / 2;
            case "variable" -> SHORTEST + random.nextInt(LONGEST - SHORTEST);
            case "accumulation" -> new int[] {128, 192, 256}[random.nextInt(3)];
            default -> throw new IllegalArgumentException(shapes);
        };
    }

    /** Runs; see the class comment. */
    public static void main(String[] words) {
        Locale.setDefault(Locale.ROOT);
        Loader.load(torch.class);
        System.load(System.getProperty("rivals.torch") + "/libtorch_cuda.so");
        Plug plug = new Plug(System.getProperty("rivals.native"));
        boolean lacuna = words[0].equals("lacuna");
        if (lacuna) {
            plug.install();
        }
        torch.manual_seed(7);
        new TrainingProgram(Integer.parseInt(words[3]), Integer.parseInt(words[4]), Integer.parseInt(words[5]))
                .train(words[1], Integer.parseInt(words[2]));
        System.out.println(lacuna ? plug.counters() : plug.rivalCounters());
        System.out.println("figures=" + (lacuna ? plug.figures() : plug.rivalFigures()));
        System.out.flush();
        // libtorch's destructors would run against libraries that are going away.
        Runtime.getRuntime().halt(0);
    }
}

"""What scripts do with autograd's graph."""

import torch
import torch.nn.functional as F
from registry import workload
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

N = 64
LEFT_TO_THEM = "lacuna: a forward within the script's own hooks for saved tensors is left to them"


def blocks(count=3, dropout=0.0):
    return nn.Sequential(*(nn.Sequential(nn.Linear(N, N), nn.Tanh(), nn.Dropout(dropout)) for _ in range(count)))


def gradients(tell, model, *others):
    tell(*(parameter.grad for parameter in model.parameters()), *others)


class Checkpointed(nn.Module):
    def __init__(self, reentrant):
        super().__init__()
        self.blocks, self.head, self.reentrant = blocks(4, 0.2), nn.Linear(N, 1), reentrant

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=self.reentrant)
        return self.head(x)


def _train_checkpointed(tell, reentrant):
    model = Checkpointed(reentrant)
    for _ in range(2):
        model(torch.randn(80, N, requires_grad=True)).square().mean().backward()
    gradients(tell, model)


@workload(daily=True)
def checkpoint_reentrant(tell):
    _train_checkpointed(tell, True)


@workload(daily=True)
def checkpoint_without_reentrance(tell):
    _train_checkpointed(tell, False)


@workload(said=[LEFT_TO_THEM])
def checkpoint_of_a_sequence_and_around_a_whole_model(tell):
    model = blocks(4)
    x = torch.randn(80, N, requires_grad=True)
    checkpoint_sequential(model, 2, x).sum().backward()
    for reentrant in (True, False):
        checkpoint(model, x, use_reentrant=reentrant).square().sum().backward()
    gradients(tell, model, x.grad)


def _lacks_script():
    return "TorchScript that comes to an end" if torch.__version__ == "2.6.0+debian" else None  # hangs without Lacuna too


class Branching(nn.Module):
    def __init__(self):
        super().__init__()
        self.inside = nn.Linear(N, N)

    def forward(self, x):
        if bool(x.sum() > 0):
            x = torch.sigmoid(self.inside(x))
        for _ in range(2):
            x = torch.tanh(self.inside(x)) * x
        return x


@workload(daily=True, lacks=_lacks_script)
def jit_script(tell):
    model = nn.Sequential(torch.jit.script(Branching()), torch.jit.script(Branching()))
    for step in range(4):  # the third is the optimised one
        model(torch.randn(80, N) + step).square().mean().backward()
    gradients(tell, model)
    whole, x = torch.jit.script(Branching()), torch.randn(80, N, requires_grad=True)
    for _ in range(3):
        whole(x).sum().backward()
    gradients(tell, whole, x.grad)


@workload()
def jit_trace(tell):
    model = torch.jit.trace(blocks(), torch.randn(80, N))
    for _ in range(4):
        model(torch.randn(80, N)).square().mean().backward()
    gradients(tell, model)


@workload(daily=True)
def hooks_of_modules_and_tensors(tell):
    model, seen = blocks(), []
    model[0].register_forward_pre_hook(lambda module, inputs: (inputs[0] * 2,))
    model[1].register_forward_hook(lambda module, inputs, output: output * 0.5)
    model[1].register_full_backward_hook(lambda module, inside, outside: seen.append(outside[0].sum().item()))
    model[2][0].weight.register_hook(lambda gradient: gradient * 3)
    x = torch.randn(80, N, requires_grad=True)
    for _ in range(2):
        y = model(x)
        y.retain_grad()
        y.register_hook(lambda gradient: seen.append(gradient.sum().item()))
        y.square().mean().backward()
        tell(y.grad)
    gradients(tell, model, x.grad, *seen)


@workload(said=[LEFT_TO_THEM])
def hooks_of_saved_tensors_of_the_scripts_own(tell):
    model, x, packed = blocks(), torch.randn(80, N), []

    def pack(tensor):
        packed.append(tuple(tensor.shape))
        return tensor.double()

    for _ in range(2):
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor.float()):
            loss = model(x).square().mean()
        loss.backward()
    with torch.autograd.graph.save_on_cpu():
        loss = model(x).sum()
    loss.backward()
    gradients(tell, model, packed)


@workload(daily=True)
def double_backward(tell):
    model, x = blocks(), torch.randn(80, N, requires_grad=True)
    (slope,) = torch.autograd.grad(model(x).sum(), x, create_graph=True)
    (slope.norm(2, 1) - 1).square().mean().backward()
    gradients(tell, model, x.grad)
    (slope,) = torch.autograd.grad((x.tanh() ** 3).sum(), x, create_graph=True)
    (curve,) = torch.autograd.grad(slope.sum(), x, create_graph=True)
    tell(*torch.autograd.grad(curve.sum(), x))


@workload()
def jacobians_and_hessians(tell):
    model = nn.Sequential(nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 24))
    tell(torch.autograd.functional.jacobian(model, torch.randn(48, 24)))
    tell(torch.autograd.functional.hessian(lambda x: model(x).square().sum(), torch.randn(24)))
    tell(torch.autograd.functional.vjp(lambda x: model(x).sum(0), torch.randn(48, 24), torch.ones(24))[1])


@workload()
def graph_that_is_retained(tell):
    model, x = blocks(), torch.randn(80, N)
    loss = model(x).square().mean()
    for _ in range(3):
        loss.backward(retain_graph=True)
    loss.backward()
    gradients(tell, model)
    try:
        loss.backward()
    except RuntimeError as error:
        tell("a second time" in str(error))


class InPlace(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(N, N), nn.Linear(N, N)

    def forward(self, x):
        x = F.relu_(self.first(x))
        x = x + 1
        x[:, ::2] *= 0.5
        y = self.second(x).sigmoid_() * 3
        y.transpose(0, 1).mul_(2)
        return F.dropout(y, 0.1, inplace=True).exp()


@workload(daily=True)
def in_place(tell):
    model, x = InPlace(), torch.randn(80, N)
    for _ in range(2):
        model(x).mean().backward()
        x.add_(0.1)
    gradients(tell, model)


@workload()
def in_place_where_it_is_an_error(tell):
    for change in (lambda y: y.add_(1), lambda y: y.t().zero_(), lambda y: y[3:].mul_(2)):
        y = []

        class Layer(nn.Module):
            def forward(self, x, y=y):
                y.append(x * 2)
                return torch.exp(y[0]) * y[0]

        loss = nn.Sequential(Layer())(torch.randn(80, N, requires_grad=True)).sum()
        with torch.no_grad():
            change(y[0])
        try:
            loss.backward()
        except RuntimeError as error:
            tell("modified by an inplace operation" in str(error))


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        result = x**3 * scale
        ctx.save_for_backward(x, result)
        ctx.scale, ctx.aside = scale, x * 2
        ctx.mark_non_differentiable(x > 0)
        return result

    @staticmethod
    def backward(ctx, gradient):
        x, result = ctx.saved_tensors
        return gradient * (3 * x**2 * ctx.scale + result * 0 + ctx.aside * 0), None


class Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.view(-1), x[1:])
        ctx.set_materialize_grads(False)
        return x.round(), x.sign()

    @staticmethod
    def backward(ctx, gradient, of_sign):
        flat, rest = ctx.saved_tensors
        return gradient * flat.view(gradient.shape).abs() + rest.sum() * 0


@workload(daily=True)
def custom_functions(tell):
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.inside = nn.Linear(N, N)

        def forward(self, x):
            y, _ = Straight.apply(Cube.apply(self.inside(x), 0.5))
            return Cube.apply(y, 2.0)

    model, x = Model(), torch.randn(80, N, requires_grad=True)
    for _ in range(2):
        model(x).mean().backward()
    Cube.apply(x, 3.0).sum().backward()
    gradients(tell, model, x.grad)


@workload()
def functions_without_a_module(tell):
    weights = [torch.randn(N, N, requires_grad=True) for _ in range(3)]
    for _ in range(3):
        x = torch.randn(80, N)
        for weight in weights:
            x = F.layer_norm(torch.tanh(x @ weight), (N,))
        x.square().mean().backward()
        with torch.no_grad():
            for weight in weights:
                weight -= 0.1 * weight.grad
                weight.grad.zero_()
    tell(*weights)


def _lacks_func():
    return None if hasattr(torch, "func") else "torch.func"


@workload(lacks=_lacks_func)
def functional_call_and_transforms(tell):
    model = blocks(2)
    weights = {name: parameter.detach() for name, parameter in model.named_parameters()}

    def loss(weights, x):
        return torch.func.functional_call(model, weights, (x,)).square().mean()

    x = torch.randn(80, N)
    tell(*torch.func.grad(loss)(weights, x).values())
    tell(*torch.func.vmap(torch.func.grad(loss), (None, 0))(weights, x[:8]).values())
    model(x).sum().backward()
    gradients(tell, model)


@workload(said=["lacuna: a saved tensor stays where it is: "])
def forward_mode(tell):
    import torch.autograd.forward_ad as forward

    model, x = blocks(), torch.randn(80, N)
    with forward.dual_level():
        tell(forward.unpack_dual(model(forward.make_dual(x, torch.ones_like(x)))).tangent)
    model(x).sum().backward()
    gradients(tell, model)


@workload()
def layers_that_are_shared_frozen_and_unused(tell):
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(N, N) for _ in range(4)])
            self.layers[1].weight.requires_grad_(False)
            self.layers.append(self.layers[0])
            self.scale = nn.Parameter(torch.ones(1))

        def forward(self, x):
            for layer in (self.layers[number] for number in (0, 1, 2, 4)):
                x = torch.tanh(layer(x)) * self.scale
            with torch.no_grad():
                aside = self.layers[2](x)
            return x + aside.detach()

    model = Model()
    for _ in range(2):
        model(torch.randn(80, N)).square().mean().backward()
    tell(*(parameter.grad if parameter.grad is not None else name for name, parameter in model.named_parameters()))


@workload()
def no_gradients_wanted(tell):
    model, x = blocks(), torch.randn(80, N)
    with torch.no_grad():
        tell(model(x))
    with torch.inference_mode():
        tell(model(x).clone())
    model.eval()
    tell(model(x).detach())
    y = model(x)
    del y
    model(x).sum().backward()
    gradients(tell, model)


@workload()
def complex_sparse_and_double(tell):
    weight = torch.randn(N, N, dtype=torch.complex64, requires_grad=True)

    class Model(nn.Module):
        def forward(self, x):
            y = torch.fft.ifft(torch.fft.fft(x) @ weight)
            return (y.conj() * y).real.double().cumsum(1).float()

    model, x = Model(), torch.randn(80, N)
    model(x).mean().backward()
    tell(weight.grad)
    table = nn.Embedding(50, N, sparse=True)
    for _ in range(2):
        nn.Sequential(table, nn.Tanh())(torch.randint(0, 50, (40,))).sum().backward()
    tell(table.weight.grad.coalesce())

"""Writes a torch.nn.MultiheadAttention layer, repeated `depth` times, and an input as rankfall-network/1.

Every float is written as the exact number it is (a hexadecimal float in a string), so nothing is rounded on the way.
"""
import json
import sys

import torch


def exact(tensor):
    """Nested lists of hexadecimal floats."""
    if tensor.dim() == 0:
        return float(tensor).hex()
    return [exact(row) for row in tensor]


def attention_block(layer):
    """torch computes x W^T + b for all heads at once; a head of rankfall takes its own columns of W^T."""
    d, heads = layer.embed_dim, layer.num_heads
    k = d // heads
    query, key, value = layer.in_proj_weight.detach().double().T.split(d, dim=1)
    biases = layer.in_proj_bias.detach().double().split(d) if layer.in_proj_bias is not None else None
    out = layer.out_proj.weight.detach().double().T
    block = {"kind": "attention", "heads": []}
    for h in range(heads):
        columns = slice(h * k, (h + 1) * k)
        head = {"W_Q": exact(query[:, columns]), "W_K": exact(key[:, columns]), "W_V": exact(value[:, columns]),
                "W_O": exact(out[columns, :])}
        if biases is not None:
            head |= {name: exact(bias[columns]) for name, bias in zip(("b_Q", "b_K", "b_V"), biases)}
        block["heads"].append(head)
    if layer.out_proj.bias is not None:
        block["b_O"] = exact(layer.out_proj.bias.detach().double())
    return block


def main():
    torch.manual_seed(1)
    tokens, d, heads, depth = 5, 8, 2, 3
    layers = [torch.nn.MultiheadAttention(d, heads, batch_first=True) for _ in range(depth)]
    x = torch.randn(tokens, d)
    network = {"format": "rankfall-network/1", "input": exact(x.double()), "blocks": [attention_block(a) for a in layers]}
    json.dump(network, sys.stdout)

    # What torch itself gets, in double precision, for comparison: the mean-centred composite residual of every state.
    state = x.double()
    for layer in [None, *layers]:
        if layer is not None:
            state = layer.double()(state[None], state[None], state[None])[0][0].detach()
        residual = state - state.mean(dim=0)
        composite = (residual.abs().sum(dim=0).max() * residual.abs().sum(dim=1).max()).sqrt()
        print(f"log10 residual {float(composite.log10()):.10f}", file=sys.stderr)


if __name__ == "__main__":
    main()

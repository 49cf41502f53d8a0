"""Weights and tokens in the files of other programs: a BERT-shaped checkpoint assembled byte by byte gives the numbers
of the same network in JSON, arrays that numpy wrote give those of the same input, malformed files are refused by name.

usage: checkpoint_test.py PROGRAM
"""
import io
import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import warnings
import zipfile
from fractions import Fraction

import numpy as np

program = os.path.abspath(sys.argv[1])
memory = 1 << 28  # bytes of address space; what the malformed files claim is far beyond
failures = 0


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120,
                          preexec_fn=limit if can_limit else None)


# Sanitizers take address space by the terabyte.
can_limit = True
can_limit = run("--version").returncode == 0


def expect(words, holds, found=""):
    global failures
    print("ok   " if holds else "WRONG", words, "" if holds else f": found {found}")
    failures += not holds


def checked(*arguments):
    """What `check --json` says, but for the name and sum of the file."""
    done = run("check", *arguments, "--json")
    if done.returncode:
        return f"exit code {done.returncode}: {done.stderr}"
    result = json.loads(done.stdout)
    del result["network"]["file"], result["network"]["sha256"]
    return result


def refused(words, arguments, *parts):
    done = run("check", *arguments)
    absent = [part for part in parts if part not in done.stderr]
    one_line = done.stderr.count("\n") == 1 and len(done.stderr) < 2000
    expect(f"{words} is refused", done.returncode == 65 and not absent and one_line and not done.stdout,
           f"exit code {done.returncode}, {done.stderr!r}, without {absent}")


def write(path, data):
    with open(path, "wb" if isinstance(data, bytes) else "w") as file:
        file.write(data)
    return path


# --- a network of BERT -------------------------------------------------------------------------------------

dim, heads, layers, wide, words, places = 24, 3, 2, 96, 50, 16
ids = [7, 41, 0, 7, 23]
config = {"architectures": ["BertForMaskedLM"], "model_type": "bert", "attention_probs_dropout_prob": 0.1,
          "hidden_act": "gelu", "hidden_dropout_prob": 0.1, "hidden_size": dim, "initializer_range": 0.02,
          "intermediate_size": wide, "layer_norm_eps": 1e-12, "max_position_embeddings": places,
          "num_attention_heads": heads, "num_hidden_layers": layers, "pad_token_id": 0, "type_vocab_size": 2,
          "vocab_size": words}


def bert_tensors(norm_names=("weight", "bias")):
    """Every tensor that such a file holds, those included that a network does not use, in the order of the file."""
    draw = np.random.RandomState(2024)
    tensors = {}

    def add(name, *shape, centre=0):
        tensors["bert." + name] = (centre + 0.2 * draw.standard_normal(shape)).astype("<f4")

    def linear(name, inner, outer):
        add(name + ".weight", outer, inner)
        add(name + ".bias", outer)

    def norm(name):
        add(f"{name}.{norm_names[0]}", dim, centre=1)
        add(f"{name}.{norm_names[1]}", dim)

    tensors["bert.embeddings.position_ids"] = np.arange(places, dtype="<i8").reshape(1, places)
    add("embeddings.word_embeddings.weight", words, dim)
    add("embeddings.position_embeddings.weight", places, dim)
    add("embeddings.token_type_embeddings.weight", 2, dim)
    norm("embeddings.LayerNorm")
    for layer in range(layers):
        at = f"encoder.layer.{layer}."
        for part in ("query", "key", "value"):
            linear(at + "attention.self." + part, dim, dim)
        linear(at + "attention.output.dense", dim, dim)
        norm(at + "attention.output.LayerNorm")
        linear(at + "intermediate.dense", dim, wide)
        linear(at + "output.dense", wide, dim)
        norm(at + "output.LayerNorm")
    linear("pooler.dense", dim, dim)
    return tensors


dtypes = {"<f8": "F64", "<f4": "F32", "<f2": "F16", "<i8": "I64"}


def entry_of(tensor, begin, end):
    return {"dtype": dtypes[tensor.dtype.str], "shape": list(tensor.shape), "data_offsets": [begin, end]}


def header_and_data(tensors):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in tensors.items():
        part = tensor.tobytes()
        header[name] = entry_of(tensor, len(data), len(data) + len(part))
        data += part
    return header, data


def file_of(header, data, claimed=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text) if claimed is None else claimed) + text + data


def exact(array):
    if array.ndim == 1:
        return [float(x).hex() for x in array]
    return [exact(row) for row in array]


def network_of(tensors, tokens):
    """The same network in JSON, its input formed in fractions."""
    def t(name):
        return tensors["bert." + name]

    def vector(name):
        return exact(t(name))

    def linear(name):
        return {"W": exact(t(name + ".weight").T), "b": vector(name + ".bias")}

    def norm(name):
        return {"kind": "norm", "of": "token", "epsilon": float(1e-12).hex(),
                "scale": vector(name + ".weight"), "shift": vector(name + ".bias")}

    embeddings = [t(f"embeddings.{kind}_embeddings.weight") for kind in ("word", "position", "token_type")]
    rows = [[str(sum(Fraction(float(e[i][j])) for e, i in zip(embeddings, (token, place, 0)))) for j in range(dim)]
            for place, token in enumerate(tokens)]
    blocks = [norm("embeddings.LayerNorm")]
    k = dim // heads
    for layer in range(layers):
        at = f"encoder.layer.{layer}."
        part = {name: (t(f"{at}attention.self.{name}.weight").T, t(f"{at}attention.self.{name}.bias"))
                for name in ("query", "key", "value")}
        output = t(at + "attention.output.dense.weight").T
        attention = {"kind": "attention", "skip": 1, "heads": [], "b_O": vector(at + "attention.output.dense.bias")}
        for h in range(heads):
            own = slice(h * k, (h + 1) * k)
            attention["heads"].append(
                {"W_Q": exact(part["query"][0][:, own]), "b_Q": exact(part["query"][1][own]),
                 "W_K": exact(part["key"][0][:, own]), "b_K": exact(part["key"][1][own]),
                 "W_V": exact(part["value"][0][:, own]), "b_V": exact(part["value"][1][own]),
                 "W_O": exact(output[own, :])})
        blocks += [attention, norm(at + "attention.output.LayerNorm"),
                   {"kind": "mlp", "skip": 1, "activation": "gelu",
                    "layers": [linear(at + "intermediate.dense"), linear(at + "output.dense")]},
                   norm(at + "output.LayerNorm")]
    return {"format": "rankfall-network/1", "input": rows, "blocks": blocks}


def folder_of(root, name, content, settings=config):
    folder = os.path.join(root, name)
    os.mkdir(folder)
    if settings is not None:
        write(os.path.join(folder, "config.json"),
              settings if isinstance(settings, (bytes, str)) else json.dumps(settings))
    return write(os.path.join(folder, "model.safetensors"), content)


def check_checkpoint(root):
    tensors = bert_tensors()
    token_ids = ",".join(map(str, ids))
    model = folder_of(root, "bert", file_of(*header_and_data(tensors)))
    network = write(os.path.join(root, "bert.json"), json.dumps(network_of(tensors, ids)))
    read, written = checked(model, "--token-ids", token_ids), checked(network)
    expect("a checkpoint gives the numbers of the same network in JSON", read == written and isinstance(read, dict),
           read if isinstance(read, str) else "other numbers")
    expect("it has every state", isinstance(read, dict) and len(read["states"]) == 2 + 4 * layers, read)
    for parts in ("mlp", "skip,layernorm", "skip,mlp,layernorm"):
        expect(f"the same without {parts}", checked(model, "--token-ids", token_ids, "--remove", parts)
               == checked(network, "--remove", parts), "other numbers")

    def bare(name):
        return name.removeprefix("bert.")

    others = folder_of(root, "bare", file_of(*header_and_data({bare(n): t for n, t in tensors.items()})))
    expect("names without prefix mean the same", checked(others, "--token-ids", token_ids) == read, "other numbers")
    elder = folder_of(root, "elder", file_of(*header_and_data(bert_tensors(("gamma", "beta")))))
    expect("norms may be named gamma and beta", checked(elder, "--token-ids", token_ids) == read, "other numbers")

    # The vectors that the first layer reads, instead of token ids.
    vectors = np.random.RandomState(5).standard_normal((4, dim)).astype("<f4")
    np.save(os.path.join(root, "x.npy"), vectors)
    layers_alone = network_of(tensors, ids)
    layers_alone["input"] = exact(vectors)
    del layers_alone["blocks"][0]
    alone = write(os.path.join(root, "alone.json"), json.dumps(layers_alone))
    expect("vectors reach the first layer as they are",
           checked(model, "--input", os.path.join(root, "x.npy")) == checked(alone), "other numbers")


def check_architectures(root):
    model = folder_of(root, "bert", file_of(*header_and_data(bert_tensors())))
    inputs = [",".join(map(str, ids)), "3,1,4"]
    done = run("architectures", "--checkpoint", model, "--token-ids", inputs[0], "--token-ids", inputs[1], "--format",
               "json", "--digits", "8")
    profiles = json.loads(done.stdout)["profiles"] if done.returncode == 0 else []
    expect("architectures of a checkpoint", [p["parts"] for p in profiles]
           == ["attention", "attention + mlp", "attention + skip", "whole"], done.stderr)
    states = [checked(model, "--token-ids", i)["states"] for i in inputs]
    for layer in range(layers + 1 if profiles else 0):
        ends = [[float(end) for end in s[1 + 4 * layer]["relative"]["log10"]] for s in states]
        found = profiles[3]["layers"][layer]
        for word, low, high in (("least", min, min), ("greatest", max, max)):
            a, b = (float(end) for end in found[word]["log10"])
            expect(f"{word} relative residual behind layer {layer} is that of check",
                   found["runs"] == 2 and a <= high(e[1] for e in ends) and low(e[0] for e in ends) <= b, found)

    usage = {
        "token ids without a checkpoint": ((*"--token-ids 1,2".split(),), "--checkpoint"),
        "a checkpoint without inputs": (("--checkpoint", model), "--token-ids", "--input"),
        "a checkpoint and a model": (("--checkpoint", model, "--model", "bert-base"), "--model"),
        "an unknown model": ((*"--model bert-bose".split(),), "bert-base"),
        "heads that do not divide": ((*"--dim 10 --heads 3".split(),), "heads = 3"),
        "a size beside --full-size": ((*"--full-size --dim 64".split(),), "--dim"),
        "no digits": ((*"--digits 0".split(),), "--digits"),
    }
    for words, (arguments, *parts) in usage.items():
        done = run("architectures", *arguments)
        expect(f"{words} is a wrong call", done.returncode == 64 and all(p in done.stderr for p in parts)
               and done.stderr.count("\n") == 1, f"exit code {done.returncode}: {done.stderr!r}")
    done = run("architectures", "--checkpoint", os.path.join(root, "absent.safetensors"), "--token-ids", "1")
    expect("an absent checkpoint has no architecture", done.returncode == 65 and "no such file" in done.stderr,
           done.stderr)
    blocked = write(os.path.join(root, "file"), "")
    if shutil.which("gnuplot"):
        done = run("architectures", *"--model bert-base --dim 4 --heads 1 --depth 1 --tokens 2 --out".split(),
                   os.path.join(blocked, "out"))
        expect("a folder that cannot be made", done.returncode == 74 and not done.stdout, done.stderr)


# --- arrays of numpy ---------------------------------------------------------------------------------------

small = {"format": "rankfall-network/1", "input": [[0, 0], [1, 1]],
         "blocks": [{"kind": "attention", "skip": 1, "heads": [{"W_QK": [[1, 0], [0, 1]], "d_qk": 2,
                                                               "W": [[0.5, 0.25], [0, 1]]}]}]}


def check_arrays(root):
    network = write(os.path.join(root, "small.json"), json.dumps(small))
    values = np.array([[0.5, -1.75], [2.0 ** -14, 3.0], [-0.0, 1024.0]])
    reference = checked(write(os.path.join(root, "same.json"), json.dumps(small | {"input": exact(values)})))
    expect("the reference of the arrays is there", isinstance(reference, dict), reference)
    path = os.path.join(root, "array.npy")
    for dtype in ("<f8", ">f8", "<f4", ">f4", "<f2", ">f2"):
        for order in "CF":
            for version in ((1, 0), (2, 0), (3, 0)):
                with open(path, "wb") as file:
                    np.lib.format.write_array(file, np.array(values, dtype=dtype, order=order), version=version)
                found = checked(network, "--input", path)
                expect(f"npy {dtype}, order {order}, version {version[0]}", found == reference, found)


def check_archives(root):
    network = write(os.path.join(root, "small.json"), json.dumps(small))
    values = np.array([[0.5, -1.75], [2.0, 3.0], [0.25, -8.0]])
    reference = checked(write(os.path.join(root, "same.json"), json.dumps(small | {"input": exact(values)})))
    path = os.path.join(root, "arrays.npz")
    for save in (np.savez, np.savez_compressed):
        save(path, tokens=values)
        expect(f"npz of {save.__name__}", checked(network, "--input", path) == reference)
        expect(f"npz of {save.__name__}, by name", checked(network, "--input", path + ":tokens") == reference)
        save(path, np.ones((4, 4)), tokens=np.asfortranarray(values.astype(">f4")), labels=np.array(["a"]))
        expect(f"npz of {save.__name__}, one of three", checked(network, "--input", path + ":tokens") == reference)

    refused("a choice among several arrays", (network, "--input", path), path, "3 arrays", "arr_0", "tokens",
            ".npz:tokens")
    refused("an absent member", (network, "--input", path + ":token"), path + ":token", "tokens, labels")
    refused("a member of texts", (network, "--input", path + ":labels"), path + ":labels", '"<U1"')
    refused("an absent archive", (network, "--input", os.path.join(root, "absent.npz")), "absent.npz", "no such file")

    def zipped(members, method=zipfile.ZIP_DEFLATED):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # names that stand twice
            with zipfile.ZipFile(path, "w", method) as archive:
                for name, content in members:
                    archive.writestr(name, content)
        with open(path, "rb") as file:
            return file.read()

    array = saved(values)
    stored, packed = zipped([("x.npy", array)], zipfile.ZIP_STORED), zipped([("x.npy", array)])
    position = stored.index(array) + len(array) - 1
    flipped = stored[:position] + bytes([stored[position] ^ 1]) + stored[position + 1:]
    bomb = zipped([("x.npy", array + b"\0" * memory)])
    endless = b"\x93NUMPY\2\0" + struct.pack("<I", memory) + b" " * memory
    objects = saved(np.array([[1, "a"]], dtype=object), allow_pickle=True)
    expect("the bomb is small", len(bomb) < 1 << 20, len(bomb))
    cases = {
        "an empty archive file": (b"", "no npz file"),
        "an archive of text": (b"PK but not really", "no npz file"),
        "an archive without members": (zipped([]), "no array"),
        "an archive without arrays": (zipped([("x.txt", b"1 2 3")]), "no array"),
        "two arrays of one name": (zipped([("x.npy", array)] * 2), "2 arrays"),
        "an archive cut off": (packed[:-30], "no npz file"),
        "a member with another sum": (flipped, ":x", "cannot be unpacked"),
        "a member that is no array": (zipped([("x.npy", b"1 2 3")]), ":x", "no npy file"),
        "a member of objects": (zipped([("x.npy", objects)]), '"|O"'),
        "a member cut off": (zipped([("x.npy", array[:-1])]), ":x", "47 bytes", "48"),
        "a member that goes on behind its header": (bomb, ":x", f"behind the {len(array)} bytes"),
        "a member of a shape beyond memory": (zipped([("x.npy", with_shape("(3, 2305843009213693952)"))]), "at most"),
        "a member with an endless header": (zipped([("x.npy", endless)]), ":x", f"claims {memory} bytes"),
    }
    for words, (content, *parts) in cases.items():
        refused(words, (network, "--input", write(path, content)), path, *parts)
    write(path, zipped([("x.npy", array)] * 2))
    refused("an array that stands twice, by name", (network, "--input", path + ":x"), path + ":x", "twice")


# --- rankfall's own names ----------------------------------------------------------------------------------

def check_own_names(root):
    draw = np.random.RandomState(11)
    n, d, k = 4, 6, 3
    t = {name: draw.standard_normal(shape).astype(dtype) for name, shape, dtype in (
        ("input", (n, d), "<f8"),
        ("blocks.0.heads.0.W_Q", (d, k), "<f4"), ("blocks.0.heads.0.W_K", (d, k), "<f4"),
        ("blocks.0.heads.0.W_V", (d, k), "<f2"), ("blocks.0.heads.0.W_O", (k, d), "<f4"),
        ("blocks.0.heads.0.b_Q", (k,), "<f4"), ("blocks.0.heads.0.b_V", (1, k), "<f4"),
        ("blocks.0.heads.1.W_Q", (d, k), "<f4"), ("blocks.0.heads.1.W_K", (d, k), "<f4"),
        ("blocks.0.heads.1.W_V", (d, d), "<f4"), ("blocks.0.heads.1.score_bias", (n, n), "<f4"),
        ("blocks.0.b_O", (d,), "<f4"), ("blocks.0.pre_norm.scale", (d,), "<f4"),
        ("blocks.1.scale", (d,), "<f4"), ("blocks.1.shift", (d,), "<f4"),
        ("blocks.2.layers.0.W", (d, 2 * d), "<f4"), ("blocks.2.layers.0.b", (2 * d,), "<f4"),
        ("blocks.2.layers.1.W", (2 * d, d), "<f4"), ("blocks.2.pre_norm.shift", (d,), "<f4"),
        ("blocks.3.heads.0.W_QK", (d, d), "<f4"), ("blocks.3.heads.0.W", (d, d), "<f4"))}
    outline = {"model_type": "rankfall-network/1", "blocks": [
        {"kind": "attention", "skip": "1/3", "mask": "causal", "heads": 2, "pre_norm": {"of": "token", "epsilon": 0.1}},
        {"kind": "norm", "of": "column", "epsilon": "1e-5"},
        {"kind": "mlp", "skip": 1, "activation": "relu", "layers": 2, "pre_norm": {"of": "token"}},
        {"kind": "attention", "heads": 1, "d_qk": 2}]}

    def full(value, at):
        """The outline with its matrices in their places."""
        block = dict(value)
        for part in ("heads", "layers"):
            if part in block:
                block[part] = [{} for _ in range(block[part])]
        d_qk = block.pop("d_qk", None)
        for name, tensor in t.items():
            if name.startswith(at):
                *path, last = name.removeprefix(at).split(".")
                target = block
                for step in path:
                    target = target[int(step) if step.isdigit() else step]
                vector = last[0] == "b" or last in ("scale", "shift")
                target[last] = exact(tensor.reshape(-1) if vector else tensor)
        for head in block.get("heads", []) if d_qk else []:
            head["d_qk"] = d_qk
        return block

    blocks = [full(block | ({"pre_norm": dict(block["pre_norm"])} if "pre_norm" in block else {}), f"blocks.{b}.")
              for b, block in enumerate(outline["blocks"])]
    network = {"format": "rankfall-network/1", "input": exact(t["input"]), "blocks": blocks}
    reference = checked(write(os.path.join(root, "own.json"), json.dumps(network)))
    model = folder_of(root, "own", file_of(*header_and_data(t)), outline)
    expect("rankfall's own names give the numbers of the same network in JSON",
           isinstance(reference, dict) and checked(model) == reference, reference)
    np.save(os.path.join(root, "x.npy"), t["input"] * 2)
    expect("--input stands for its input", checked(model, "--input", os.path.join(root, "x.npy"))
           == checked(os.path.join(root, "own.json"), "--input", os.path.join(root, "x.npy")))

    def changed(number, **changes):
        return outline | {"blocks": [b | changes if i == number else b for i, b in enumerate(outline["blocks"])]}

    def without(name):
        return {n: v for n, v in t.items() if n != name}

    cases = {
        "a head without W_V": (without("blocks.0.heads.0.W_V"), outline, "blocks.0.heads.0.W_V", "no such tensor"),
        "a head too few": (t, changed(0, heads=1), "blocks.0.heads.1.", "no place"),
        "a head too many": (t, changed(0, heads=3), "blocks.0.heads.2.W_Q", "no such tensor"),
        "a misspelt tensor": (t | {"blocks.0.b_o": t["blocks.0.b_O"]}, outline, "blocks.0.b_o", "no place"),
        "a tensor of three dimensions": (t | {"input": t["input"].reshape(n, d, 1)}, outline, "input", "[4, 6, 1]"),
        "a matrix of another shape": (t | {"blocks.0.heads.1.W_K": t["blocks.0.heads.1.W_K"].T.copy()}, outline,
                                      "blocks[0].heads[1].W_K", "3 x 6", "6 x 3"),
        "scores without d_qk": (t, changed(3, d_qk=None) | {}, "config.json", "d_qk"),
        "no input": (without("input"), outline, "input", "no such tensor"),
        "an unknown key": (t, changed(1, eps=1), "config.json", "blocks[1]", '"eps"'),
        "a key of another kind": (t, changed(1, skip=1), "blocks[1]", '"skip"', "norm"),
        "half a head": (t, changed(0, heads="1/2"), "blocks[0].heads", "whole number"),
        "inline scale": (t, changed(2, pre_norm={"of": "token", "scale": [1]}), "blocks[2]", "scale"),
        "no blocks": (t, {"model_type": "rankfall-network/1"}, '"blocks" is missing'),
    }
    for number, (words, (tensors, settings, *parts)) in enumerate(cases.items()):
        refused(words, (folder_of(root, f"own{number}", file_of(*header_and_data(tensors)), settings),), *parts)
    done = run("check", model, "--token-ids", "1")
    expect("token ids need embeddings", done.returncode == 64 and "embeddings" in done.stderr, done.stderr)


# --- malformed files ---------------------------------------------------------------------------------------

def saved(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def with_shape(shape):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + b"\0" * 48


def check_malformed_arrays(root):
    network = write(os.path.join(root, "small.json"), json.dumps(small))
    whole = saved(np.ones((3, 2)))
    nan = np.ones((3, 2), order="F")
    nan[2, 1] = np.nan
    infinite = np.ones((3, 2), dtype=">f2")
    infinite[0, 1] = -np.inf
    cases = {
        "an empty file": (b"", "no npy file"),
        "a file of text": (b"1 2 3\n4 5 6\n", "no npy file"),
        "an array of objects": (saved(np.array([[1, "a"]], dtype=object), allow_pickle=True), '"|O"'),
        "an array of integers": (saved(np.ones((3, 2), dtype="<i4")), '"<i4"'),
        "an array of complex numbers": (saved(np.ones((3, 2), dtype=complex)), '"<c16"'),
        "an array of records": (saved(np.zeros(3, dtype=[("a", "<f8"), ("b", "<f8")])), "npy header"),
        "a vector": (saved(np.ones(3)), "(3,)"),
        "an array of three dimensions": (saved(np.ones((3, 2, 1))), "(3, 2, 1)"),
        "an array without rows": (saved(np.ones((0, 2))), "(0, 2)"),
        "a NaN in Fortran order": (saved(nan), "[2][1]"),
        "an infinity in big-endian order": (saved(infinite), "[0][1]"),
        "an array cut off in its data": (whole[:-1], "47 bytes", "48"),
        "an array cut off in its header": (whole[:70], "npy header"),
        "an array with bytes behind its end": (whole + b"\0", "49 bytes", "48"),
        "a header of version 4": (whole[:6] + b"\4\0" + whole[8:], "version 4.0"),
        "a header longer than the file": (whole[:6] + b"\2\0\xff\xff\xff\xff" + whole[10:], "claims 4294967295 bytes"),
        "a shape near 2^64": (with_shape("(18446744073709551615, 9)"), "(18446744073709551615, 9)", "at most"),
        "a shape beyond 2^64": (with_shape("(18446744073709551617, 9)"), "below 2^64"),
        "a shape beyond memory": (with_shape("(3, 2305843009213693952)"), "(3, 2305843009213693952)", "at most"),
        "a shape beyond the file": (with_shape("(300, 2000)"), "48 bytes", "4800000"),
        "a negative shape": (with_shape("(-3, 2)"), "whole number"),
        "another width than the network's": (saved(np.ones((3, 5))), "2 x 2"),
    }
    for words, (content, *parts) in cases.items():
        path = write(os.path.join(root, "bad.npy"), content)
        refused(words, (network, "--input", path), path, *parts)
    refused("an absent array", (network, "--input", os.path.join(root, "absent.npy")), "absent.npy", "no such file")
    refused("a folder as array", (network, "--input", root), "folder")


def check_malformed_checkpoints(root):
    tensors = bert_tensors()
    header, data = header_and_data(tensors)
    whole = file_of(header, data)
    query = "bert.encoder.layer.1.attention.self.query.weight"

    def with_entry(**changes):
        return file_of(header | {query: header[query] | changes}, data)

    def with_value(value):
        changed = dict(tensors)
        changed[query] = tensors[query].copy()
        changed[query][3, 5] = value
        return file_of(*header_and_data(changed))

    def without(name):
        return file_of(*header_and_data({n: t for n, t in tensors.items() if n != name}))

    def shaped(name, tensor):
        return file_of(*header_and_data(tensors | {name: tensor}))

    begin, end = header[query]["data_offsets"]
    twice = json.dumps(header)[:-1] + ', "' + query + '": ' + json.dumps(header[query]) + "}"
    length = len(whole) - len(data) - 8
    cases = {
        "an empty file": (b"", "fewer than 8 bytes"),
        "a length without a header": (whole[:8], f"claims {length} bytes"),
        "a file cut off in its header": (whole[:length // 2], f"claims {length} bytes"),
        "a file cut off in its data": (whole[:-10], f"{len(data) - 10} bytes of data"),
        "a file cut off behind its header": (whole[:8 + length], "0 bytes of data"),
        "bytes behind the last tensor": (whole + b"\0" * 4, f"{len(data) + 4} bytes of data"),
        "a header longer than the file": (file_of(header, data, len(whole)), f"claims {len(whole)} bytes"),
        "a header of 2^64 - 1 bytes": (file_of(header, data, 2 ** 64 - 1), "claims 18446744073709551615 bytes"),
        "a header of 2^64 - 8 bytes": (file_of(header, data, 2 ** 64 - 8), "claims 18446744073709551608 bytes"),
        "a header that is no JSON": (file_of(b"{\"a\": ", data), "line 1"),
        "a header that is a list": (file_of(b"[]", data), "an object of tensors"),
        "an unknown dtype": (with_entry(dtype="F31"), query, '"F31"'),
        "a dtype that holds no fractions": (with_entry(dtype="I32"), query, "I32"),
        "a tensor named twice": (file_of(twice.encode(), data), query, "twice"),
        "overlapping tensors": (with_entry(data_offsets=[begin - 4, end - 4]), "overlap"),
        "a gap between tensors": (with_entry(data_offsets=[begin + 4, end + 4]), "gaps"),
        "offsets shorter than the shape": (with_entry(data_offsets=[begin, end - 4]), query, "2300 bytes", "2304"),
        "offsets beyond the file": (with_entry(data_offsets=[len(data), len(data) + end - begin]), "data"),
        "offsets near 2^64": (with_entry(data_offsets=[2 ** 64 - 2304, 2 ** 64 - 1]), query),
        "offsets in the wrong order": (with_entry(data_offsets=[end, begin]), "begin <= end"),
        "a shape of 2^62 rows": (with_entry(shape=[2 ** 62, 24]), query, "more than 2^64"),
        "a shape of the same bytes": (with_entry(shape=[dim * 2, dim // 2]), query, "[48, 12]", "[24, 24]"),
        "a negative extent": (with_entry(shape=[-24, -24]), query, "whole number"),
        "a NaN among the weights": (with_value(np.nan), query, f"entry {3 * dim + 5}"),
        "an infinity among the weights": (with_value(np.inf), query, f"entry {3 * dim + 5}"),
        "a tensor left out": (without(query), query, "no such tensor"),
        "embeddings of another width": (shaped("bert.embeddings.word_embeddings.weight", np.zeros((50, 7), "<f4")),
                                        "word_embeddings", "[50, 7]"),
    }
    for number, (words, (content, *parts)) in enumerate(cases.items()):
        path = folder_of(root, f"bad{number}", content)
        refused(words, (path, "--token-ids", "1,2"), path, *parts)

    configs = {
        "a config of another width": (config | {"hidden_size": 48}, "[50, 24]", "48 columns"),
        "a config with another MLP": (config | {"intermediate_size": 95}, "intermediate.dense.weight", "[95, 24]"),
        "a config of fewer layers": (config | {"num_hidden_layers": 1}, "encoder.layer.1.", "no place in the model"),
        "a config of another vocabulary": (config | {"vocab_size": 51}, "word_embeddings", "50 rows", "51"),
        "a config with relative positions": (config | {"position_embedding_type": "relative_key"}, "absolute"),
        "a config of a decoder": (config | {"is_decoder": True}, "only false"),
        "a config of more layers": (config | {"num_hidden_layers": 3}, "encoder.layer.2.", "no such tensor"),
        "a config with heads that do not divide": (config | {"num_attention_heads": 5}, "5 heads"),
        "a config of a million layers": (config | {"num_hidden_layers": 10 ** 6}, "no such tensor"),
        "a config with sizes beyond reason": (config | {"hidden_size": 2 ** 62}, "hidden_size"),
        "a config with half a head": (config | {"num_attention_heads": 1.5}, "num_attention_heads", "1.5"),
        "a config without a size": ({k: v for k, v in config.items() if k != "hidden_size"}, "hidden_size", "missing"),
        "a config of another model": (config | {"model_type": "t5"}, '"t5"', "bert, albert, gpt2"),
        "a config of another family": (config | {"model_type": "gpt2"}, "n_embd"),
        "a config with an unknown activation": (config | {"hidden_act": "mish"}, '"mish"'),
        "a config with a negative epsilon": (config | {"layer_norm_eps": -1e-12}, "layer_norm_eps"),
        "a config that is no JSON": ("{", "JSON"),
        "a config that is binary": (b"\0\xff\xfe", "JSON"),
        "no config": (None, "config.json", "no such file"),
    }
    for number, (words, (settings, *parts)) in enumerate(configs.items()):
        path = folder_of(root, f"config{number}", whole, settings)
        refused(words, (path, "--token-ids", "1,2"), os.path.dirname(path), *parts)

    good = folder_of(root, "good", whole)
    refused("a token beyond the vocabulary", (good, "--token-ids", "1,50"), "word_embeddings", "row 50", "there are 50")
    refused("more tokens than positions", (good, "--token-ids", ",".join("1" * (places + 1))), "position_embeddings",
            f"row {places}")
    np.save(os.path.join(root, "narrow.npy"), np.ones((3, dim - 1)))
    refused("vectors of another width", (good, "--input", os.path.join(root, "narrow.npy")), "narrow.npy", "3 x 23",
            "24 columns")
    refused("an absent checkpoint", (os.path.join(root, "good", "absent.safetensors"), "--token-ids", "1"),
            "absent.safetensors", "no such file")


def main():
    with tempfile.TemporaryDirectory() as root:
        parts = (check_checkpoint, check_architectures, check_arrays, check_archives, check_own_names,
                 check_malformed_arrays, check_malformed_checkpoints)
        for number, part in enumerate(parts):
            folder = os.path.join(root, str(number))
            os.mkdir(folder)
            part(folder)
    print(f"{failures} wrong" + ("" if can_limit else " (no limit on memory: the program takes too much of it)"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

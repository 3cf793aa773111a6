"""Makes the goldens of the language models with PyTorch and transformers.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install torch transformers safetensors
    /tmp/venv/bin/python test/models/goldens/make.py && npx biome check --write test/models/goldens

Per family: a randomly initialised tiny model in float32 as transformers saves it (`config.json`,
`model.safetensors`), and what it computes: `golden.json` has two rows of tokens, the mean cross entropy of each
next token and greedy continuations, `golden.safetensors` the logits and the gradients of some weights. nanochat is
not in transformers: `nanochat.py` writes it down from its description. The product never runs Python.
"""

import json
import os
import shutil

import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, GPT2Config, LlamaConfig, MistralConfig, Qwen2Config, Qwen3Config

from nanochat import Nanochat

HERE = os.path.dirname(os.path.abspath(__file__))
LENGTH = 24
NEW_TOKENS = 8
VOCABULARY = 97

SIZES = dict(
    vocab_size=VOCABULARY,
    hidden_size=32,
    intermediate_size=48,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=64,
    initializer_range=0.2,
    bos_token_id=None,
    eos_token_id=None,
    pad_token_id=None,
    attn_implementation="eager",
)
ATTENTION = ["self_attn.q_proj.weight", "self_attn.v_proj.weight", "input_layernorm.weight", "mlp.down_proj.weight"]


def llama_names(*more):
    return ["model.embed_tokens.weight", *[f"model.layers.0.{name}" for name in ATTENTION], "model.norm.weight", *more]


def rope(rope_type, **fields):
    return {"rope_type": rope_type, "rope_theta": 10000.0, **fields}


MODELS = {
    "gpt2": (
        GPT2Config(
            vocab_size=VOCABULARY, n_positions=64, n_embd=32, n_layer=2, n_head=4, initializer_range=0.2,
            bos_token_id=None, eos_token_id=None, attn_implementation="eager",
        ),
        ["transformer.wte.weight", "transformer.wpe.weight", "transformer.h.0.attn.c_attn.weight",
         "transformer.h.1.mlp.c_proj.bias", "transformer.ln_f.weight"],
    ),
    "gpt2-variant": (
        GPT2Config(
            vocab_size=VOCABULARY, n_positions=64, n_embd=32, n_layer=2, n_head=2, n_inner=40, initializer_range=0.2,
            activation_function="gelu", scale_attn_by_inverse_layer_idx=True, tie_word_embeddings=False,
            layer_norm_epsilon=1e-3, bos_token_id=None, eos_token_id=None, attn_implementation="eager",
        ),
        ["lm_head.weight", "transformer.h.1.attn.c_attn.bias", "transformer.h.0.ln_1.weight"],
    ),
    "llama": (LlamaConfig(**SIZES), llama_names("lm_head.weight")),
    # SmolLM2: tied embeddings, three queries to a key.
    "smollm2": (
        LlamaConfig(**{**SIZES, "num_attention_heads": 6, "num_key_value_heads": 2, "hidden_size": 48},
                    tie_word_embeddings=True, rope_parameters=rope("default", rope_theta=100000.0)),
        llama_names(),
    ),
    "llama-biases": (
        LlamaConfig(**SIZES, attention_bias=True, mlp_bias=True, head_dim=12, hidden_act="gelu_pytorch_tanh"),
        llama_names("model.layers.1.self_attn.o_proj.bias", "model.layers.1.mlp.up_proj.bias"),
    ),
    "llama-linear": (LlamaConfig(**SIZES, rope_parameters=rope("linear", factor=4.0)), llama_names()),
    "llama-dynamic": (
        LlamaConfig(**{**SIZES, "max_position_embeddings": 12}, rope_parameters=rope("dynamic", factor=2.0)),
        llama_names(),
    ),
    "llama3": (
        LlamaConfig(**SIZES, rope_parameters=rope(
            "llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16)),
        llama_names(),
    ),
    "llama-yarn": (
        LlamaConfig(**SIZES, head_dim=16, rope_parameters=rope(
            "yarn", factor=4.0, original_max_position_embeddings=64, beta_fast=4.0)),
        ["model.norm.weight"],
    ),
    "llama-yarn-variant": (
        LlamaConfig(**SIZES, head_dim=16, rope_parameters=rope(
            "yarn", factor=4.0, original_max_position_embeddings=64, beta_fast=4.0, beta_slow=0.5, truncate=False,
            mscale=1.0, mscale_all_dim=0.5)),
        ["model.norm.weight"],
    ),
    "qwen2": (
        Qwen2Config(**SIZES, tie_word_embeddings=True, rope_parameters=rope("default", rope_theta=1000000.0)),
        llama_names("model.layers.1.self_attn.k_proj.bias"),
    ),
    "qwen2-sliding": (
        Qwen2Config(**SIZES, use_sliding_window=True, sliding_window=7, max_window_layers=1),
        llama_names("model.layers.1.self_attn.q_proj.bias"),
    ),
    "qwen3": (
        Qwen3Config(**SIZES, head_dim=16, tie_word_embeddings=True),
        llama_names("model.layers.1.self_attn.q_norm.weight", "model.layers.1.self_attn.k_norm.weight"),
    ),
    "mistral": (MistralConfig(**SIZES, sliding_window=5), llama_names("lm_head.weight")),
}


def randomise(model, seed):
    """Norms and biases start at one and zero, where mistakes do not show: every weight is moved a little."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn(weight.shape, generator=generator) * 0.1)


def rows(seed, vocabulary=VOCABULARY):
    return torch.randint(0, vocabulary, (2, LENGTH), generator=torch.Generator().manual_seed(seed))


def golden(forward, parameters, names, tokens):
    continued = tokens[:, :LENGTH // 2]
    with torch.no_grad():
        # Whole rows each time: the reference for cached reading as well. Shorter rows come before longer ones,
        # because transformers' dynamic scaling remembers the longest row it has seen.
        for _ in range(NEW_TOKENS):
            continued = torch.cat([continued, forward(continued)[:, -1:].argmax(-1)], dim=1)
    logits = forward(tokens)
    loss = torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
    gradients = torch.autograd.grad(loss, [parameters[name] for name in names])
    facts = {"tokens": tokens.tolist(), "loss": loss.item(), "greedy": continued[:, LENGTH // 2:].tolist()}
    arrays = {"logits": logits.detach()}
    for key, gradient in zip(names, gradients):
        arrays[f"gradient {key}"] = gradient
    return facts, arrays


def write(name, golden):
    facts, arrays = golden
    write_json(name, "golden.json", facts)
    save_file(arrays, os.path.join(HERE, name, "golden.safetensors"))


def write_json(name, file, content):
    with open(os.path.join(HERE, name, file), "w") as stream:
        json.dump(content, stream, indent=2)
        stream.write("\n")


def make(name, config, names, seed, dtype=torch.float32, **saving):
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").float().eval()
    randomise(model, seed)
    model.to(dtype).save_pretrained(folder, **saving)
    # As others load it: halved numbers widened, everything else made anew in 32 bits.
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    if os.path.exists(os.path.join(folder, "generation_config.json")):
        os.remove(os.path.join(folder, "generation_config.json"))
    write(name, golden(lambda ids: model(ids, use_cache=False).logits, dict(model.named_parameters()), names, rows(seed)))


def make_nanochat(name, seed, names, **sizes):
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    model = Nanochat(**sizes)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for key, weight in model.parameters.items():
            spread = 0.5 if key.endswith("lambdas") or key.endswith("lambda") else 0.2
            weight.copy_(torch.randn(weight.shape, generator=generator) * spread)
    save_file({key: weight.detach() for key, weight in model.parameters.items()},
              os.path.join(folder, "model.safetensors"))
    write_json(name, "config.json", {"model_type": "nanochat", **sizes})
    write(name, golden(model.forward, model.parameters, names, rows(seed, sizes["vocab_size"])))


if __name__ == "__main__":
    for seed, (name, (config, names)) in enumerate(MODELS.items(), start=11):
        make(name, config, names, seed)
    # As large checkpoints are published: halved numbers, several files.
    make("smollm2-sharded", *MODELS["smollm2"], seed=31, dtype=torch.bfloat16, max_shard_size="20KB")
    common = ["transformer.wte.weight", "lm_head.weight", "resid_lambdas", "x0_lambdas", "smear_lambda",
              "backout_lambda", "smear_gate.weight", "transformer.h.1.attn.ve_gate.weight", "value_embeds.1.weight",
              "transformer.h.0.attn.c_q.weight", "transformer.h.0.attn.c_k.weight", "transformer.h.0.mlp.c_fc.weight"]
    # Rows are longer than the context, so that the windows show.
    make_nanochat("nanochat", 41, common, sequence_len=8, vocab_size=61, n_layer=2, n_head=2, n_kv_head=2,
                  n_embd=24, window_pattern="SSSL")
    make_nanochat("nanochat-grouped", 42, [name for name in common if ".1." not in name], sequence_len=10,
                  vocab_size=61, n_layer=3, n_head=4, n_kv_head=2, n_embd=24, window_pattern="LS")

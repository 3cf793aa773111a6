"""Makes the goldens of low-rank adapters with peft, on the bases that make.py made, and checks what we write.

    /tmp/venv/bin/pip install torch transformers safetensors peft
    /tmp/venv/bin/python test/models/goldens/makeLora.py && npx biome check --write test/models/goldens

Per adapter: `adapter_config.json` and `adapter_model.safetensors` as peft saves them, with a B that is not zero, and
what the adapted model computes: `golden.json` as make.py has it, `golden.safetensors` the logits, those of the merged
model, and the gradient of every A and B.

    node --import tsx test/models/goldens/saveLora.ts FOLDER
    /tmp/venv/bin/python test/models/goldens/makeLora.py --verify FOLDER

checks that peft loads the adapters, and transformers the merged models, that our code has written into a folder, and
that both compute what the goldens say.
"""

import json
import os
import shutil
import sys

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

from make import HERE, golden, rows, write_json

TOLERANCE = 1e-4

ADAPTERS = {
    "lora-llama": ("llama", LoraConfig(r=4, lora_alpha=8, lora_dropout=0.1, target_modules=["q_proj", "v_proj"])),
    # GPT-2's weights lie the other way round, and its embeddings are tied.
    "lora-gpt2": ("gpt2", LoraConfig(r=3, lora_alpha=16, target_modules=["c_attn", "mlp.c_proj"])),
    "lora-all-linear": ("smollm2", LoraConfig(
        r=4, lora_alpha=8, use_rslora=True, target_modules="all-linear", exclude_modules=["k_proj"],
        rank_pattern={"down_proj": 2, "layers.1.self_attn.q_proj": 6}, alpha_pattern={"self_attn.[qv]_proj": 3})),
    "lora-layers": ("qwen2", LoraConfig(
        r=2, lora_alpha=2, target_modules=["q_proj", "up_proj"], layers_to_transform=[1], layers_pattern="layers",
        init_lora_weights="gaussian")),
    "lora-pattern": ("llama", LoraConfig(r=2, lora_alpha=6, target_modules=r".*\.0\.(self_attn\.o|mlp\.gate)_proj")),
}


def base_model(name):
    folder = os.path.join(HERE, name)
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()


def forward_of(model):
    return lambda ids: model(ids, use_cache=False).logits


def make(name, base, config, seed):
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    torch.manual_seed(seed)
    config.task_type = "CAUSAL_LM"
    model = get_peft_model(base_model(base), config).eval()
    generator = torch.Generator().manual_seed(seed)
    adapters = {key: weight for key, weight in model.named_parameters() if weight.requires_grad}
    with torch.no_grad():
        for weight in adapters.values():
            weight.add_(torch.randn(weight.shape, generator=generator) * 0.1)
    model.save_pretrained(folder)
    os.remove(os.path.join(folder, "README.md"))
    with open(os.path.join(folder, "adapter_config.json")) as stream:
        saved = json.load(stream)
    # peft writes sets in an order that changes.
    if isinstance(saved["target_modules"], list):
        saved["target_modules"].sort()
    write_json(name, "adapter_config.json", {**saved, "base_model_name_or_path": base})

    tokens = rows(seed)
    facts, arrays = golden(forward_of(model), adapters, list(adapters), tokens)
    arrays = {key.replace("base_model.model.", "").replace(".default.", "."): array for key, array in arrays.items()}
    with torch.no_grad():
        arrays["merged logits"] = forward_of(model.merge_and_unload())(tokens)
    write_json(name, "golden.json", {"base": base, **facts})
    save_file(arrays, os.path.join(folder, "golden.safetensors"))


def verify(written):
    worst = 0.0
    for name, (base, _) in ADAPTERS.items():
        with open(os.path.join(HERE, name, "golden.json")) as stream:
            tokens = torch.tensor(json.load(stream)["tokens"])
        expected = load_file(os.path.join(HERE, name, "golden.safetensors"))["logits"]
        adapted = PeftModel.from_pretrained(base_model(base), os.path.join(written, name, "adapter")).eval()
        merged = base_model(os.path.abspath(os.path.join(written, name, "merged")))
        for kind, model in (("adapter", adapted), ("merged", merged)):
            with torch.no_grad():
                distance = (forward_of(model)(tokens) - expected).abs().max().item()
            print(f"{name} {kind}: {distance:.1e}")
            worst = max(worst, distance)
    sys.exit(0 if worst < TOLERANCE else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--verify"]:
        verify(sys.argv[2])
    for seed, (name, (base, config)) in enumerate(ADAPTERS.items(), start=61):
        make(name, base, config, seed)

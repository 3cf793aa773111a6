"""Makes tinyLlama: a llama with 0.13 million weights and two tokenizers, for goldens of whole evaluations.

It is trained for a minute on rows of the reference folder, so that its answers have letters, numbers and line ends
and stop where answers stop. `bytes` is a byte-level tokenizer without a begin token of its own, as SmolLM2's;
`metaspace` one that puts a begin token and a blank in front of each text, as Llama's.
PARITY_DATA=... python tiny_llama.py (torch, transformers, tokenizers)
"""
import pathlib
import shutil

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from reference_rows import BENCH, arc, rows

OUT = pathlib.Path(__file__).parent / "tinyLlama"
VOCABULARY = 768
LENGTH = 1024
STEPS = 400


def texts():
    for name in ("Easy", "Challenge"):
        for row in arc(name)["train"]:
            choices = row["choices"]["text"]
            gold = choices[row["choices"]["label"].index(row["answerKey"])]
            yield f"Question: {row['question']}\nAnswer: {gold}"
    for row in rows(BENCH / "gsm8k" / "train.jsonl.gz")[:3000]:
        yield f"Question: {row['question']}\nAnswer: {row['answer']}"
    for place, row in enumerate(rows(BENCH / "piqa" / "valid.jsonl.gz")):
        solutions = [row["sol1"], row["sol2"]]
        yield f"Question: {row['goal']}\nA. {row['sol1']}\nB. {row['sol2']}\nAnswer: {'AB'[place % 2]}\n\n{solutions[0]}"


def byte_level(found):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(found, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<|endoftext|>", eos_token="<|endoftext|>", model_max_length=LENGTH
    )


def metaspace(found):
    tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    special = ["<unk>", "<s>", "</s>"]
    pieces = [f"<0x{byte:02X}>" for byte in range(256)]
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=special + pieces, show_progress=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=True)
    tokenizer.train_from_iterator([text.split("\n")[0] for text in found], trainer)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>", model_max_length=LENGTH
    )


def trained(tokenizer, found):
    torch.manual_seed(1)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=VOCABULARY,
            hidden_size=64,
            intermediate_size=160,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=LENGTH,
            tie_word_embeddings=True,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
        )
    )
    end = tokenizer.eos_token_id
    order = torch.randperm(len(found)).tolist()
    # An end in three, else a further question: both stand behind an answer in prompts.
    stream = []
    for place, text in enumerate(order):
        stream += tokenizer(found[text])["input_ids"] + ([end] if place % 3 == 0 else tokenizer("\n\n")["input_ids"])
    stream = torch.tensor(stream)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=STEPS)
    for step in range(STEPS):
        starts = torch.randint(0, len(stream) - 257, (16,))
        tokens = torch.stack([stream[start : start + 256] for start in starts])
        loss = model(input_ids=tokens, labels=tokens).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 50 == 0:
            print(step, round(loss.item(), 3), flush=True)
    return model.eval()


torch.set_num_threads(1)
found = list(texts())
shutil.rmtree(OUT, ignore_errors=True)
tokenizers = {"bytes": byte_level(found), "metaspace": metaspace(found)}
trained(tokenizers["bytes"], found).save_pretrained(OUT)
(OUT / "generation_config.json").unlink(missing_ok=True)
for name, tokenizer in tokenizers.items():
    tokenizer.save_pretrained(OUT / name)
    print(name, len(tokenizer), tokenizer.tokenize("Question: What is it?\nAnswer: A 12"))

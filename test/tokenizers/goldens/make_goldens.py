"""Makes goldens.json: what other implementations say. Needs tokenizers 0.23, tiktoken 0.14 and jinja2 3.1.

    python make_goldens.py <chat templates as JSON> > goldens.json

The argument is a file with {name: template}; chatTemplates.ts beside it is where they come from.
"""

import json
import sys
from pathlib import Path

import tiktoken
from jinja2.exceptions import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

HERE = Path(__file__).parent
CORPUS = (HERE / "corpus.txt").read_text(encoding="utf-8")
GPT2 = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
NANOCHAT = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,2}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"""
)
SAMPLES = [
    "",
    "a",
    " ",
    "Four score and seven years ago",
    "the people, by the people; for THE PEOPLE'S nation isn't -- can't -- WE'LL 1863",
    "größere Übermaße — naïve café",
    "ещё булок, мягких",
    "いろは 漢字 😀👩‍👩‍👧 x",
    "line\r\nline\n\n\n  indented\t\ttabs   \n",
    "nonbreaking\u00a0space\u3000wide\u2028line\u0085next",
    "e\u0301 decomposed A\u030a",
    "12345 3.14 ½ Ⅷ",
    "<|end|>inside<|end|> the <|end|>",
    "\ufeffmark first",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
]


def train(pattern, size):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=2,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator([CORPUS], trainer)
    tokenizer.add_special_tokens([AddedToken("<|end|>", special=True, normalized=False)])
    return tokenizer


def encoded(tokenizer):
    out = []
    for text in SAMPLES:
        encoding = tokenizer.encode(text, add_special_tokens=False)
        # Offsets count code points here.
        out.append({"text": text, "ids": encoding.ids, "offsets": encoding.offsets})
    return out


def byte_order(tokenizer):
    """The merges of a byte-level tokenizer as lists of bytes."""
    table = {}
    visible = [b for b in range(256) if 33 <= b <= 126 or 161 <= b <= 172 or b >= 174]
    extra = 256
    for byte in range(256):
        if byte in visible:
            table[chr(byte)] = byte
        else:
            table[chr(extra)] = byte
            extra += 1
    vocabulary = tokenizer.get_vocab(with_added_tokens=False)
    ordered = sorted(vocabulary, key=vocabulary.get)
    return [bytes(table[c] for c in token) for token in ordered]


def ranks(tokens):
    encoding = tiktoken.Encoding(
        name="golden",
        pat_str=NANOCHAT,
        mergeable_ranks={token: rank for rank, token in enumerate(tokens)},
        special_tokens={"<|end|>": len(tokens)},
    )
    return [
        {
            "text": text,
            "parsed": encoding.encode(text, allowed_special="all"),
            "plain": encoding.encode_ordinary(text),
        }
        for text in SAMPLES
    ]


def word_pieces():
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "people", "'", "##s", "na", "##tion", "nation", "cafe", "is", ",", "."]
    tokenizer = Tokenizer(models.WordPiece({t: i for i, t in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(cleanup=False)
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    return tokenizer


def sentence_pieces():
    base = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)]
    pieces = ["▁", "t", "h", "e", "p", "o", "l", "th", "the", "▁the", "pe", "▁p", "▁pe", "ople", "pl", "ple", "ople"]
    vocabulary = {}
    for token in base + pieces:
        vocabulary.setdefault(token, len(vocabulary))
    merges = [("t", "h"), ("th", "e"), ("▁", "the"), ("p", "l"), ("pl", "e"), ("o", "ple"), ("▁", "p"), ("▁p", "e")]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.add_special_tokens(["<unk>", "<s>", "</s>"])
    return tokenizer


def chats(templates):
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)

    def refuse(reason):
        raise TemplateError(reason)

    environment.globals["raise_exception"] = refuse
    conversations = {
        "short": [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello!"}],
        "long": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "  Why? "},
            {"role": "assistant", "content": "<think>\nhm\n</think>\n\nBecause."},
            {"role": "user", "content": "Because."},
            {"role": "assistant", "content": "Because.\n"},
        ],
    }
    out = []
    for name, template in templates.items():
        compiled = environment.from_string(template)
        for conversation, messages in conversations.items():
            for prompt in (False, True):
                try:
                    text = compiled.render(
                        messages=messages, add_generation_prompt=prompt, bos_token="<bos>", eos_token="<eos>"
                    )
                except TemplateError:
                    text = None
                out.append({"template": name, "conversation": conversation, "prompt": prompt, "text": text})
    return {"conversations": conversations, "rendered": out}


def main():
    gpt2, nanochat = train(GPT2, 420), train(NANOCHAT, 420)
    words, pieces = word_pieces(), sentence_pieces()
    decode = lambda tokenizer, texts: [
        {
            "text": text,
            "ids": (e := tokenizer.encode(text, add_special_tokens=False)).ids,
            "offsets": e.offsets,
            "decoded": tokenizer.decode(e.ids, skip_special_tokens=False),
        }
        for text in texts
    ]
    document = {
        "gpt2": {"tokenizer": json.loads(gpt2.to_str()), "encoded": encoded(gpt2)},
        "nanochat": {"tokenizer": json.loads(nanochat.to_str()), "encoded": encoded(nanochat)},
        "ranks": ranks(byte_order(nanochat)),
        "wordPiece": {
            "tokenizer": json.loads(words.to_str()),
            "encoded": decode(words, ["The people's nation, the  Café.", "zebra the", "nations is [SEP] people"]),
        },
        "sentencePiece": {
            "tokenizer": json.loads(pieces.to_str()),
            "encoded": decode(pieces, ["the people", "the é😀 the"]),
        },
        "chat": chats(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))),
    }
    json.dump(document, sys.stdout, ensure_ascii=True, separators=(",", ":"))


main()

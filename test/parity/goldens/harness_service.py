"""Writes harness_service.json: scores that lm-evaluation-harness gets from an Elenchus service.

Its `local-completions` model asks `/v1/completions` with its own tokenizer, for echoes with log probabilities and for
texts, where harness_scores.py computes the same weights itself. Per task: all metrics, and per document what was
answered. Start the service and run this with lm_eval from PyPI:

    elenchus serve --set 'service.models=[{ name = "tiny", reference = "FOLDER" }]'
    PARITY_DATA=... python harness_service.py http://127.0.0.1:8321

FOLDER holds the files of tinyLlama with those of tinyLlama/bytes beside them.
"""
import importlib.metadata
import json
import sys

from lm_eval.models.openai_completions import LocalCompletionsAPI

from harness_scores import CASES, HERE, scores

ASKED = [("arc_easy", 0), ("arc_easy", 5), ("hellaswag", 3), ("piqa", 0), ("winogrande", 0), ("lambada_openai", 0),
         ("wikitext", 0), ("gsm8k", 0)]

config = json.loads((HERE / "tinyLlama" / "config.json").read_text())
lm = LocalCompletionsAPI(
    base_url=f"{sys.argv[1]}/v1/completions",
    model="tiny",
    tokenizer_backend="huggingface",
    tokenizer=str(HERE / "tinyLlama" / "bytes"),
    tokenized_requests=True,
    # It takes one token less than it is told, so that a service has room for the token that it generates.
    max_length=config["max_position_embeddings"] + 1,
    batch_size=8,
    num_concurrent=1,
    max_retries=1,
)
found = []
for case in CASES:
    if (case[0], case[3]) in ASKED:
        one = {"task": case[0], "tokenizer": "bytes", "shots": case[3], "limit": case[4], **scores(lm, *case)}
        print(case[0], case[3], one["metrics"], flush=True)
        found.append(one)
head = json.dumps({"lm_eval": importlib.metadata.version("lm_eval"), "cases": []})
body = ",\n".join(json.dumps(one) for one in found)
(HERE / "harness_service.json").write_text(head.replace('"cases": []', f'"cases": [\n{body}\n]') + "\n")

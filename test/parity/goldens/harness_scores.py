"""Writes harness_scores.json: scores that lm-evaluation-harness gives to the weights of tinyLlama.

Its own task files and its own transformers back end, with the first rows of the reference folder in place of the
hub's. Per task, shots and tokenizer: all metrics, and per document what the model answered: log-likelihoods with
their greedy flags, or texts. IFEval's sentences are split with the parameters of the reference folder, which are
those that NLTK would fetch; SQuAD is scored by the script that `evaluate` would fetch, as transformers before 5 has
it: SQUAD_METRICS names its data/metrics/squad_metrics.py.
Run with lm_eval, langdetect and immutabledict from PyPI: PARITY_DATA=... SQUAD_METRICS=... python harness_scores.py
With names of tasks, only those are made anew.
"""
import importlib.metadata
import json
import os
import pathlib
import re
import sys
import tempfile
import types

import lm_eval.tasks
import nltk
import torch
from datasets import Dataset, DatasetDict
from lm_eval.api.task import ConfigurableTask
from lm_eval.evaluator import evaluate
from lm_eval.models.huggingface import HFLM
from lm_eval.tasks._yaml_loader import load_yaml
from transformers import AutoTokenizer, LlamaForCausalLM

from reference_rows import BENCH, arc, boolq, ifeval, lines, mmlu, openbookqa, pages, punkt, rows, truthfulqa, twice, winogrande

HERE = pathlib.Path(__file__).parent
TASKS = pathlib.Path(lm_eval.tasks.__file__).parent
DRAWS = 1000

PIQA = twice(BENCH / "piqa" / "valid.jsonl.gz")
HELLASWAG = twice(BENCH / "hellaswag" / "validation-raw-1000.jsonl.gz")
GSM8K = {split: rows(BENCH / "gsm8k" / f"{split}.jsonl.gz") for split in ("train", "test")}
LAMBADA = {"test": rows(BENCH / "lambada" / "openai_test.jsonl.gz")}
# The sample has no titles.
SQUAD = {
    split: [{**row, "title": "A passage"} for row in content]
    for split, content in twice(BENCH / "squad2" / "validation-sample500.jsonl.gz").items()
}
STANDARD = lines(BENCH / "lambada" / "standard_test.txt.gz")

# Its own 1,280 are more than the model can read at once, which the harness refuses.
IFEVAL_TOKENS = 200

# Task, its file, rows, shots, documents.
CASES = [
    ("arc_easy", "arc/arc_easy.yaml", arc("Easy"), 0, 50),
    ("arc_easy", "arc/arc_easy.yaml", arc("Easy"), 5, 30),
    ("arc_challenge", "arc/arc_challenge.yaml", arc("Challenge"), 0, 50),
    ("arc_challenge", "arc/arc_challenge.yaml", arc("Challenge"), 25, 10),
    ("hellaswag", "hellaswag/hellaswag.yaml", HELLASWAG, 0, 50),
    ("hellaswag", "hellaswag/hellaswag.yaml", HELLASWAG, 3, 20),
    ("piqa", "piqa/piqa.yaml", PIQA, 0, 50),
    ("piqa", "piqa/piqa.yaml", PIQA, 3, 30),
    ("winogrande", "winogrande/default.yaml", winogrande(), 0, 50),
    ("winogrande", "winogrande/default.yaml", winogrande(), 5, 30),
    ("openbookqa", "openbookqa/openbookqa.yaml", openbookqa(), 0, 50),
    ("openbookqa", "openbookqa/openbookqa.yaml", openbookqa(), 2, 30),
    ("boolq", "super_glue/boolq/default.yaml", boolq(), 0, 30),
    ("boolq", "super_glue/boolq/default.yaml", boolq(), 2, 20),
    ("mmlu_anatomy", "mmlu/default/mmlu_anatomy.yaml", mmlu("anatomy"), 0, 30),
    ("mmlu_anatomy", "mmlu/default/mmlu_anatomy.yaml", mmlu("anatomy"), 5, 20),
    ("lambada_openai", "lambada/lambada_openai.yaml", LAMBADA, 0, 30),
    ("lambada_openai", "lambada/lambada_openai.yaml", LAMBADA, 2, 20),
    ("lambada_standard", "lambada/lambada_standard.yaml", STANDARD, 0, 30),
    ("wikitext", "wikitext/wikitext.yaml", {"train": pages(), "validation": pages(), "test": pages()}, 0, 4),
    ("truthfulqa_mc1", "truthfulqa/truthfulqa_mc1.yaml", truthfulqa(), 0, 30),
    ("truthfulqa_mc2", "truthfulqa/truthfulqa_mc2.yaml", truthfulqa(), 0, 30),
    ("gsm8k", "gsm8k/gsm8k.yaml", GSM8K, 0, 20),
    ("gsm8k", "gsm8k/gsm8k.yaml", GSM8K, 5, 10),
    ("ifeval", "ifeval/ifeval.yaml", {"train": ifeval()}, 0, 12),
    ("squadv2", "squadv2/squadv2.yaml", SQUAD, 0, 30),
    ("squadv2", "squadv2/squadv2.yaml", SQUAD, 1, 16),
]
# What a begin token, and a blank in front of each text, could change.
METASPACE = [case for case in CASES if case[0] in ("arc_easy", "winogrande", "lambada_openai", "wikitext", "gsm8k")]


def squad_task(splits, shots):
    """The task that its file names by a class, which fetches its rows itself."""
    from lm_eval.tasks.squadv2 import task as squadv2

    class Local(squadv2.SQuAD2):
        def download(self, *args, **kwargs):
            self.dataset = DatasetDict({split: Dataset.from_list(content) for split, content in splits.items()})

        # The harness hands over more than the class takes at this version, and cannot run it as it stands.
        def doc_to_text(self, doc, *rest):
            return super().doc_to_text(doc)

        def doc_to_target(self, doc, *rest):
            return super().doc_to_target(doc)

    squadv2._squad_metric = squad_metric
    task = Local()
    task.set_config(key="num_fewshot", value=shots)
    task.set_fewshot_seed(1234)
    return task


def squad_metric(predictions, references):
    source = pathlib.Path(os.environ["SQUAD_METRICS"]).read_text("utf-8")
    script = types.ModuleType("squad_metrics")
    source = re.sub(r"from \.\.\.\S+ import (\w+)", r"\1 = __import__('logging')", source)
    exec(source.replace("logging.get_logger", "logging.getLogger"), script.__dict__)
    examples = [
        types.SimpleNamespace(qas_id=one["id"], answers=[{"text": text} for text in one["answers"]["text"]])
        for one in references
    ]
    texts = {one["id"]: one["prediction_text"] for one in predictions}
    unanswerable = {one["id"]: one["no_answer_probability"] for one in predictions}
    return script.squad_evaluate(examples, texts, unanswerable)


def load(name, path, splits, shots, limit):
    if name == "squadv2":
        return squad_task(splits, shots)
    config = load_yaml(TASKS / path, resolve_func=True)
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for split, content in splits.items():
            files[split] = f"{folder}/{split}.jsonl"
            with open(files[split], "w", encoding="utf-8") as out:
                out.writelines(json.dumps(row) + "\n" for row in content)
        config.update(dataset_path="json", dataset_name=None, dataset_kwargs={"data_files": files})
        config["num_fewshot"] = shots
        config.pop("tag", None)
        config.pop("group", None)
        if name == "ifeval":
            config["generation_kwargs"]["max_gen_toks"] = IFEVAL_TOKENS
        task = ConfigurableTask(config=config)
        task.set_fewshot_seed(1234)
        return task


def short(value):
    return float(f"{value:.9g}") if isinstance(value, float) else value


def answer(response):
    """A text, a log-likelihood, or that with whether it is the greedy answer."""
    if isinstance(response, str):
        return response
    if isinstance(response, (tuple, list)):
        return [short(float(response[0])), bool(response[1])]
    return short(float(response))


def scores(lm, name, path, splits, shots, limit):
    task = load(name, path, splits, shots, limit)
    found = evaluate(
        lm,
        {"tasks": {name: task}, "groups": {}, "group_map": {}},
        limit=limit,
        bootstrap_iters=DRAWS,
        log_samples=True,
    )
    # One entry for each filter.
    filters = {one["filter"] for one in found["samples"][name]}
    samples = [one for one in found["samples"][name] if one["filter"] == sorted(filters)[0]]
    samples.sort(key=lambda one: one["doc_id"])
    metrics = {
        key: short(value)
        for key, value in found["results"][name].items()
        if isinstance(value, (int, float)) and "," in key
    }
    return {"metrics": metrics, "answers": [[answer(one[0]) for one in sample["resps"]] for sample in samples]}


if __name__ == "__main__":
    torch.set_num_threads(1)
    nltk.data.find = lambda *args, **kwargs: True
    SENTENCES = punkt()
    nltk.word_tokenize = lambda text: [
        word
        for sentence in SENTENCES.tokenize(text)
        for word in nltk.tokenize.NLTKWordTokenizer().tokenize(sentence)
    ]
    nltk.data.load = lambda *args, **kwargs: SENTENCES
    wanted = set(sys.argv[1:])
    known = json.loads((HERE / "harness_scores.json").read_text("utf-8"))["cases"] if wanted else []
    model = LlamaForCausalLM.from_pretrained(HERE / "tinyLlama", dtype=torch.float32)
    golden = []
    for kind, cases in (("bytes", CASES), ("metaspace", METASPACE)):
        lm = HFLM(pretrained=model, tokenizer=AutoTokenizer.from_pretrained(HERE / "tinyLlama" / kind), batch_size=8)
        for case in cases:
            if wanted and case[0] not in wanted:
                same = {"task": case[0], "tokenizer": kind, "shots": case[3]}
                golden.append(next(one for one in known if same.items() <= one.items()))
                continue
            one = {"task": case[0], "tokenizer": kind, "shots": case[3], "limit": case[4], **scores(lm, *case)}
            if case[0] == "ifeval":
                one["max_new_tokens"] = IFEVAL_TOKENS
            print(kind, case[0], case[3], one["metrics"], flush=True)
            golden.append(one)
    head = json.dumps({"lm_eval": importlib.metadata.version("lm_eval"), "bootstrap_draws": DRAWS, "cases": []})
    body = ",\n".join(json.dumps(one) for one in golden)
    (HERE / "harness_scores.json").write_text(head.replace('"cases": []', f'"cases": [\n{body}\n]') + "\n")

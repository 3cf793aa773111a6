"""Writes lighteval_scores.json: scores that lighteval gives to the weights of tinyLlama.

Its own pipeline, tasks and transformers back end, with the rows of the reference folder in place of the hub's: a
split that the folder lacks is neither evaluated nor a pool of examples. Per task, shots and tokenizer: all metrics,
and per document, in the order of evaluation, what the model answered. Sentences are split with the parameters of
the reference folder, which are those that NLTK would fetch.
Run with lighteval, langdetect and immutabledict from PyPI: PARITY_DATA=... python lighteval_scores.py
"""
import importlib.metadata
import json
import os
import pathlib
import shutil
import sys
import tempfile
import types

import lighteval.tasks.lighteval_task as lighteval_task
import nltk
import torch
from datasets import Dataset, DatasetDict
from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.models.model_input import GenerationParameters
from lighteval.models.transformers.transformers_model import TransformersModelConfig
from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
from transformers import AutoTokenizer

from reference_rows import BENCH, arc, boolq, ifeval, lines, mmlu, openbookqa, punkt, rows, truthfulqa, winogrande

HERE = pathlib.Path(__file__).resolve().parent


def boolq_helm():
    return [
        {"passage": row["passage"], "question": row["question"] + "?", "answer": ["No", "Yes"][row["label"]]}
        for row in boolq()["validation"]
    ]


def only(split, content):
    return {split: content}


PIQA = only("validation", rows(BENCH / "piqa" / "valid.jsonl.gz"))
HELLASWAG = only("validation", rows(BENCH / "hellaswag" / "validation-raw-1000.jsonl.gz"))
GSM8K = {split: rows(BENCH / "gsm8k" / f"{split}.jsonl.gz") for split in ("train", "test")}
BOOK = only("test", openbookqa()["test"])
WINOGRANDE = only("validation", winogrande()["validation"])
BOOLQ = only("validation", boolq_helm())
STANDARD = only("test", lines(BENCH / "lambada" / "standard_test.txt.gz")["test"])
SQUAD = only("validation", rows(BENCH / "squad2" / "validation-sample500.jsonl.gz"))

# Its task, ours, rows, shots, documents.
CASES = [
    ("ifeval", "ifeval", only("train", ifeval()), 0, 12),
    ("hellaswag", "hellaswag", HELLASWAG, 0, 40),
    ("hellaswag", "hellaswag", HELLASWAG, 2, 20),
    ("arc:easy", "arc_easy", arc("Easy"), 0, 50),
    ("arc:easy", "arc_easy", arc("Easy"), 5, 30),
    ("arc:challenge", "arc_challenge", arc("Challenge"), 0, 50),
    ("arc:challenge", "arc_challenge", arc("Challenge"), 3, 30),
    ("piqa", "piqa", PIQA, 0, 40),
    ("piqa", "piqa", PIQA, 3, 20),
    ("openbookqa", "openbookqa", BOOK, 0, 40),
    ("openbookqa", "openbookqa", BOOK, 2, 20),
    ("boolq", "boolq", BOOLQ, 0, 20),
    ("winogrande", "winogrande", WINOGRANDE, 0, 50),
    ("winogrande", "winogrande", WINOGRANDE, 3, 30),
    ("mmlu:anatomy", "mmlu_anatomy", mmlu("anatomy"), 0, 30),
    ("mmlu:anatomy", "mmlu_anatomy", mmlu("anatomy"), 5, 20),
    ("lambada:standard", "lambada_standard", STANDARD, 0, 30),
    ("lambada:standard_cloze", "lambada_standard_cloze", STANDARD, 0, 30),
    ("truthfulqa:mc", "truthfulqa_mc", truthfulqa(), 0, 30),
    ("gsm8k", "gsm8k", GSM8K, 0, 20),
    ("gsm8k", "gsm8k", GSM8K, 1, 10),
    ("squad_v2", "squad_v2", SQUAD, 0, 10),
]
# What a begin token, and a blank in front of each text, could change.
METASPACE = [
    case for case in CASES if case[1] in ("arc_easy", "hellaswag", "piqa", "winogrande", "lambada_standard")
]

CLASS_INIT = lighteval_task.LightevalTask.__init__
chosen = {}


def with_these_splits(self, config):
    config.hf_avail_splits = list(chosen["splits"])
    config.evaluation_splits = [split for split in config.evaluation_splits if split in chosen["splits"]]
    if config.few_shots_split not in chosen["splits"]:
        config.few_shots_split = None
    CLASS_INIT(self, config)


def local_rows(path, name=None, revision=None):
    return DatasetDict({split: Dataset.from_list(content) for split, content in chosen["splits"].items()})


def short(value):
    return float(f"{value:.9g}")


def cut_prompts(prompts, details):
    """Places of documents whose prompts have lost their beginning though the model would have read more.

    Lighteval cuts to the tokens of the document with the longest query, examples left out, and its answer: what is
    answered then depends on which other documents are evaluated.
    """
    tokenizer = AutoTokenizer.from_pretrained("tiny")
    return [
        place
        for place, one in enumerate(details)
        if one.model_response.text
        and len(one.model_response.input_tokens)
        < min(len(tokenizer(prompts.prepare_prompt(one.doc))["input_ids"]), tokenizer.model_max_length)
    ]


def scores(kind, theirs, splits, shots, limit):
    chosen["splits"] = splits
    with tempfile.TemporaryDirectory() as folder:
        # Answers are kept beside the model, by its path.
        os.chdir(folder)
        shutil.copytree(HERE / "tinyLlama", "tiny")
        for file in (HERE / "tinyLlama" / kind).iterdir():
            shutil.copy(file, "tiny")
        pipeline = Pipeline(
            tasks=f"{theirs}|{shots}",
            pipeline_parameters=PipelineParameters(
                launcher_type=ParallelismManager.ACCELERATE, max_samples=limit, bootstrap_iters=1000
            ),
            evaluation_tracker=EvaluationTracker(output_dir=f"{folder}/results", save_details=False),
            model_config=TransformersModelConfig(
                model_name="tiny",
                batch_size=1,
                dtype="float32",
                device="cpu",
                cache_dir=f"{folder}/cache",
                generation_parameters=GenerationParameters(temperature=0),
            ),
        )
        pipeline.evaluate()
        full = next(key for key in pipeline.evaluation_tracker.metrics_logger.metric_aggregated if key != "all")
        metrics = pipeline.evaluation_tracker.metrics_logger.metric_aggregated[full]
        details = pipeline.evaluation_tracker.details_logger.details[full]
        cut = cut_prompts(pipeline.model.prompt_manager, details)
        answers = [
            one.model_response.text[0]
            if one.model_response.text
            else [short(value) for value in one.model_response.logprobs]
            for one in details
        ]
    return {"metrics": {key: short(float(value)) for key, value in metrics.items()}, "cut": cut, "answers": answers}


torch.set_num_threads(1)
lighteval_task.LightevalTask.__init__ = with_these_splits
lighteval_task.load_dataset = local_rows
# All tasks are read whatever is evaluated, and these ask the network for something when they are.
for absent in ("tiny_benchmarks", "mt_bench.main", "mix_eval.main", "hle.main", "simpleqa"):
    sys.modules[f"lighteval.tasks.tasks.{absent}"] = types.SimpleNamespace(TASKS_TABLE=[])
import lighteval.tasks.tasks.boolq as boolq_tasks  # noqa: E402
import lighteval.tasks.tasks.ifeval.instructions_utils as instructions_utils  # noqa: E402

# Its name also stands for a task with other rows.
boolq_tasks.TASKS_TABLE = [one for one in boolq_tasks.TASKS_TABLE if one.name == "boolq"]

SENTENCES = punkt()
instructions_utils._get_sentence_tokenizer = lambda: SENTENCES
nltk.word_tokenize = lambda text: [
    word
    for sentence in SENTENCES.tokenize(text)
    for word in nltk.tokenize.NLTKWordTokenizer().tokenize(sentence)
]
golden = []
for kind, cases in (("bytes", CASES), ("metaspace", METASPACE)):
    for theirs, ours, splits, shots, limit in cases:
        found = scores(kind, theirs, splits, shots, limit)
        golden.append({"task": ours, "tokenizer": kind, "shots": shots, "limit": limit, **found})
        print(kind, ours, shots, found["metrics"], found["cut"], flush=True)
head = json.dumps({"lighteval": importlib.metadata.version("lighteval"), "bootstrap_draws": 1000, "cases": []})
body = ",\n".join(json.dumps(one) for one in golden)
(HERE / "lighteval_scores.json").write_text(head.replace('"cases": []', f'"cases": [\n{body}\n]') + "\n")

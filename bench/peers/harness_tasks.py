"""Documents per second of lm-evaluation-harness, one thread.

usage: harness_tasks.py FOLDER
The folder holds a model with its tokenizer, and plans.json with the tasks of bench/benchmarks.ts and their rows. Its
own task files are used, with these rows in place of the hub's. Seconds are those of the processor, for building
requests, answering and scoring. Prints one line of JSON.
"""

import json
import logging
import os
import sys
import tempfile
import time

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from lm_eval import tasks
from lm_eval.api.task import ConfigurableTask
from lm_eval.evaluator import evaluate
from lm_eval.models.huggingface import HFLM
from lm_eval.tasks._yaml_loader import load_yaml
from transformers import AutoModelForCausalLM, AutoTokenizer

TASKS = os.path.dirname(tasks.__file__)


def task_of(plan, new_tokens):
    config = load_yaml(os.path.join(TASKS, plan["file"]))
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for split, content in plan["splits"].items():
            files[split] = f"{folder}/{split}.jsonl"
            with open(files[split], "w", encoding="utf-8") as out:
                out.writelines(json.dumps(row) + "\n" for row in content)
        config.update(dataset_path="json", dataset_name=None, dataset_kwargs={"data_files": files})
        config["num_fewshot"] = plan["shots"]
        config.pop("tag", None)
        if "generation_kwargs" in config:
            config["generation_kwargs"]["max_gen_toks"] = new_tokens
        task = ConfigurableTask(config=config)
    task.set_fewshot_seed(1234)
    return task


def run(lm, plan, new_tokens, limit):
    name = plan["task"]
    chosen = {"tasks": {name: task_of(plan, new_tokens)}, "groups": {}, "group_map": {}}
    start = time.process_time()
    found = evaluate(lm, chosen, limit=limit, bootstrap_iters=0, log_samples=False)
    seconds = time.process_time() - start
    metrics = {key: value for key, value in found["results"][name].items() if isinstance(value, float)}
    return limit / seconds, metrics


def main():
    folder = sys.argv[1]
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    with open(f"{folder}/plans.json", encoding="utf-8") as file:
        given = json.load(file)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    results = []
    for plan in given["plans"]:
        rates = {}
        # Its default, and what is best of 4, 8 and 16 for most of these tasks on a processor.
        for batch_size in (1, 16 if plan["kind"] == "generation" else 8):
            lm = HFLM(pretrained=model, tokenizer=AutoTokenizer.from_pretrained(folder), batch_size=batch_size)
            run(lm, plan, given["new_tokens"], 2)
            rates[batch_size], metrics = run(lm, plan, given["new_tokens"], plan["limit"])
        default, *others = rates.values()
        results.append({"default_documents_s": default, "best_documents_s": max(default, *others), "metrics": metrics})
    print(json.dumps(results))


main()

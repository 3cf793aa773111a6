"""Runs tasks in lm-evaluation-harness, one thread.

usage: harness_tasks.py FOLDER
The folder holds a model with its tokenizer, and plans.json with the tasks of bench/benchmarks.ts and their rows. Its
own task files are used, with these rows in place of the hub's. For each line of standard input, a plan by its place
and a batch size, prints one line of JSON: seconds of the processor and of the clock, for building requests, answering
and scoring, and metrics. The first run of a plan and batch size has a warm-up before it.
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
    start, wall = time.process_time(), time.perf_counter()
    found = evaluate(lm, chosen, limit=limit, bootstrap_iters=0, log_samples=False)
    seconds, wall = time.process_time() - start, time.perf_counter() - wall
    metrics = {key: value for key, value in found["results"][name].items() if isinstance(value, float)}
    return {"seconds": seconds, "wall_seconds": wall, "metrics": metrics}


def main():
    folder = sys.argv[1]
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    with open(f"{folder}/plans.json", encoding="utf-8") as file:
        given = json.load(file)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    warm = {}
    for line in sys.stdin:
        asked = json.loads(line)
        plan, key = given["plans"][asked["plan"]], (asked["plan"], asked["batch_size"])
        if key not in warm:
            tokenizer = AutoTokenizer.from_pretrained(folder)
            warm[key] = HFLM(pretrained=model, tokenizer=tokenizer, batch_size=asked["batch_size"])
            run(warm[key], plan, given["new_tokens"], 2)
        print(json.dumps(run(warm[key], plan, given["new_tokens"], plan["limit"])), flush=True)


main()

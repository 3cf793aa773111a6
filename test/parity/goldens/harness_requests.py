"""Writes harness_requests.json: what lm-evaluation-harness itself asks about rows of the reference data.

Its own task files are used, with the rows of the reference folder in place of the hub's. Per task and shots: the
SHA-256 of the JSON of all requests' arguments in their order. Where the folder has no training rows, the evaluated
ones serve as such. Run with lm_eval from PyPI: PARITY_DATA=... python harness_requests.py
"""
import hashlib
import importlib.metadata
import json
import pathlib
import tempfile

import lm_eval.tasks
from lm_eval.api.task import ConfigurableTask
from lm_eval.tasks._yaml_loader import load_yaml

from reference_rows import BENCH, arc, boolq, lines, mmlu, openbookqa, rows, truthfulqa, twice, winogrande

TASKS = pathlib.Path(lm_eval.tasks.__file__).parent
LIMIT = 200


CASES = [
    ("arc_easy", "arc/arc_easy.yaml", arc("Easy"), 0),
    ("arc_easy", "arc/arc_easy.yaml", arc("Easy"), 3),
    ("arc_challenge", "arc/arc_challenge.yaml", arc("Challenge"), 25),
    ("openbookqa", "openbookqa/openbookqa.yaml", openbookqa(), 2),
    ("piqa", "piqa/piqa.yaml", twice(BENCH / "piqa" / "valid.jsonl.gz"), 0),
    ("piqa", "piqa/piqa.yaml", twice(BENCH / "piqa" / "valid.jsonl.gz"), 4),
    ("hellaswag", "hellaswag/hellaswag.yaml", twice(BENCH / "hellaswag" / "validation-raw-1000.jsonl.gz"), 0),
    ("hellaswag", "hellaswag/hellaswag.yaml", twice(BENCH / "hellaswag" / "validation-raw-1000.jsonl.gz"), 10),
    ("winogrande", "winogrande/default.yaml", winogrande(), 0),
    ("winogrande", "winogrande/default.yaml", winogrande(), 5),
    ("mmlu_anatomy", "mmlu/default/mmlu_anatomy.yaml", mmlu("anatomy"), 5),
    ("mmlu_world_religions", "mmlu/default/mmlu_world_religions.yaml", mmlu("world_religions"), 0),
    (
        "gsm8k",
        "gsm8k/gsm8k.yaml",
        {split: rows(BENCH / "gsm8k" / f"{split}.jsonl.gz") for split in ("train", "test")},
        5,
    ),
    (
        "lambada_openai",
        "lambada/lambada_openai.yaml",
        {"test": rows(BENCH / "lambada" / "openai_test.jsonl.gz")},
        2,
    ),
    ("lambada_standard", "lambada/lambada_standard.yaml", lines(BENCH / "lambada" / "standard_test.txt.gz"), 0),
    ("boolq", "super_glue/boolq/default.yaml", boolq(), 2),
    ("truthfulqa_mc1", "truthfulqa/truthfulqa_mc1.yaml", truthfulqa(), 0),
    ("truthfulqa_mc2", "truthfulqa/truthfulqa_mc2.yaml", truthfulqa(), 0),
]


def requests(path, splits, shots):
    config = load_yaml(TASKS / path)
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
        task = ConfigurableTask(config=config)
        task.set_fewshot_seed(1234)
        task.build_all_requests(limit=LIMIT, rank=0, world_size=1)
        return [list(one.args) for one in task.instances]


golden = []
for name, path, splits, shots in CASES:
    asked = requests(path, splits, shots)
    asked = [[args[0], args[1]["until"] if isinstance(args[1], dict) else args[1]] for args in asked]
    text = json.dumps(asked)
    golden.append(
        {
            "task": name,
            "shots": shots,
            "limit": LIMIT,
            "requests": len(asked),
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
            "first": asked[0],
        }
    )
    print(name, shots, len(asked), flush=True)
document = {"lm_eval": importlib.metadata.version("lm_eval"), "cases": golden}
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(document, indent=1) + "\n")

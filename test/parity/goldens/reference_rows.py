"""Rows of the reference folder as the hub's data sets have them. PARITY_DATA names the folder."""
import gzip
import json
import os
import pathlib

DATA = pathlib.Path(os.environ["PARITY_DATA"])
BENCH = DATA / "benchmarks"


def rows(path):
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def arc(name):
    return {
        split: rows(BENCH / "arc" / f"ARC-{name}-{split}.jsonl.gz") for split in ("train", "validation", "test")
    }


def winogrande():
    converted = []
    for row in rows(BENCH / "winogrande" / "validation.jsonl.gz"):
        one, other = row["context_options"]
        shared = os.path.commonprefix([one, other])
        shared = shared[: shared.rfind(" ") + 1]
        converted.append(
            {
                "sentence": f"{shared}_ {row['continuation']}",
                "option1": one[len(shared) :],
                "option2": other[len(shared) :],
                "answer": str(row["gold"] + 1),
            }
        )
    return {"train": converted, "validation": converted}


def openbookqa():
    converted = [
        {
            "question_stem": row["query"],
            "choices": {"text": row["choices"], "label": list("ABCD")},
            "answerKey": "ABCD"[row["gold"]],
        }
        for row in rows(BENCH / "openbookqa" / "test.jsonl.gz")
    ]
    return {"train": converted, "validation": converted, "test": converted}


def mmlu(subject):
    return {
        split: [row for row in rows(BENCH / "mmlu" / f"{split}.jsonl.gz") if row["subject"] == subject]
        for split in ("dev", "test")
    }


def boolq():
    converted = []
    for row in rows(DATA / "core" / "eval_data" / "reading_comprehension" / "boolq.jsonl"):
        passage, question = row["query"].removeprefix("Passage: ").rsplit("\nQuestion: ", 1)
        converted.append({"passage": passage, "question": question.removesuffix("?"), "label": row["gold"]})
    return {"train": converted, "validation": converted}


def truthfulqa():
    with gzip.open(BENCH / "truthfulqa" / "mc_task.json.gz", "rt", encoding="utf-8") as text:
        found = json.load(text)
    for row in found:
        for key in ("mc1_targets", "mc2_targets"):
            row[key] = {"choices": list(row[key]), "labels": list(row[key].values())}
    return {"validation": found}


def lines(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as text:
        found = [{"text": line} for line in text.read().removesuffix("\n").split("\n")]
    return {"validation": found[:50], "test": found}


def twice(path):
    found = rows(path)
    return {"train": found, "validation": found}


def ifeval():
    return [json.loads(line) for line in (BENCH / "ifeval" / "input_data.jsonl").read_text("utf-8").splitlines()]


def pages():
    """Articles of WikiText: a line like ` = Title = ` opens one."""
    with gzip.open(BENCH / "wikitext2" / "wiki.test.raw.gz", "rt", encoding="utf-8", newline="\n") as text:
        found = [[]]
        for line in text.read().split("\n"):
            title = line.replace("= = =", "===").replace("= =", "==").strip()
            if title.startswith("= ") and title.endswith(" ="):
                found.append([])
            found[-1].append(line)
    return [{"page": page} for page in map("\n".join, found) if page.strip()]


def punkt():
    """NLTK's English sentence splitter, of the folder's parameters."""
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    found = json.loads((BENCH / "punkt-english" / "punkt_en.json").read_text("utf-8"))
    parameters = PunktParameters()
    parameters.abbrev_types = set(found["abbrev_types"])
    parameters.collocations = {tuple(pair) for pair in found["collocations"]}
    parameters.sent_starters = set(found["sent_starters"])
    parameters.ortho_context.update(found["ortho_context"])
    return PunktSentenceTokenizer(parameters)

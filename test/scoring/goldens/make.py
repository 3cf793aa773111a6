"""Fills in `expected` in reference.jsonl from the programs whose behaviour is reproduced.

    pip install --no-deps --target PACKAGES lighteval==0.13.0 nltk==3.8 langdetect==1.0.9
    pip install --target PACKAGES six regex click joblib tqdm
    python make.py PACKAGES punkt_en.json

PACKAGES is a folder; punkt_en.json holds the four parameter sets of NLTK's English Punkt model (`abbrev_types`,
`collocations`, `sent_starters`, `ortho_context`). CPython 3.11.
"""

import json
import logging
import re
import sys
import types
from pathlib import Path

packages, punkt_file = sys.argv[1:]
sys.path.insert(0, packages)
from nltk.tokenize import punkt  # noqa: E402
from nltk.tokenize.destructive import NLTKWordTokenizer  # noqa: E402
import langdetect  # noqa: E402

logging.disable(logging.CRITICAL)
langdetect.DetectorFactory.seed = 0

stored = json.loads(Path(punkt_file).read_text())
parameters = punkt.PunktParameters()
parameters.abbrev_types = set(stored["abbrev_types"])
parameters.collocations = set(map(tuple, stored["collocations"]))
parameters.sent_starters = set(stored["sent_starters"])
parameters.ortho_context.update(stored["ortho_context"])
sentences = punkt.PunktSentenceTokenizer(parameters)
words = NLTKWordTokenizer()


def word_tokenize(text):
    return [token for sentence in sentences.tokenize(text) for token in words.tokenize(sentence)]


def module(name, **names):
    made = types.ModuleType(name)
    made.__dict__.update(names)
    sys.modules[name] = made
    return made


def checkers():
    """The checkers of lighteval, without the packages that the rest of lighteval needs."""
    folder = "lighteval.tasks.tasks.ifeval"
    for index in range(1, len(folder.split("."))):
        module(".".join(folder.split(".")[:index]))
    package = module(folder)
    module("lighteval.utils")
    module("lighteval.utils.imports", is_package_available=lambda *_: True, requires=lambda *_: lambda f: f)

    def load(name):
        path = Path(packages, *folder.split("."), f"{name}.py")
        source = path.read_text().replace("\ndownload_nltk_resources()\n", "\n")
        loaded = module(f"{folder}.{name}")
        setattr(package, name, loaded)
        exec(compile(source, str(path), "exec"), loaded.__dict__)
        return loaded

    utilities = load("instructions_utils")
    utilities._get_sentence_tokenizer = lambda: sentences
    utilities.nltk.word_tokenize = word_tokenize
    load("instructions")
    return load("instructions_registry").INSTRUCTION_DICT


CHECKERS = checkers()


def wordings(response):
    lines = response.split("\n")
    taken = ["\n".join(part).strip() for part in (lines[1:], lines[:-1], lines[1:-1])]
    return [wording for kept in [response, *taken] for wording in (kept, kept.replace("*", ""))]


def check(case):
    checker = CHECKERS[case["id"]](case["id"])
    checker.build_description(**{name: value for name, value in case["kwargs"].items() if value})
    verdicts = [bool(text.strip() and checker.check_following(text)) for text in wordings(case["response"])]
    return [verdicts[0], any(verdicts)]


def languages(text):
    try:
        return [[found.lang, round(found.prob, 6)] for found in langdetect.detect_langs(text)]
    except langdetect.LangDetectException:
        return None


def is_json(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


def matches(case):
    flags = (re.IGNORECASE if "i" in case["flags"] else 0) | (re.MULTILINE if "m" in case["flags"] else 0)
    return [match.group(0) for match in re.finditer(case["pattern"], case["text"], flags)]


EXPECTED = {
    "check": check,
    "tokens": lambda case: [sentences.tokenize(case["text"]), word_tokenize(case["text"])],
    "languages": lambda case: languages(case["text"]),
    "pattern": matches,
    "json": lambda case: is_json(case["text"]),
}

file = Path(__file__).with_name("reference.jsonl")
cases = [json.loads(line) for line in file.read_text().splitlines()]
file.write_text("".join(json.dumps({**case, "expected": EXPECTED[case["kind"]](case)}) + "\n" for case in cases))

"""Scores of texts by sacrebleu 2.6.0 and rouge_score 0.1.2; writes textScores.json beside this file."""
import json
from pathlib import Path

from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU, CHRF

PAIRS = [
    ("the cat sat on the mat", ["the cat sat on the mat"]),
    ("the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"]),
    ("It is a guide to action which ensures that the military always obeys the commands of the party.",
     ["It is a guide to action that ensures that the military will forever heed Party commands.",
      "It is the guiding principle which guarantees the military forces always being under the command of the Party."]),
    ("Hello, world! (It's 3.5-inch; really.)", ["Hello world, it's a 3.5 inch disk - really!"]),
    ("completely different words", ["nothing in common here at all"]),
    ("", ["an empty answer"]),
    ("one", ["one two three four five"]),
    ("A &quot;quoted&quot; text &amp; more\nlines-\nbroken", ['A "quoted" text & more linesbroken']),
    ("Straße und Überfluß kosten 1,000.50 €", ["Strassen und Überfluss kosten 1.000,50 €", "Straße und Überfluß kosten 1,000.50 €!"]),
    ("日本語の文章です。", ["日本語の文です。"]),
    ("😀 smile 😀", ["😀 grin"]),
]

hypotheses = [answer for answer, _ in PAIRS]
most = max(len(expected) for _, expected in PAIRS)
# sacrebleu leaves out references that are None.
streams = [[expected[n] if n < len(expected) else None for _, expected in PAIRS] for n in range(most)]

rouge = RougeScorer(["rouge1", "rouge2", "rougeL"])


def rouge_of(answer, expected):
    found = rouge.score_multi(expected, answer)
    return {name: [score.precision, score.recall, score.fmeasure] for name, score in found.items()}


out = {
    "rows": [
        {
            "answer": answer,
            "expected": expected,
            "bleu": BLEU(effective_order=True).sentence_score(answer, expected).score,
            "chrf": CHRF().sentence_score(answer, expected).score,
            "chrf_plus": CHRF(word_order=2).sentence_score(answer, expected).score,
            **rouge_of(answer, expected),
        }
        for answer, expected in PAIRS
    ],
    "corpus": {
        "bleu": BLEU().corpus_score(hypotheses, streams).score,
        "chrf": CHRF().corpus_score(hypotheses, streams).score,
        "chrf_plus": CHRF(word_order=2).corpus_score(hypotheses, streams).score,
    },
}
Path(__file__).with_name("textScores.json").write_text(json.dumps(out, ensure_ascii=False, indent=1) + "\n")

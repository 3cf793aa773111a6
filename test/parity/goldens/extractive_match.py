"""Writes extractive_match.json: verdicts of lighteval's extractive_match on answers.

Real answers are the solutions of models to GSM8K in the reference folder, against the right solution: by model, a verdict,
0 or 1, for each row. The others are made up here: which of its metrics, the right text, the answer, the verdict.
Run with lighteval[math] from PyPI: PARITY_DATA=... python extractive_match.py
"""
import importlib.metadata
import json
import pathlib

from lighteval.metrics.dynamic_metrics import MultilingualExtractiveMatchMetric
from lighteval.metrics.metrics import Metrics
from lighteval.metrics.utils.extractive_match_utils import ExprExtractionConfig, LatexExtractionConfig
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc
from lighteval.utils.language import Language

from reference_rows import BENCH, rows

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = [ExprExtractionConfig(), LatexExtractionConfig()]
METRICS = {
    "numbers": Metrics.expr_gold_metric.value.sample_level_fn,
    "formulas": MultilingualExtractiveMatchMetric(Language.ENGLISH, TARGETS, TARGETS, precision=6),
    "letters": Metrics.gpqa_instruct_metric.value.sample_level_fn,
}


def verdict(kind, gold, answer):
    choices, place = ([*"ABCDEFGHIJ"], "ABCDEFGHIJ".index(gold)) if kind == "letters" else ([gold], 0)
    doc = Doc(query="", choices=choices, gold_index=place)
    return int(METRICS[kind].compute(doc, ModelResponse(text=[answer])))


# Each is compared with itself and with the next ones of its line, in both directions.
FORMULAS = [
    [r"\frac{1}{2}", "0.5", r"\dfrac12", r"\frac{2}{4}", r"50\%", "1/2", r"\frac{1}{3}"],
    [r"\frac{1}{3}", "0.333333", "0.3333", r"\frac{2}{6}", r"0.33333333"],
    [r"\sqrt{8}", r"2\sqrt{2}", r"2\sqrt2", r"\sqrt{4}\sqrt{2}", "2.828427", r"8^{1/2}"],
    [r"\frac{\sqrt{3}}{3}", r"\frac{1}{\sqrt{3}}", r"\sqrt{\frac13}", r"\sqrt{3}/3"],
    [r"3\pi", r"\pi\cdot 3", "9.42478", r"3 \pi", r"\frac{6\pi}{2}"],
    ["(x+1)^2", "x^2+2x+1", "x^2 + 1 + 2x", "(1+x)^2", "x^2+2x-1"],
    [r"\frac{x^2-1}{x-1}", "x+1", "1+x", "x-1"],
    ["a+b", "b+a", "a - (-b)", "a-b"],
    [r"\{1,2,3\}", "1,2,3", "3,2,1", r"\{3, 1, 2\}", "1, 2", r"\{1,2,4\}"],
    [r"\{1, \frac12\}", r"0.5, 1", r"\{0.5\}"],
    ["(1,2)", "1,2", "(2,1)", "[1,2]", r"\left(1,2\right)"],
    ["(2,1)", "2,1", "1,2"],
    ["(1,2,3)", "(1,2,3)", "(3,2,1)"],
    ["[0,1)", r"[0, 1)", "[0,1]", r"x\in[0,1)", r"0 \le x < 1"],
    [r"(-\infty, 3]", r"x \leq 3", r"(-\infty,3)", r"x\le3"],
    [r"(-\infty,0)\cup(0,\infty)", r"\mathbb{R}\setminus\{0\}", r"(0,\infty)\cup(-\infty,0)", r"x \neq 0"],
    [r"[1,2]\cup[2,3]", "[1,3]", r"[1,2)\cup(2,3]"],
    [r"1 < x < 2", "(1,2)", "2 > x > 1", r"1 \le x \le 2"],
    ["x = 3", "3", "x=3", "y=3", "3=x"],
    ["x=1,y=2", "y=2,x=1", "1,2", "(1,2)"],
    ["y = 2x+3", "2x+3", "y=3+2x", "y - 3 = 2x", "2x - y + 3 = 0"],
    ["2x+3y=6", "3y+2x=6", "2x=6-3y", "4x+6y=12"],
    ["x>5", "5<x", r"(5,\infty)", "x<5"],
    [r"50\%", "50%", "0.5", "50", r"\frac{50}{100}"],
    [r"12.5\%", "0.125", r"\frac18"],
    [r"5\text{ cm}", "5", r"5 \text{ cm}", r"5\mbox{ cm}^2", r"\text{5 cm}"],
    [r"\$5.00", "5", r"5\text{ dollars}", "5.0"],
    [r"30^\circ", "30", r"30^{\circ}", r"\frac{\pi}{6}"],
    [r"10{,}000", "10000", "10,000", "10, 000"],
    ["1,234", "1234", "1, 234"],
    [r"3\cdot 10^{5}", "300000", r"3\times 10^5", "300,000"],
    [r"2\frac{1}{2}", "2.5", r"\frac52", "5/2"],
    [r"-2\frac{1}{2}", "-2.5", r"-\frac{5}{2}", "-1.5"],
    [r"1\pm\sqrt{2}", r"\{1+\sqrt{2},1-\sqrt{2}\}", r"1-\sqrt2,1+\sqrt2", r"1+\sqrt{2}"],
    [r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{bmatrix}1&2\\3&4\end{bmatrix}", r"\begin{pmatrix}1&2\\3&5\end{pmatrix}"],
    [r"\begin{pmatrix}\frac12\\0\end{pmatrix}", r"\begin{pmatrix}0.5\\0\end{pmatrix}", r"\begin{pmatrix}0\\0.5\end{pmatrix}"],
    [r"\begin{pmatrix}-7\\16\\5\end{pmatrix}", r"\begin{pmatrix} -7 \\ 16 \\ 5 \end{pmatrix}", r"(-7,16,5)"],
    [r"\text{Friday}", "Friday", r"\mathrm{Friday}", r"\text{Monday}"],
    [r"\text{(C)}", "C", r"\text{C}", "(C)"],
    [r"\binom{5}{2}", "10", r"\frac{5!}{2!3!}"],
    ["5!", "120", r"5\cdot4\cdot3\cdot2"],
    [r"\log_2 8", "3", r"\log_{2}{8}", r"\frac{\ln 8}{\ln 2}"],
    [r"\ln 2", r"\log_{e} 2", "0.693147"],
    [r"\sin 30^\circ", r"\frac12"],
    [r"\cos\frac{\pi}{3}", r"\frac12", "0.5"],
    [r"\sin^2 x+\cos^2 x", "1"],
    [r"\sin 2x", r"2\sin x\cos x"],
    ["2^{10}", "1024", r"2^{5}\cdot 2^5"],
    ["2^{x+1}", r"2\cdot2^x"],
    ["e^2", r"e\cdot e"],
    [r"\sqrt[3]{27}", "3", r"27^{1/3}"],
    [r"\sqrt[3]{2}", "2^{1/3}", "1.259921"],
    ["x_1+x_2", "x_2+x_1", "x_{1}+x_{2}"],
    ["f(x)=x^2", "x^2", "f(x) = x \\cdot x"],
    ["3+4i", "4i+3", "3-4i"],
    [r"\frac{1+i}{2}", r"\frac12+\frac{i}{2}"],
    ["|x|", r"\left|x\right|", r"\sqrt{x^2}"],
    [r"\lfloor 2.5\rfloor", "2"],
    ["-5", "- 5", "5", "-5.0"],
    ["0", "0.0", r"\frac01", "-0"],
    ["1.5", r"\frac{3}{2}", "1.50", "1.500001", "1.5000001"],
    ["100", "100.0", r"10^2", "99.9999999"],
    [r"\infty", r"\infty", r"-\infty"],
    [r"\emptyset", r"\varnothing", r"\{\}"],
    [r"\frac{n(n+1)}{2}", r"\frac{n^2+n}{2}", r"\frac12 n(n+1)", "n(n+1)/2"],
    ["ab", "ba", "a b", r"a\cdot b"],
    [r"\frac{a}{b}", "a/b", r"a b^{-1}", r"\frac{b}{a}"],
    [r"x^2y", r"yx^2", r"x^{2}y"],
    [r"6\sqrt{5}\text{ units}", r"6\sqrt{5}", r"\sqrt{180}"],
    [r"\frac{3}{4}\text{ cup}", r"\frac34", "0.75"],
    [r"\boxed{7}", "7", r"\fbox{7}", r"\boxed{8}"],
    [r"x=\frac{-1\pm\sqrt5}{2}", r"\frac{-1\pm\sqrt{5}}{2}"],
    [r"\alpha+\beta", r"\beta+\alpha"],
    [r"12_{8}", "12", "12_8"],
    [r"p \le q", r"q\ge p", "p<q"],
    [r"\overline{AB}", r"\overline{AB}", "AB"],
    [r"4:3", r"\frac43", "4/3"],
    [r"\gcd(4,6)", "2"],
    [r"\max(1,2)", "2"],
    ["0.1", r"\frac{1}{10}", r"10^{-1}"],
    ["1/3+1/6", "1/2", "0.5"],
    [r"\frac{\frac12}{3}", r"\frac16"],
    [r"\tan\frac{\pi}{4}", "1"],
    [r"\left(\frac{1}{2}\right)^{3}", r"\frac18", "0.125"],
]

TEMPLATES = [
    "${}$",
    r"The final answer is ${}$. I hope it is correct.",
    r"So we get \boxed{{{}}}.",
    "Answer: ${}$",
]

TEXTS = [
    ("numbers", " so\n#### 18", "The answer is 18."),
    ("numbers", "#### 18", "18 eggs, then 20. Final answer: 18"),
    ("numbers", "#### 18", r"We have $9\cdot 2=18$ so \boxed{18}"),
    ("numbers", "#### 18", r"\boxed{18} and the answer is 20"),
    ("numbers", "#### 1,000", "It costs $1,000"),
    ("numbers", "#### 1000", "1 000 euros"),
    ("numbers", "#### 0.5", "50%"),
    ("numbers", "#### 50", "50 percent"),
    ("numbers", "#### 50", "50%"),
    ("numbers", "#### 3", "The final answer is 3. I hope it is correct. But maybe 4"),
    ("numbers", "#### 3", "final answer here is 4, the answer: 3"),
    ("numbers", "#### 12", "The answer is 3 * 4"),
    ("numbers", "#### 12", "The answer is (3 + 1) * 3."),
    ("numbers", "#### 12", "answer = 24/2"),
    ("numbers", "#### 12", "answer = 24÷2"),
    ("numbers", "#### 8", "2^3"),
    ("numbers", "#### 8", "The answer is 2 ^ 3 "),
    ("numbers", "#### 7", "x7y"),
    ("numbers", "#### 7", "7"),
    ("numbers", "#### 7", "07"),
    ("numbers", "#### 7", "7."),
    ("numbers", "#### 7", "7.0"),
    ("numbers", "#### 0.25", ".25"),
    ("numbers", "#### -4", "-4"),
    ("numbers", "#### -4", "The answer is - 4"),
    ("numbers", "#### 5", "**5**"),
    ("numbers", "#### 5", "**Answer: 5**"),
    ("numbers", "#### 5", "ANSWER: 5"),
    ("numbers", "#### 5", "Answer is 5 dollars"),
    ("numbers", "#### 5", "Answer is $5"),
    ("numbers", "#### 5", "the answer is five"),
    ("numbers", "#### 5", ""),
    ("numbers", "#### 5", "no numbers"),
    ("numbers", "#### 1.333333", r"\boxed{\frac{4}{3}}"),
    ("numbers", "#### 1.33333", r"\boxed{\frac{4}{3}}"),
    ("numbers", "#### 1.333", r"\boxed{\frac{4}{3}}"),
    ("numbers", "#### 2", r"The answer is $\frac{4}{2}$"),
    ("numbers", "#### 2", r"The answer is $x = 2$"),
    ("numbers", "#### 2", r"\[ x = 2 \]"),
    ("numbers", "#### 2", r"\( 1 + 1 \)"),
    ("numbers", "#### 2", "$$1+1$$"),
    ("numbers", "#### 540", "540 meters"),
    ("numbers", "#### 540", "He runs 540m."),
    ("numbers", "#### 3", "10 - 7 = 3"),
    ("numbers", "#### 3", "10 - 7 = <<10-7=3>>3 apples"),
    ("numbers", "#### 70000", "$70,000"),
    ("numbers", "#### 70000", "$70,000.00"),
    ("numbers", "#### 70000", "70000 (answer) = 70000"),
    ("numbers", "#### 6", "The answer: 1+2+3 = 6"),
    ("numbers", "#### 6", "Answer: x = 6 = 6"),
    ("numbers", "#### 1/2", "0.5"),
    ("formulas", r"so $x=5$, $\boxed{5}$", r"thus $x=5$."),
    ("formulas", r"$\boxed{\frac{3}{4}}$", r"The answer is 3/4."),
    ("formulas", r"$\boxed{\frac{3}{4}}$", r"The answer is 0.75."),
    ("formulas", r"$\boxed{1}$ and $\boxed{2}$", r"$\{1,2\}$"),
    ("formulas", r"$1$, $2$ and $3$", r"$3$, $2$, $1$"),
    ("formulas", r"$1$ or $2$", r"The answers are $2$ or $1$."),
    ("formulas", r"$\boxed{x^2}$", r"\boxed{x^2"),
    ("formulas", r"$\boxed{(3,4)}$", r"\boxed{(3,4)}"),
    ("formulas", r"$\boxed{(3,4)}$", r"$x=3$, $y=4$"),
    ("formulas", r"$5\%$", r"$0.05$"),
    ("formulas", r"$5$ percent", r"$0.05$"),
    ("formulas", r"[ 3 ]", r" [ 3 ] "),
    ("formulas", r"x \[ 3 \] y", r"3"),
    ("formulas", r"$\frac{2}{3}$", r"\frac{2}{3}"),
    ("formulas", r"$a$", r"a"),
    ("formulas", r"$\text{yes}$", r"$\text{yes}$"),
    ("formulas", r"$\text{even}$", r"$\text{odd}$"),
    ("letters", "A", "A"),
    ("letters", "A", "(A)"),
    ("letters", "A", "Answer: A"),
    ("letters", "A", "Answer: (A)"),
    ("letters", "A", "**Answer: A**"),
    ("letters", "A", "The answer is B"),
    ("letters", "B", "The answer is B."),
    ("letters", "B", "A plan. The answer is B"),
    ("letters", "B", "The final answer is B. I hope it is correct. A"),
    ("letters", "C", "final answer to this is C"),
    ("letters", "C", "I think it is C."),
    ("letters", "C", "C) because"),
    ("letters", "C", "\nC: because"),
    ("letters", "D", "Answer:\nD"),
    ("letters", "D", "ANSWER: D"),
    ("letters", "D", "answer is **D**."),
    ("letters", "D", "DNA"),
    ("letters", "E", "Either A or E"),
    ("letters", "J", "J"),
    ("letters", "J", "K"),
    ("letters", "A", ""),
    ("letters", "A", "none"),
    ("letters", "A", "A. B. C."),
    ("letters", "A", "Answer: A or B"),
    ("letters", "H", "The answer is: H, since"),
]


def cases():
    for kind, gold, answer in TEXTS:
        yield kind, gold, answer
    for place, line in enumerate(FORMULAS):
        for number, other in enumerate(line):
            template = TEMPLATES[(place + number) % len(TEMPLATES)]
            yield "formulas", f"${line[0]}$", template.format(other)
            if number > 0:
                yield "formulas", f"${other}$", f"${line[0]}$"


def solutions():
    """By model, a verdict for each of its solutions of the first 200 test rows."""
    found = {}
    for row in rows(BENCH / "gsm8k" / "model_solutions_first200.jsonl.gz"):
        for model, value in row.items():
            if isinstance(value, dict):
                one = verdict("numbers", f" {row['ground_truth']}", value["solution"])
                found[model] = found.get(model, "") + str(one)
    return found


found = [[*case, verdict(*case)] for case in cases()]
body = ",\n".join(json.dumps(one) for one in found)
head = {"lighteval": importlib.metadata.version("lighteval"), "solutions": solutions(), "cases": []}
text = json.dumps(head).replace('"cases": []', f'"cases": [\n{body}\n]')
(HERE / "extractive_match.json").write_text(text + "\n")
print(len(found), sum(one[-1] for one in found))

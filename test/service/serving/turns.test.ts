import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { ScriptedLanguageModel } from "../../../src/language/index.js";
import { oneAtATime } from "../../../src/service/serving/oneAtATime.js";
import { Turns } from "../../../src/service/serving/turns.js";

/** Works that are done when they are told to, and what became of them. */
function works() {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async () => {
    log.push(`begin ${name}`);
    await new Promise<void>((done) => ends.set(name, done));
    log.push(`end ${name}`);
    return name;
  };
  return { log, work, end: (name: string) => ends.get(name)!() };
}

it("are done one behind the other, those that fail too", async () => {
  const { log, work, end } = works();
  const turns = new Turns();
  const first = turns.take(undefined, work("a"));
  const second = turns.take(undefined, () => Promise.reject(new Error("no")));
  const third = turns.take(undefined, work("c"));
  await turn();
  expect(log).toEqual(["begin a"]);
  end("a");
  expect(await first).toBe("a");
  await expect(second).rejects.toThrow("no");
  await turn();
  end("c");
  expect(await third).toBe("c");
  expect(log).toEqual(["begin a", "end a", "begin c", "end c"]);
});

it("let who goes away while waiting go at once, and the others keep their order", async () => {
  const { log, work, end } = works();
  const turns = new Turns();
  const gone = new AbortController();
  const first = turns.take(undefined, work("a"));
  const second = turns.take(gone.signal, work("b"));
  const third = turns.take(undefined, work("c"));
  gone.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  await turn();
  expect(log).toEqual(["begin a"]);
  end("a");
  await first;
  await turn();
  end("c");
  await third;
  expect(log).toEqual(["begin a", "end a", "begin c", "end c"]);
});

it("of a model of this process tell who goes away so before the question before has its answer", async () => {
  const { work } = works();
  const slow = new ScriptedLanguageModel({ name: "slow" });
  slow.generate = work("a") as never;
  const model = oneAtATime(slow);
  void model.generate([{ prompt: "a" }]);
  const stop = AbortSignal.abort(new Error("gone"));
  await expect(model.generate([{ prompt: "b" }], { signal: stop })).rejects.toThrow("gone");
  const later = new AbortController();
  const waiting = model.forward([[1]], { signal: later.signal });
  await turn();
  later.abort(new Error("gone too"));
  await expect(waiting).rejects.toThrow("gone too");
});

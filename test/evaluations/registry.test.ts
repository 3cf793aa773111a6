import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  EncodingEvaluation,
  evaluation,
  evaluations,
  PerplexityEvaluation,
  RolloutEvaluation,
} from "../../src/evaluations/index.js";
import { Questions, Texts } from "./scripted.js";

afterEach(() => {
  for (const name of evaluations.registeredNames()) evaluations.unregister(name);
});

abstract class Asked extends RolloutEvaluation {
  readonly name = "asked";
  readonly length = 1;
  get() {
    return ["Q", "A"] as const;
  }
}

describe("registering an evaluation", () => {
  test("works as a call, which gives the class back", () => {
    expect(evaluation("questions", Questions)).toBe(Questions);
    expect(evaluations.lookup("questions")).toBe(Questions);
  });

  test("works as a decorator", () => {
    // Called as decorators are, with what TypeScript's own, or the standard's, hand over.
    class Decorated extends PerplexityEvaluation {
      static override options = z.strictObject({ rows: z.int().default(2) });
      static override description = "Two texts";
      readonly name = "decorated_ppl";
      readonly length = 2;
      get() {
        return "a";
      }
    }
    expect(evaluation("decorated_ppl")(Decorated, { kind: "class", name: "Decorated" })).toBe(Decorated);
    expect(evaluations.lookup("decorated_ppl")).toBe(Decorated);
    expect(evaluations.list()).toEqual([{ name: "decorated_ppl", description: "Two texts" }]);
  });

  test("refuses a judge without a judgement", () => {
    class Mute extends Asked {}
    class MuteEncoding extends EncodingEvaluation {
      readonly name = "mute";
      readonly length = 1;
      get() {
        return "a";
      }
    }
    for (const given of [Mute, MuteEncoding]) {
      expect(() => evaluation("mute", given)).toThrow(/"mute" overrides neither check nor score/);
    }
    expect(evaluations.has("mute")).toBe(false);
  });

  test("takes either judgement, inherited ones too", () => {
    class Checking extends Asked {
      override check(y: string, yHat: string) {
        return y === yHat;
      }
    }
    class Scoring extends Asked {
      override score(ys: readonly string[]) {
        return ys.map(() => 0.5);
      }
    }
    evaluation("checking", Checking);
    evaluation("scoring", Scoring);
    evaluation("inheriting", class extends Scoring {});
    expect(evaluations.registeredNames()).toEqual(["checking", "inheriting", "scoring"]);
  });

  test("refuses what is no evaluation", () => {
    for (const given of [class {}, () => {}, 5, "Class"]) {
      expect(() => evaluation("nothing", given as never)).toThrow(/"nothing" is no evaluation/);
    }
  });

  test("does not replace a name unless it is told to", () => {
    evaluation("texts", Texts);
    expect(() => evaluation("texts", Questions)).toThrow(/already registered/);
    evaluation("texts", Questions, { replace: true });
    expect(evaluations.lookup("texts")).toBe(Questions);
  });
});

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import {
  createRefusalCounter,
  type RefusalCode,
  type Reply,
  replySchema,
} from "../../../src/protocol/index.js";

/** A door with handlers that record what they get, and a hostile way to it. */
export interface OpenedDoor {
  /** Sends anything and resolves to the acknowledgement. */
  ask(event: string, args: readonly unknown[]): Promise<unknown>;
  /** Sends anything without asking for an acknowledgement. */
  tell(event: string, args: readonly unknown[]): void;
  close(): Promise<void>;
}

export interface DoorHooks {
  onMessage(event: string, message: unknown, data?: Uint8Array): Reply | undefined;
  onRefused(event: string, code: RefusalCode): void;
  onError(error: unknown): void;
}

interface DoorCase {
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  readonly examples: Readonly<Record<string, unknown>>;
  open(hooks: DoorHooks): Promise<OpenedDoor>;
}

/** Anything that JSON can carry, with the keys that attack objects. */
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    JSON.parse('{"__proto__":{"polluted":1}}'),
    { constructor: { prototype: {} } },
    { toString: 1, valueOf: 2 },
    [[[[]]]],
    '\u0000\ud83d\ude00,"\n',
    -0,
    1e308,
  ),
);

/** What every door must do with every event. */
export function doorSuite(name: string, { schemas, examples, open }: DoorCase): void {
  describe(`door ${name}`, () => {
    let door: OpenedDoor;
    let received: unknown[];
    let refused: Map<string, RefusalCode>;
    let counter: ReturnType<typeof createRefusalCounter>;
    let errors: unknown[];
    let answer: (event: string) => Reply | undefined;

    beforeEach(async () => {
      received = [];
      refused = new Map();
      counter = createRefusalCounter();
      errors = [];
      answer = () => undefined;
      door = await open({
        onMessage(event, message, data) {
          received.push(data ? [event, message, [...data]] : [event, message]);
          return answer(event);
        },
        onRefused(event, code) {
          refused.set(event, code);
          counter.count(code);
        },
        onError: (error) => errors.push(error),
      });
    });
    afterEach(() => door.close());

    const soundArgs = (event: string) =>
      event === "chunk" ? [examples[event], Buffer.from([1, 2])] : [examples[event]];

    it.each(Object.keys(schemas))("lets a sound %s in and acknowledges it", async (event) => {
      expect(await door.ask(event, soundArgs(event))).toEqual({ ok: true });
      expect(received).toEqual([
        event === "chunk" ? [event, examples[event], [1, 2]] : [event, examples[event]],
      ]);
    });

    it.each(Object.keys(schemas))("refuses and counts garbage instead of %s", async (event) => {
      let sent = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(json, { maxLength: 3 }), async (args) => {
          const sound =
            args.length === (event === "chunk" ? 2 : 1) &&
            event !== "chunk" &&
            schemas[event]!.safeParse(args[0]).success;
          if (sound) return;
          sent++;
          const reply = replySchema.parse(await door.ask(event, args));
          expect(reply).toMatchObject({ ok: false, code: "malformed" });
          expect(counter.byCode().get("malformed")).toBe(sent);
        }),
        { numRuns: 60 },
      );
      expect(received).toEqual([]);
      expect(errors).toEqual([]);
      // And it still works.
      expect(await door.ask(event, soundArgs(event))).toEqual({ ok: true });
    });

    it.each(Object.keys(schemas))("refuses a %s in which any one field is wrong", async (event) => {
      for (const key of Object.keys(examples[event] as object)) {
        for (const wrong of [undefined, "", {}, [], -1, 1.5, "x".repeat(3000), Buffer.from([1])]) {
          const [message, ...rest] = soundArgs(event);
          const damaged = { ...(message as object), [key]: wrong };
          if (schemas[event]!.safeParse(damaged).success) continue;
          expect(await door.ask(event, [damaged, ...rest])).toMatchObject({ ok: false, code: "malformed" });
        }
      }
      const [message, ...rest] = soundArgs(event);
      expect(await door.ask(event, [{ ...(message as object), extra: 1 }, ...rest])).toMatchObject({
        code: "malformed",
      });
      expect(received).toEqual([]);
    });

    it.each(["upload", "__proto__", "constructor", "toString", "hasOwnProperty", "error", ""])(
      "refuses the unknown event %j",
      async (event) => {
        expect(await door.ask(event, [{}])).toMatchObject({ ok: false, code: "malformed" });
        expect(refused.get(event)).toBe("malformed");
      },
    );

    it("refuses a chunk whose bytes are text, or that has none", async () => {
      if (!("chunk" in schemas)) return;
      for (const args of [
        [examples.chunk],
        [examples.chunk, "AAAA"],
        [examples.chunk, [1, 2]],
        [Buffer.from([1])],
      ]) {
        expect(await door.ask("chunk", args)).toMatchObject({ ok: false, code: "malformed" });
      }
    });

    it.each(Object.keys(schemas))("refuses a %s with bytes within its message", async (event) => {
      const [message, ...rest] = soundArgs(event);
      for (const body of [
        Buffer.from([1]),
        [[Buffer.from([1])]],
        { ...(message as object), a: [new Uint8Array(1)] },
      ]) {
        expect(await door.ask(event, [body, ...rest])).toMatchObject({ ok: false, code: "malformed" });
      }
      expect(received).toEqual([]);
    });

    it("refuses a message that is too long, whatever else is wrong with it", async () => {
      for (const [event, example] of Object.entries(examples)) {
        for (const body of [
          "x".repeat(5000),
          [["x".repeat(5000)]],
          { ...(example as object), extra: "x".repeat(5000) },
        ]) {
          const [, ...rest] = soundArgs(event);
          expect(await door.ask(event, [body, ...rest])).toMatchObject({ ok: false, code: "too_large" });
        }
      }
      expect(received).toEqual([]);
    });

    it("needs no acknowledgement to be asked for", async () => {
      const event = Object.keys(schemas)[0]!;
      door.tell(event, soundArgs(event));
      door.tell(event, [1, 2, 3]);
      expect(await door.ask(event, soundArgs(event))).toEqual({ ok: true });
      expect(received).toHaveLength(2);
      expect(counter.total).toBe(1);
    });

    it("passes a handler's refusal on and counts it", async () => {
      const event = Object.keys(schemas)[0]!;
      answer = () => ({ ok: false, code: "late", message: "The round is over." });
      expect(await door.ask(event, soundArgs(event))).toEqual({
        ok: false,
        code: "late",
        message: "The round is over.",
      });
      expect(counter.byCode()).toEqual(new Map([["late", 1]]));
    });

    it("keeps what a handler throws to itself", async () => {
      const event = Object.keys(schemas)[0]!;
      answer = () => {
        throw new Error("secret path");
      };
      const reply = replySchema.parse(await door.ask(event, soundArgs(event)));
      expect(reply).toMatchObject({ ok: false, code: "internal" });
      expect(JSON.stringify(reply)).not.toContain("secret");
      expect(errors).toEqual([new Error("secret path")]);
    });
  });
}

import fc from "fast-check";
import { expect, test } from "vitest";
import { type TokenPiece, tokenPieces } from "../../src/language/passes/tokenPieces.js";
import { tokenForest } from "../../src/language/passes/tokenTree.js";
import type { TokenRow } from "../../src/language/tokenRows.js";

const row = (context: number[], continuation: number[]): TokenRow => ({
  context,
  continuation,
  truncated: 0,
});
const many = (count: number, token: number) => Array<number>(count).fill(token);
const laid = (rows: readonly TokenRow[]) => tokenPieces(tokenForest(rows, 1), { branches: true });

test("asks for every token's probability once, behind the very tokens that come before it", () => {
  const tokens = (least: number) =>
    fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 70 })), {
      minLength: least,
      maxLength: 4,
    });
  const rows = fc.array(
    fc.record({ context: tokens(1), continuation: tokens(1) }).map(({ context, continuation }) =>
      row(
        context.flatMap(([token, count]) => many(count, token)),
        continuation.flatMap(([token, count]) => many(count, token)),
      ),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(rows, (given) => {
      const found = new Map<string, string>();
      const walk = (pieces: readonly TokenPiece[], before: readonly number[]) => {
        for (const piece of pieces) {
          expect(piece.depth).toBe(before.length);
          expect(piece.tokens.length).toBeGreaterThan(0);
          if (piece.parents) expect(piece.children).toEqual([]);
          for (const [at, readers] of piece.readers) {
            const path = [...before, ...pathTo(piece, at)];
            for (const { row, place, token } of readers) {
              expect(found.has(`${row} ${place}`)).toBe(false);
              found.set(`${row} ${place}`, `${path} ${token}`);
            }
          }
          walk(piece.children, [...before, ...piece.tokens]);
        }
      };
      walk(laid(given), []);
      const expected = given.flatMap(({ context, continuation }, index) =>
        continuation.map((token, place): [string, string] => [
          `${index} ${place}`,
          `${[...context, ...continuation.slice(0, place)]} ${token}`,
        ]),
      );
      expect([...found].sort()).toEqual(expected.sort());
    }),
    { numRuns: 60 },
  );
});

test("lays the choices of a question behind it in one row", () => {
  const [piece, ...others] = laid([
    row([1, 2, 3], [4, 9]),
    row([1, 2, 3], [5, 6, 9]),
    row([1, 2, 3], [5, 7, 9]),
  ]);
  expect(others).toEqual([]);
  expect(piece!.tokens).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(piece!.parents).toEqual([-1, 0, 1, 2, 2, 4, 4]);
});

test("reads a question of 256 tokens in one row, and keeps what a longer one begins with", () => {
  const endings = (each: number) =>
    [10, 20, 30, 40].map((first) => row(many(56, 1), [...many(each, first), 9]));
  expect(laid(endings(50)).map(({ tokens, children }) => [tokens.length, children.length])).toEqual([
    [256, 0],
  ]);
  const [kept, ...none] = laid(endings(51));
  expect(none).toEqual([]);
  expect(kept!.tokens).toEqual(many(56, 1));
  // Two endings side by side are 102 tokens; a third would be too many for a row of what shares nothing more.
  expect(kept!.children.map(({ tokens }) => tokens.length)).toEqual([102, 102]);
});

test("keeps what many questions begin with, and reads it for few again", () => {
  const questions = (examples: number) =>
    [10, 20, 30, 40].map((first) => row([...many(examples, 1), ...many(100, first)], [9]));
  const [kept, ...none] = laid(questions(300));
  expect(none).toEqual([]);
  expect(kept).toMatchObject({ depth: 0, tokens: many(300, 1) });
  expect(kept!.children.map(({ depth, tokens }) => [depth, tokens.length])).toEqual(
    [1, 2, 3, 4].map(() => [300, 100]),
  );
  // One token in a hundred is not worth a pass of its own.
  expect(laid(questions(1)).map(({ tokens }) => tokens.length)).toEqual([101, 101, 101, 101]);
});

/** The tokens of a piece that one of them follows, itself included. */
function pathTo({ tokens, parents }: TokenPiece, at: number): number[] {
  const path: number[] = [];
  for (let place = at; place >= 0; place = parents ? parents[place]! : place - 1)
    path.unshift(tokens[place]!);
  return path;
}

import type { MakeRowWork } from "../../../src/base/threads/rowWork.js";

/** Row work for tests: what a row asks for. */
export const makeRowWork: MakeRowWork = async (params) => {
  if (params === "no") throw new Error("this work cannot be made");
  if (params === "exit") process.exit(7);
  if (params === "slow") await new Promise((settle) => setTimeout(settle, 200));
  return (row, index) => {
    const asked = row as {
      square?: number;
      spin?: true;
      throws?: string;
      exit?: true;
      exitLater?: number;
      wait?: number;
      grow?: true;
    };
    if (asked.spin) for (;;);
    if (asked.grow) {
      const held: number[][] = [];
      for (;;) held.push(new Array(100_000).fill(1.5));
    }
    if (asked.exit) process.exit(7);
    if (asked.exitLater !== undefined) setTimeout(() => process.exit(7), asked.exitLater);
    if (asked.throws !== undefined) throw new Error(asked.throws);
    if (asked.wait !== undefined) {
      const { wait } = asked;
      return new Promise((settle) => setTimeout(() => settle("waited"), wait));
    }
    return [index, asked.square! ** 2];
  };
};

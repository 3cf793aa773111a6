import { instruction } from "./instruction.js";

/** No ASCII comma; those of other scripts are none. */
export const noComma = instruction(
  {},
  () =>
    ({ text }) =>
      !text.includes(","),
);

import { ElenchusError } from "../base/index.js";

/**
 * Does what an option asks for; what is thrown then says which option it was, for whoever points at it.
 * @param option its key in the table
 * @throws what `work` throws, with `details.option`
 */
export async function atOption<T>(option: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ElenchusError)) throw error;
    const { code, message, details } = error;
    throw new ElenchusError(code, message, { cause: error, details: { option, ...details } });
  }
}

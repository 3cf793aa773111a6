import { ElenchusError } from "../base/index.js";

/**
 * Does what an option asks for; what is thrown then says which option it was, for whoever points at it.
 * @param at its key in the table; or section and key, where it stands elsewhere
 * @throws what `work` throws, with `details.option` or `details.path`
 */
export async function atOption<T>(at: string | readonly string[], work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ElenchusError)) throw error;
    const { code, message, details } = error;
    const place = typeof at === "string" ? { option: at } : { path: at };
    throw new ElenchusError(code, message, { cause: error, details: { ...place, ...details } });
  }
}

import { pythonStrip } from "../../base/index.js";

/**
 * The eight wordings that the loose verdict tries: the response as it is, without its first line, without its last,
 * without both, and each of the four without any `*`. All but the first of a kind are trimmed where lines were taken;
 * blank ones are left in, they never pass.
 */
export function looseVariants(response: string): string[] {
  const lines = response.split("\n");
  const wordings = [
    response,
    pythonStrip(lines.slice(1).join("\n")),
    pythonStrip(lines.slice(0, -1).join("\n")),
    pythonStrip(lines.slice(1, -1).join("\n")),
  ];
  return [...wordings, ...wordings.map((wording) => wording.replaceAll("*", ""))];
}

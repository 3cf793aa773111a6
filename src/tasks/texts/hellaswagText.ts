import { pythonCapitalize, pythonStrip } from "../../base/index.js";

/** A row of HellaSwag, as far as the question goes. */
export interface HellaswagQuestion {
  readonly activity_label: string;
  readonly ctx_a: string;
  readonly ctx_b: string;
}

/** What an ending follows. Only the part that an ending goes on from is capitalised, and loses its other capitals. */
export function hellaswagQuestion({ activity_label, ctx_a, ctx_b }: HellaswagQuestion): string {
  return `${activity_label}: ${ctx_a} ${pythonCapitalize(ctx_b)}`;
}

/**
 * Without the marks of WikiHow, as EleutherAI's harness cleans. Nothing is trimmed once the marks are gone: an ending
 * that began with one keeps a blank.
 */
export function cleanHellaswag(text: string): string {
  return pythonStrip(text)
    .replaceAll(" [title]", ". ")
    .replace(/\[[^\n]*?\]/g, "")
    .replaceAll("  ", " ");
}

/** One file that `elenchus new` writes. */
export interface TemplateFile {
  /** Relative to the working folder, `/` between parts. */
  path: string;
  content: string;
}

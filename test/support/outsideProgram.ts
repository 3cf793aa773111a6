import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Where a program of another project is installed: in the folder that an environment variable names, else in the
 * PATH, else in one of the places where packages put it.
 * @throws Error saying how to install it
 */
export function outsideProgram(
  name: string,
  { variable, places = [], mend }: { variable: string; places?: readonly string[]; mend: string },
): string {
  const named = process.env[variable];
  const path = (process.env.PATH ?? "").split(delimiter);
  for (const folder of named ? [named] : [...path, ...places]) {
    const program = join(folder, name);
    if (folder !== "" && existsSync(program)) return program;
  }
  throw new Error(
    `${name} is not installed: looked in ${named ?? "the PATH and where packages put it"}. ${mend}, or name its folder in ${variable}.`,
  );
}

/** The folders `<parent>/<version>/bin`, newest version first. */
export function versionFolders(parent: string): string[] {
  if (!existsSync(parent)) return [];
  const versions = readdirSync(parent).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(parent, version, "bin"));
}

import { ElenchusError } from "../base/index.js";

/** A repository's name that can stand in an address and in a folder's name. @throws INPUT_UNREADABLE */
export function checkRepositoryName(name: string): string {
  const parts = name.split("/");
  const good = parts.length <= 2 && parts.every((part) => /^[A-Za-z0-9_][\w.-]{0,95}$/.test(part));
  if (good && !name.includes("--") && !name.includes("..")) return name;
  throw new ElenchusError(
    "INPUT_UNREADABLE",
    `${JSON.stringify(name)} is neither a local folder nor a repository's name. Expected an existing folder, "name" or "owner/name" of letters, digits, "-", "_" and ".".`,
    { details: { name } },
  );
}

/** A branch, tag or commit. @throws INPUT_UNREADABLE */
export function checkRevision(revision: string): string {
  if (/^[\w./+-]{1,250}$/.test(revision) && isSafePath(revision)) return revision;
  throw new ElenchusError(
    "INPUT_UNREADABLE",
    `The revision ${JSON.stringify(revision)} cannot be one. Expected a branch, a tag or a commit.`,
    { details: { revision } },
  );
}

/** A file's path inside a repository that stays inside any folder it is put into. @throws INPUT_UNREADABLE */
export function checkFileName(file: string): string {
  if (isSafePath(file)) return file;
  throw new ElenchusError(
    "INPUT_UNREADABLE",
    `${JSON.stringify(file)} is no file name of a repository. Expected a relative path with "/" between its parts, none of them "." or "..".`,
    { details: { file } },
  );
}

/** Relative, below its folder, and written alike on every system. */
export function isSafePath(path: string): boolean {
  if (path.length === 0 || path.length > 1024) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not get in
  if (/[\\:\u0000-\u001f\u007f]/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && part.length <= 255);
}

/** Whether a revision is a commit, which never moves. */
export function isCommit(revision: string): boolean {
  return /^[0-9a-f]{40}$/.test(revision);
}

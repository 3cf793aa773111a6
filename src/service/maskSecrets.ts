import { readFileSync } from "node:fs";
import type { ServiceSettings } from "../config/index.js";

/** Stands where a secret stood. */
const HIDDEN = "(hidden)";
/** A text that is shorter is no secret that could be told from other text. */
const SHORTEST = 4;

/**
 * Takes the secrets of a service out of what is logged or stored: passwords of its database and queue, its tokens, and
 * what stands in the variables that its settings name.
 */
export function maskSecrets(
  { service }: ServiceSettings,
  environment: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const secrets = new Set<string>();
  for (const address of [service.database, service.queue]) {
    for (const secret of secretsInAddress(address)) secrets.add(secret);
  }
  for (const { token, env, file } of service.tokens) {
    if (token !== undefined) secrets.add(token);
    if (env !== undefined) secrets.add((environment[env] ?? "").trim());
    if (file !== undefined) secrets.add(secretIn(file));
  }
  for (const { reference } of service.models) {
    const variable = typeof reference === "string" ? undefined : reference.key_variable;
    if (typeof variable === "string") secrets.add(environment[variable] ?? "");
  }
  for (const variable of ["OPENAI_API_KEY", "HF_TOKEN"]) secrets.add(environment[variable] ?? "");
  // The longest first: one may be a part of another.
  const hidden = [...secrets]
    .filter((secret) => secret.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  return (text) => hidden.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
}

/** What a file holds; nothing where it cannot be read, which whoever needs it says. */
function secretIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}

/** The password of an address as it is written there and as it is meant. */
function secretsInAddress(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { password, searchParams } = new URL(address);
  const written = password === "" ? [] : [password, decoded(password)];
  return [...written, searchParams.get("password") ?? ""];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

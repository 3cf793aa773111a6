import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { ElenchusError, messageOf } from "../../base/index.js";
import type { Scope, ServiceConfig } from "../../config/index.js";

/** Who asks, and what it may ask for. */
export interface Principal {
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** A secret that is shorter could be guessed. */
const SHORTEST = 16;

/** Whoever asks on a service without tokens: only this machine can. */
export const LOCAL_PRINCIPAL: Principal = { name: "local", scopes: new Set<Scope>(["admin"]) };

/** Whether someone may do what a route needs. */
export function allows({ scopes }: Principal, scope: Scope): boolean {
  return scopes.has("admin") || scopes.has(scope);
}

/** The tokens of `[service]`, by digest: none is kept in plain. */
export class AccessTokens {
  readonly #entries: readonly { readonly digest: Buffer; readonly principal: Principal }[];

  /**
   * @param environment for tokens that stand in a variable
   * @throws CONFIG_VALUE for a variable or file that holds no usable token; CONFIG_CONFLICT for two that are equal
   */
  constructor(
    tokens: ServiceConfig["tokens"],
    environment: Readonly<Record<string, string | undefined>> = {},
  ) {
    this.#entries = tokens.map((token) => ({
      digest: token.sha256 === undefined ? digestOf(secretOf(token, environment)) : fromHex(token.sha256),
      principal: { name: token.name, scopes: new Set(token.scopes) },
    }));
    const digests = new Set(this.#entries.map(({ digest }) => digest.toString("hex")));
    if (digests.size === this.#entries.length) return;
    throw new ElenchusError(
      "CONFIG_CONFLICT",
      "Two of service.tokens are the same secret. Give each its own, so that it can be withdrawn by itself.",
    );
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Whose token it is. All are compared, each in constant time, so that time tells nothing about any of them. */
  find(token: string): Principal | undefined {
    const presented = digestOf(token);
    let found: Principal | undefined;
    for (const { digest, principal } of this.#entries) {
      if (timingSafeEqual(digest, presented)) found = principal;
    }
    return found;
  }
}

function secretOf(
  { name, token, env, file }: ServiceConfig["tokens"][number],
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (token !== undefined) return token;
  const where = env === undefined ? `the file ${file}` : `the variable ${env}`;
  const secret = (env === undefined ? textOf(file!, name) : (environment[env] ?? "")).trim();
  if (secret.length >= SHORTEST) return secret;
  throw new ElenchusError(
    "CONFIG_VALUE",
    `service.tokens: "${name}" takes its secret from ${where}, which has ${secret.length} characters. Expected at least ${SHORTEST}.`,
  );
}

function textOf(file: string, name: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ElenchusError(
      "CONFIG_VALUE",
      `service.tokens: "${name}" takes its secret from a file that cannot be read: ${messageOf(error)}.`,
      { cause: error },
    );
  }
}

function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function fromHex(digest: string): Buffer {
  return Buffer.from(digest, "hex");
}

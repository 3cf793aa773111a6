import { homedir } from "node:os";
import { join } from "node:path";
import { ElenchusError } from "../base/index.js";
import type { HubSettings } from "./hubRequest.js";

/**
 * A hub's settings from environment variables, those of Hugging Face's own clients: `HF_ENDPOINT`, `HF_TOKEN`,
 * `HF_HUB_OFFLINE`, and for the cache `HF_HUB_CACHE`, else `HF_HOME`, else `XDG_CACHE_HOME`.
 * @param given settings that count before the environment
 * @throws CONFIG_VALUE for an endpoint that is no address
 */
export function hubSettings(
  environment: Readonly<Record<string, string | undefined>>,
  given: Partial<HubSettings> = {},
): HubSettings {
  const endpoint = given.endpoint ?? (environment.HF_ENDPOINT || "https://huggingface.co");
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new ElenchusError(
      "CONFIG_VALUE",
      `The hub's endpoint is ${JSON.stringify(endpoint)}. Expected an http or https address; set HF_ENDPOINT to one or remove it.`,
    );
  }
  const caches = environment.XDG_CACHE_HOME || join(homedir(), ".cache");
  const home = environment.HF_HOME || join(caches, "huggingface");
  return {
    ...given,
    endpoint: endpoint.replace(/\/+$/, ""),
    token: given.token ?? (environment.HF_TOKEN || undefined),
    offline: given.offline ?? /^(1|true|yes|on)$/i.test(environment.HF_HUB_OFFLINE ?? ""),
    cacheFolder: given.cacheFolder ?? (environment.HF_HUB_CACHE || join(home, "hub")),
  };
}

import type { Clock, Logger } from "../../base/index.js";
import type { BackendChoice } from "../../compute/index.js";
import type { HubEnvironment } from "../../hub/index.js";
import type { HostLookup } from "../endpoint/endpointPost.js";
import type { LanguageEngine } from "../languageModelOf.js";
import type { EndpointReference, ModelReference } from "./modelReference.js";
import type { OpenedModel } from "./openedModel.js";

/** What opening a model may use. */
export interface ModelSurroundings {
  /** The model that is being evaluated, which `self` means. It stays its owner's. */
  readonly self?: Omit<OpenedModel, "release"> | undefined;
  /** Where run ids are looked up. Default `./runtime/results`. */
  readonly results?: string | undefined;
  /** Gives keys of servers by the variable that holds them. Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * The key for a server. Whoever takes references from strangers decides here which server gets which key. Default: the
   * variable that the reference names; without one, OPENAI_API_KEY for api.openai.com alone.
   */
  readonly keyFor?: ((reference: EndpointReference) => string | undefined) | undefined;
  /** Whether a reference may be opened at all; throws why not. Default: all may. */
  readonly admit?: ((reference: ModelReference) => void | Promise<void>) | undefined;
  /** Finds the address of a server for each connection, and may refuse it. Default: the system's. */
  readonly lookup?: HostLookup | undefined;
  readonly hub?: HubEnvironment | undefined;
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  /** What computes models here. Defaults as for `loadLanguageModel`. */
  readonly backend?: BackendChoice | undefined;
  readonly engine?: LanguageEngine | undefined;
  readonly threads?: number | undefined;
}

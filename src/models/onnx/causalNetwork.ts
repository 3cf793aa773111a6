import { ElenchusError } from "../../base/index.js";
import type { CausalModel } from "../causalModel.js";
import { Gpt2 } from "../gpt2.js";
import { Llama } from "../llama.js";
import { Nanochat } from "../nanochat.js";
import { gpt2Network } from "./gpt2Network.js";
import { llamaNetwork } from "./llamaNetwork.js";
import { nanochatNetwork } from "./nanochatNetwork.js";
import type { OnnxNetwork } from "./onnxNetwork.js";

/** How a model of a known family is written as a graph. @throws CAPABILITY_MISSING for any other */
export function causalNetwork(model: CausalModel): OnnxNetwork {
  if (model instanceof Gpt2) return gpt2Network(model.shape);
  if (model instanceof Llama) return llamaNetwork(model.shape);
  if (model instanceof Nanochat) return nanochatNetwork(model.shape);
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    `The model ${model.name} cannot be computed by onnxruntime: it is of none of the families gpt2, llama and nanochat. Use TensorFlow.js, or say what its graph is.`,
  );
}

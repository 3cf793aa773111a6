import type { LinearLayer } from "../causal/linearLayer.js";
import { emptyValues } from "../initialValues.js";
import type { CausalPlan } from "./causalPlan.js";

/** Matrices that are read by row, or make the logits. */
const TABLES = /(^|\.)(wte|wpe|embed_tokens|lm_head|value_embeds\.\d+)\.weight$/;

/** The linear layers of a model that is not built: all its matrices but the tables. The head is none of them. */
export function linearLayersOf(plan: CausalPlan): ReadonlyMap<string, LinearLayer> {
  const stored = plan.type === "gpt2" ? "in-out" : "out-in";
  const layers = new Map<string, LinearLayer>();
  for (const [name, { shape }] of plan.weights(emptyValues())) {
    const [rows, columns] = shape;
    if (columns === undefined || TABLES.test(name)) continue;
    const [outputs, inputs] = stored === "out-in" ? [rows!, columns] : [columns, rows!];
    layers.set(name.replace(/\.weight$/, ""), { stored, inputs, outputs });
  }
  return layers;
}

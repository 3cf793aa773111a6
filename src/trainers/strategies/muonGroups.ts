import type * as tf from "@tensorflow/tfjs-core";
import { ElenchusError } from "../../base/index.js";
import type { Model } from "../../models/index.js";
import type { MuonOptions } from "./muonOptions.js";
import type { AdamOptions } from "./optimizerOptions.js";

/** Which weights of a model are stepped how. */
export interface MuonGroups {
  /** Names of the matrices that are orthogonalised. */
  readonly matrices: ReadonlySet<string>;
  /** Sets of names that go the way of AdamW, each with settings of its own. */
  readonly adam: readonly AdamGroup[];
}

export interface AdamGroup {
  readonly names: ReadonlySet<string>;
  readonly options: AdamOptions;
}

/** A kind of weight: what its names look like and its rate, of the options and the factor for the model's width. */
interface Kind {
  readonly name: RegExp;
  readonly lr: (options: MuonOptions, width: number) => number;
  readonly betas: [number, number];
  readonly decay: number;
}

/** As nanochat has them; the first that fits a name holds. The last takes norms and biases, which nanochat has not. */
const KINDS: readonly Kind[] = [
  {
    name: /(^|\.)lm_head\./,
    lr: ({ unembedding_lr }, width) => unembedding_lr * width,
    betas: [0.8, 0.96],
    decay: 0.01,
  },
  {
    name: /(^|\.)value_embeds\./,
    lr: ({ embedding_lr }, width) => 0.5 * embedding_lr * width,
    betas: [0.8, 0.995],
    decay: 0.01,
  },
  {
    name: /(^|\.)(wte|wpe|embed_tokens)\./,
    lr: ({ embedding_lr }, width) => embedding_lr * width,
    betas: [0.8, 0.995],
    decay: 0.001,
  },
  { name: /^resid_lambdas$/, lr: ({ scalar_lr }) => 0.01 * scalar_lr, betas: [0.8, 0.95], decay: 0.05 },
  { name: /^x0_lambdas$/, lr: ({ scalar_lr }) => scalar_lr, betas: [0.96, 0.95], decay: 0 },
  { name: /^(smear|backout)_/, lr: ({ smear_lr }) => smear_lr, betas: [0.8, 0.95], decay: 0 },
  { name: /./, lr: ({ unembedding_lr }, width) => unembedding_lr * width, betas: [0.8, 0.95], decay: 0 },
];

/** The width that the rates were found with; others have theirs times (width / 768)^-0.5. */
const TUNED_WIDTH = 768;
const EPSILON = 1e-10;
const IN_A_BLOCK = /(^|\.)(h|layers)\.\d+\./;
const TOKEN_TABLE = /(^|\.)(wte|embed_tokens)\.weight$/;

/**
 * Sorts the weights of a language model: matrices of its blocks, and kinds of all others.
 * @throws CAPABILITY_MISSING for a model without blocks
 */
export function muonGroups(
  { name: model, variables }: Pick<Model, "name" | "variables">,
  options: MuonOptions,
): MuonGroups {
  const matrices = new Set<string>();
  const kinds = new Map<Kind, Set<string>>();
  for (const [name, variable] of variables) {
    if (variable.rank === 2 && IN_A_BLOCK.test(name)) matrices.add(name);
    else {
      const kind = KINDS.find((candidate) => candidate.name.test(name))!;
      kinds.set(kind, (kinds.get(kind) ?? new Set()).add(name));
    }
  }
  if (matrices.size === 0) {
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      `The optimizer Muon orthogonalises the matrices of a language model's blocks, and ${model} has none. Use AdamW or SGD.`,
    );
  }
  const width = (widthOf(variables) / TUNED_WIDTH) ** -0.5;
  const adam = [...kinds].map(([{ lr, betas, decay }, names]) => ({
    names,
    options: { lr: lr(options, width), betas, eps: EPSILON, weight_decay: decay },
  }));
  return { matrices, adam };
}

function widthOf(variables: ReadonlyMap<string, tf.Variable>): number {
  for (const [name, { shape }] of variables) if (TOKEN_TABLE.test(name)) return shape[1]!;
  return TUNED_WIDTH;
}

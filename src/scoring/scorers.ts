import { sharedRegistry } from "../base/index.js";
import { equalityScorer } from "./equality.js";
import { ifevalScorer } from "./ifeval/ifevalScorer.js";
import type { Scorer } from "./scorer.js";

/** The scorers of this process, by name. */
export const scorers = sharedRegistry<Scorer>("scorer", (registry) => {
  for (const scorer of [equalityScorer, ifevalScorer]) {
    registry.register(scorer.name, scorer, { description: scorer.description });
  }
});

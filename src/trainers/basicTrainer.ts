import { ComposableTrainer } from "./composableTrainer.js";

/** A composable trainer as the configuration describes it, nothing replaced. */
export class BasicTrainer extends ComposableTrainer {}

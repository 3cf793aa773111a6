import type { ModelUpdateStrategy } from "../../algorithms/index.js";

/** Leaves local training as it is: all that FedAvg needs. */
export class NoModelUpdate implements ModelUpdateStrategy {}

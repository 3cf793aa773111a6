export type { RoundRecord } from "./recordRow.js";

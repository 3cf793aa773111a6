export type { Model, ModelFactory, ModelRequest } from "./model.js";

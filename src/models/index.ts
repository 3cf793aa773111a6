export type { Model, ModelFactory, ModelRequest } from "./model.js";
export { createModel, modelCatalog, models } from "./models.js";

import type { ModelFactory } from "./model.js";
import { lenet5Parameters, multilayerParameters } from "./modelParameters.js";
import { models } from "./models.js";

export type { Model, ModelFactory, ModelRequest } from "./model.js";
export { createModel, modelCatalog, models } from "./models.js";

// Building a model loads TensorFlow.js; naming one must not, so that the server can.
const lenet5: ModelFactory = async (request) => new (await import("./lenet5.js")).Lenet5(request);
const multilayer: ModelFactory = async (request) => new (await import("./multilayer.js")).Multilayer(request);

models.register("lenet5", Object.assign(lenet5, { options: lenet5Parameters }), {
  description: "LeNet-5: two convolutions and three dense layers, for images from 12x12 up",
});
models.register("multilayer", Object.assign(multilayer, { options: multilayerParameters }), {
  description: "Multilayer perceptron; parameters.model.hidden_sizes gives its layers",
});

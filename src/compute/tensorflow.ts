// The one door to TensorFlow.js. The core registers no gradients of its own; importing the layers package does,
// so whoever takes `tf` from here can differentiate.
import "@tensorflow/tfjs-layers";

export * as tf from "@tensorflow/tfjs-core";

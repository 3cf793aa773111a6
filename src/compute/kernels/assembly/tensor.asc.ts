// Kernels that work on tensors where they lie. No static data and no allocation: the host decides where
// arrays lie. Addresses and steps are in bytes, counts and sizes in elements.
export { activate, activateGradient } from "./tensor/activations";
export { adam } from "./tensor/adam";
export { attend, attendGradient, attentionScratch } from "./tensor/attention";
export { convolveImage, filterGradientOfImage, packFilter, packTurnedFilter } from "./tensor/convolution";
export { crossEntropy, crossEntropyGradient } from "./tensor/crossEntropy";
export { placeImage } from "./tensor/image";
export { matMul, matMulScratch } from "./tensor/matMul";
export { normalise, normaliseGradient } from "./tensor/normalisation";
export { maxPoolGradient } from "./tensor/pooling";
export { sumMiddle } from "./tensor/reduction";
export { rotate } from "./tensor/rotary";
export { addBias, clear, gatherRows, segmentSum } from "./tensor/segments";

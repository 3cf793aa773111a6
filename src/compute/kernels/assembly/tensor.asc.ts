// Kernels that work on tensors where they lie. No static data and no allocation: the host decides where
// arrays lie. Addresses and steps are in bytes, counts and sizes in elements.
export { convolveImage, filterGradientOfImage, packFilter, packTurnedFilter } from "./tensor/convolution";
export { placeImage } from "./tensor/image";
export { matMul, matMulScratch } from "./tensor/matMul";
export { maxPoolGradient } from "./tensor/pooling";
export { sumMiddle } from "./tensor/reduction";
export { addBias, clear, segmentSum } from "./tensor/segments";

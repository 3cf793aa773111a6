/** Names of the weights A and B of a layer's adapter. */
export function adapterNames(layer: string): [a: string, b: string] {
  return [`${layer}.lora_A.weight`, `${layer}.lora_B.weight`];
}

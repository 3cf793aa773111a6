export type { ChatTurn } from "./chatTurn.js";
export type { DecodeOptions, EncodeOptions, Encoding, SpecialTokens, Tokenizer } from "./tokenizer.js";

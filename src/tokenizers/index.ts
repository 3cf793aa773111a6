export { BYTE_SPECIAL_TOKENS, createByteTokenizer } from "./byteTokenizer.js";
export { CHATML_TEMPLATE } from "./chatTemplates.js";
export type { ChatTurn } from "./chatTurn.js";
export { decodeChatTemplate } from "./decodeChatTemplate.js";
export { encodeChatTemplate, encodeChatWithMask, type MaskedChat } from "./encodeChatTemplate.js";
export { createJsonTokenizer, type JsonTokenizerFiles } from "./jsonTokenizer.js";
export { loadTokenizer, TOKENIZER_FILES } from "./loadTokenizer.js";
export {
  encodeNanochatConversation,
  encodeNanochatPrompt,
  type NanochatConversation,
  type NanochatPart,
  type NanochatTurn,
} from "./nanochatConversation.js";
export { formatRankFile, parseRankFile } from "./rankFile.js";
export {
  createNanochatTokenizer,
  createRankTokenizer,
  NANOCHAT_SPECIAL_TOKENS,
  type RankTokenizerOptions,
} from "./rankTokenizer.js";
export { type ChatTemplateOptions, renderChatTemplate } from "./renderChatTemplate.js";
export { compileSplitPattern, GPT2_PATTERN, NANOCHAT_PATTERN } from "./splitPattern.js";
export { createTextStream, type TextStream } from "./textStream.js";
export type { DecodeOptions, EncodeOptions, Encoding, SpecialTokens, Tokenizer } from "./tokenizer.js";
export { parseSpecialNames, parseTokenizerConfig, parseTokenizerDocument } from "./tokenizerFiles.js";
export { type BytePairTrainingOptions, type TrainedBytePairs, trainBytePairs } from "./trainBytePairs.js";
export {
  createTrainedTokenizer,
  formatTokenizer,
  type TokenizerRoles,
  type TokenizerTexts,
  writeTokenizer,
} from "./writeTokenizer.js";

export { ModelCache, type ModelCacheOptions } from "./modelCache.js";

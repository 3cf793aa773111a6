import { entryFile } from "../base/index.js";

/** Entry file of a client process, for whoever starts one. */
export const clientEntry: URL = entryFile(import.meta.url, "./processMain");

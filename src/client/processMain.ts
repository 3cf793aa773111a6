import { becomeWorker } from "../base/index.js";

becomeWorker();

export { type Clock, manualClock, systemClock } from "./clock.js";
export { columnName } from "./columnName.js";
export { LONGEST_TIMER, withDeadline } from "./deadline.js";
export { ERROR_CATALOGUE, type ErrorCode } from "./errorCatalogue.js";
export { ElenchusError, type ElenchusErrorOptions, messageOf } from "./errors.js";
export {
  expectationAt,
  expectationOf,
  type JsonSchema,
  jsonSchemaOf,
  keysAt,
  ownWords,
} from "./expectation.js";
export { FileNames, fileNamePart } from "./fileNames.js";
export { makeFolder, namesIn, removeLeftovers, syncFolder, writeAtomic } from "./files.js";
export { inShort } from "./inShort.js";
export {
  createLogger,
  LOG_LEVELS,
  type Logger,
  type LogLevel,
  silentLogger,
  stderrLogger,
} from "./logger.js";
export { isLoopback } from "./loopback.js";
export { nearest } from "./nearest.js";
export { chiSquareTail, normalBound } from "./normalTail.js";
export { numpyShuffle } from "./numpyShuffle.js";
export { expectedBy, optionFaults, parseOptions } from "./options.js";
export { ownValue } from "./ownValue.js";
export { type AttemptLimits, afterFailure, PassingFailure } from "./passingFailure.js";
export {
  becomeWorker,
  entryFile,
  isWorker,
  loadedModules,
  loadModules,
  nodeArguments,
  runInWorker,
  runsFromSource,
} from "./program.js";
export { type Pace, ProgressMeter } from "./progressMeter.js";
export { PythonRandom } from "./pythonRandom.js";
export {
  compareCodePoints,
  PYTHON_SPACE,
  pythonCapitalize,
  pythonLeftStrip,
  pythonLength,
  pythonRightStrip,
  pythonStrip,
  pythonWords,
} from "./pythonText.js";
export { createRandom, type Random, type RandomState } from "./random.js";
export {
  createRegistry,
  onePerProcess,
  type RegisterOptions,
  type Registry,
  sharedRegistry,
  unknownName,
} from "./registry.js";
export { sentence } from "./sentence.js";
export {
  isOnlyHere,
  type MakeRowWork,
  type PlacedInput,
  type RowOutcome,
  type RowsInThreads,
  RowThreads,
  type RowThreadsOptions,
  type RowWork,
  startThread,
  type ThreadWork,
  textLength,
  thrownThere,
} from "./threads/index.js";

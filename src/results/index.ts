export { cellText, cellValue } from "./cells.js";
export { type Cells, ExpandingCsv, type ExpandingCsvOptions } from "./expandingCsv.js";
export { type ColumnDescription, columnTypes } from "./flattenRow.js";
export { type Manifest, type ParentCheckpoint, type RunStatus, readManifest } from "./manifest.js";
export { type CellValue, readTable, rowObject, type Table } from "./readTable.js";
export { type RoundRecord, roundRecord } from "./recordRow.js";
export { defaultRunId, type RunPaths, requireRunId, runPaths } from "./runPaths.js";
export { RunRecord, type RunRecordOptions } from "./runRecord.js";

export { Backfill, type BackfillOptions, requireEnded, type StandingRow } from "./backfill.js";
export { cellText, cellValue } from "./cells.js";
export {
  type CellComparison,
  type ComparedRound,
  type Comparison,
  compareRounds,
  type SampleComparison,
} from "./comparison/compareRounds.js";
export { type McNemarTest, mcNemarTest } from "./comparison/mcNemar.js";
export {
  type IntervalOptions,
  type PairedDifference,
  pairedDifference,
  type ScoredPair,
} from "./comparison/pairedDifference.js";
export { comparedSamples, onlyMetric } from "./comparison/shownComparison.js";
export { type Cells, ExpandingCsv, type ExpandingCsvOptions } from "./expandingCsv.js";
export { type ColumnDescription, columnTypes, type DeclaredMetrics } from "./flattenRow.js";
export { createRecord, type LoopRecord, type LoopRecordOptions } from "./loopRecord.js";
export {
  currentVersions,
  type Manifest,
  type ParentCheckpoint,
  type RunStatus,
  readManifest,
} from "./manifest.js";
export { type Mirror, type MirrorEnvironment, mirrorsOf } from "./mirrors/index.js";
export { type ConfusionCounts, confusionMatrices } from "./plots/confusionArtifact.js";
export { type ConfusionPanel, confusionChart } from "./plots/confusionChart.js";
export { type DifferencePanel, differencesChart, type PlottedDifference } from "./plots/differencesChart.js";
export {
  type Axis,
  type Line,
  type LineChart,
  type LinePoint,
  lineChart,
  type Panel,
} from "./plots/lineChart.js";
export { partitionChart } from "./plots/partitionChart.js";
export { type Chart, renderChart, renderPng } from "./plots/renderChart.js";
export { type PlottedRun, runsChart } from "./plots/runsChart.js";
export { isChartFile, writeChart } from "./plots/writeChart.js";
export { type CellValue, readTable, rowObject, type Table } from "./readTable.js";
export { findRun, newestRun, type RecordedRun, runDocument, runIds } from "./recordedRuns.js";
export { type ClientEvaluations, type RoundRecord, roundRecord } from "./recordRow.js";
export {
  type CellDifference,
  differingCells,
  type Reproduction,
  type RowsOfRun,
} from "./reproduction/differingCells.js";
export { defaultRunId, type RunFiles, requireRunId, runPaths } from "./runPaths.js";
export { RunRecord } from "./runRecord.js";
export type { RunRecordOptions } from "./runRecordOptions.js";
export { type ChangedKey, changeText, requireSameRun } from "./sameRun.js";
export { failuresIn, judgingMetric, scoreOf } from "./samples/failures.js";
export { readSamples } from "./samples/readSamples.js";
export { filesOfTask, type SampleFile, sampleFiles } from "./samples/sampleIndex.js";
export { type SampleText, sampleText } from "./samples/sampleText.js";
export { type ShownTable, shownTable } from "./shownTable.js";
export {
  type ResultsDocument,
  requireNewJob,
  type StandaloneJob,
  type StandaloneResults,
  standaloneFolder,
  writeStandaloneResults,
} from "./standaloneResults.js";

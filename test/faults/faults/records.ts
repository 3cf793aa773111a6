import type { Fault } from "../fault.js";

/** Mistakes in what is told of runs afterwards: repetitions and pictures that would please and be wrong. */
export const records: readonly Fault[] = [
  {
    name: "a repetition that is nearly equal taken for equal",
    file: "results/reproduction/differingCells.ts",
    from: "return Object.is(was, is) ? []",
    to: "return Number(was).toFixed(9) === Number(is).toFixed(9) ? []",
    test: "results/reproduction.test.ts",
    only: "differ where a cell does, to the last bit",
  },
  {
    name: "a failed evaluation drawn as one that was not due",
    file: "results/plots/runsChart.ts",
    from: "if (at === null || (value === null && !failed)) return [];",
    to: "if (at === null || value === null) return [];",
    test: "results/plots.test.ts",
    only: "breaks a line where an evaluator failed",
  },
  {
    name: "higher drawn as better whatever the metric says",
    file: "results/plots/differencesChart.ts",
    from: 'return low > 0 === higherIsBetter ? "better" : "worse";',
    to: 'return low > 0 ? "better" : "worse";',
    test: "results/plots.test.ts",
    only: "tells better from worse by the direction",
  },
  {
    name: "download = false that fetches",
    file: "data/images/torchvision.ts",
    from: "hub: download ? hub :",
    to: "hub: true ? hub :",
    test: "config/platoFiles.test.ts",
    only: "fetches nothing with download = false",
  },
];

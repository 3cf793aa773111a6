import type { Fault } from "../fault.js";

/** Mistakes in where rows come from and who holds them. */
export const data: readonly Fault[] = [
  {
    name: "clients without enough rows raised at nobody's cost",
    file: "data/samplers/sharedSizes.ts",
    from: "const rest = total - raised.size * minimum;",
    to: "const rest = total;",
    test: "data/samplers/quantitySamplers.test.ts",
    only: "raise who would get too little",
  },
  {
    name: "first class from all classes instead of the pool",
    file: "data/samplers/drawClasses.ts",
    from: "const first = pool[place % pool.length]!;",
    to: "const first = place % pool.length;",
    test: "data/samplers/classSamplers.test.ts",
    only: "keeps the others to their pool",
  },
  {
    name: "sizes drawn for each client apart",
    file: "data/samplers/distributionNoniid.ts",
    from: "return weightedDraw(pools, shares, sizes[clientId - 1]!, random);",
    to: "return weightedDraw(pools, shares, skewedSizes(keys, dataset, totalClients, random)[clientId - 1]!, random);",
    test: "data/samplers/quantitySamplers.test.ts",
    only: "so that they sum to the rows of the data",
  },
  {
    name: "standardised by all rows",
    file: "data/tables/csv.ts",
    from: "const code = rowCode(table, parts.train, columns, options);",
    to: "const code = rowCode(table, [...parts.train, ...parts.test], columns, options);",
    test: "data/tables/csv.test.ts",
    only: "deviation 1 of the training rows, and those alone",
  },
  {
    name: "planes of colour taken for pixels",
    file: "data/images/cifarRecords.ts",
    from: "pixels[to + place * CHANNELS + channel] = planes[plane + place]!;",
    to: "pixels[to + channel * PLANE + place] = planes[plane + place]!;",
    test: "data/images/cifar.test.ts",
    only: "is read from loose files",
  },
  {
    name: "rows kept for a source that has changed",
    file: "data/rows/keptDatasource.ts",
    from: "digest.update(content.digest());",
    to: "content.digest();",
    test: "data/rows/rows.test.ts",
    only: "until their source or what decides them changes",
  },
];

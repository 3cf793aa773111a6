import type { Fault } from "../fault.js";

/** In what is done with payloads on their way, in simulated time, and in TLS. */
export const payloads: readonly Fault[] = [
  {
    name: "changes that were not sent forgotten",
    file: "client/updateProcessing.ts",
    from: "up.keepsError ? new Map([...left, [LOST, await encoded.lost()]]) : left",
    to: "left",
    test: "server/processedFederation.test.ts",
    only: "sends the largest changes first and the others later, as worked by hand",
  },
  {
    name: "position of a sparse change taken twice",
    file: "processors/topK.ts",
    from: "position <= last",
    to: "position < last",
    test: "processors/pipeline.test.ts",
    only: "of sparse changes with doubled, falling or distant positions is refused",
  },
  {
    name: "quantisation to the nearest level",
    file: "processors/qsgd.ts",
    from: "Math.floor(exact + random.next())",
    to: "Math.round(exact)",
    test: "processors/handWorked.test.ts",
    only: "has no bias",
  },
  {
    name: "half precision rounded halves up",
    file: "processors/halfPrecision.ts",
    from: "(rebased + 0xfff + ((rebased >>> 13) & 1)) >>> 13",
    to: "(rebased + 0x1000) >>> 13",
    test: "processors/handWorked.test.ts",
    only: "rounds to the nearest number of IEEE 754 binary16, halves to even",
  },
  {
    name: "bandwidth that members do not share",
    file: "server/clientTimes.ts",
    from: "(bandwidth / 8 / members)",
    to: "(bandwidth / 8)",
    test: "server/clientTimes.test.ts",
    only: "communication follows from bytes and bandwidth, which members share",
  },
  {
    name: "real time on a simulated clock",
    file: "server/runMemory.ts",
    from: "config.server.simulate_wall_time ? simulated : real()",
    to: "real()",
    test: "server/clientTimes.test.ts",
    only: "simulated time passes with the slowest client of each round, and goes on when a run is resumed",
  },
  {
    name: "expired certificate accepted",
    file: "server/serverTls.ts",
    from: "now > Date.parse(validTo)",
    to: "now > Number.POSITIVE_INFINITY",
    test: "server/tls.test.ts",
    only: "are refused before and after their time",
  },
];

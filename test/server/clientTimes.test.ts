import { expect, it } from "vitest";
import { manualClock } from "../../src/base/index.js";
import { clientTimes } from "../../src/server/clientTimes.js";
import { createRunMemory } from "../../src/server/runMemory.js";
import { configOf, weightsOf } from "./support/federation.js";

const MEGABYTE = 2 ** 20;
const facts = {
  trainingTime: 10,
  processingTime: 0.5,
  bytesDown: 4 * MEGABYTE,
  bytesUp: MEGABYTE,
  members: 5,
  measuredComm: 0.1,
  measuredTotal: 11,
};
// 40 and 20 megabits carry 5 and 2.5 megabytes a second; a fifth of it is 1 and 0.5: 4 s down and 2 s up.
const model = { downlink_bandwidth: 40, uplink_bandwidth: 20 };

it("times are measured unless they are simulated", () => {
  expect(clientTimes(configOf(), facts)).toEqual({ commTime: 0.1, totalTime: 11 });
});

it("communication follows from bytes and bandwidth, which members share", () => {
  const config = configOf({ clients: { compute_comm_time: true }, server: model });
  expect(clientTimes(config, facts)).toEqual({ commTime: 6, totalTime: 11 });
});

it("a simulated clock adds up training, processors and communication", () => {
  const server = { simulate_wall_time: true, ...model };
  expect(clientTimes(configOf({ server }), facts)).toEqual({ commTime: 0, totalTime: 10.5 });
  const config = configOf({ clients: { compute_comm_time: true }, server });
  expect(clientTimes(config, facts)).toEqual({ commTime: 6, totalTime: 16.5 });
});

it("nothing measured is in simulated sleep", () => {
  const clients = { speed_simulation: true, sleep_simulation: true, avg_training_time: 1 };
  const config = configOf({ clients, server: { simulate_wall_time: true } });
  expect(clientTimes(config, facts)).toEqual({ commTime: 0, totalTime: 10 });
});

it("simulated time passes with the slowest client of each round, and goes on when a run is resumed", () => {
  const client = (totalTime: number) => ({
    clientId: 1,
    numSamples: 1,
    trainLoss: null,
    scalar: null,
    trainingTime: 0,
    commTime: 0,
    totalTime,
  });
  const clock = manualClock();
  const weights = weightsOf(1);
  const config = configOf({ server: { simulate_wall_time: true } });
  const memory = createRunMemory(config, clock, { weights });
  clock.advance(60_000);
  memory.roundClosed([client(2), client(7), client(3)]);
  expect(memory.elapsed()).toBe(7);
  memory.roundClosed([client(1.5)]);
  memory.roundClosed([]);
  expect(memory.elapsed()).toBe(8.5);
  expect(createRunMemory(configOf(), clock, { weights }).elapsed()).toBe(0);
});

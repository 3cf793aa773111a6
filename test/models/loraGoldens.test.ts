import { describe } from "vitest";
import "../support/cpuTensors.js";
import { loraGoldenSuite } from "./suites/loraGoldenSuite.js";

describe("adapters on the cpu back end", loraGoldenSuite);

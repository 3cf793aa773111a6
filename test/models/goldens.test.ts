import { describe } from "vitest";
import "../support/cpuTensors.js";
import { goldenSuite } from "./suites/goldenSuite.js";

describe("on the cpu back end", goldenSuite);

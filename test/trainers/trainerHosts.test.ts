import { trainerHostSuite } from "./suites/trainerHostSuite.js";

trainerHostSuite("process");
trainerHostSuite("worker");

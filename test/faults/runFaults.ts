import { type Fault, faultyFile, soundSource, withFault } from "./fault.js";
import { faults } from "./faults.js";
import { throughKernel } from "./faultyKernel.js";
import { createFaultyVitest } from "./faultyVitest.js";
import { brokenBy, type Outcome, outcomeOf } from "./outcome.js";

/*
 * Runs the tests of faults: on the source as it is, then with one fault after the other. By hand:
 * node --import tsx test/faults/runFaults.ts "mean of means"
 */

/** What came of one fault. */
export interface FaultReport {
  readonly name: string;
  /** The tests on the source as it is: all should pass. */
  readonly sound: Outcome;
  /** The tests with the fault: one should fail. */
  readonly faulty: Outcome;
}

// Without whoever started it, nobody hears the rest; waiting for that does not keep the process alive.
process.on("disconnect", () => process.exit(1));
process.channel?.unref();

const names = process.argv.slice(2);
const chosen = faults.filter(({ name }) => names.length === 0 || names.includes(name));
const vitest = await createFaultyVitest();

const soundModules = await vitest.run(chosen);
const sound = new Map(chosen.map((fault) => [fault, outcomeOf(soundModules, fault)]));
for (const fault of chosen) {
  tell({ name: fault.name, sound: sound.get(fault)!, faulty: await outcomeWith(fault) });
}
await vitest.close();
// Which vitest has set, since tests failed: they were to.
process.exitCode = 0;

async function outcomeWith(fault: Fault): Promise<Outcome> {
  try {
    withFault(soundSource(fault), fault);
    const applied = faultyFile(fault).includes("/assembly/") ? await throughKernel(fault) : fault;
    return outcomeOf(await vitest.run([fault], applied), fault);
  } catch (error) {
    return brokenBy(String(error));
  }
}

function tell(report: FaultReport): void {
  if (process.send) process.send(report);
  else console.log(JSON.stringify(report, null, 2));
}

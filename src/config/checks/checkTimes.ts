import type { KeyPath } from "../reading/scanKeys.js";
import { type Tree, treeAt } from "../reading/tree.js";
import type { Draft } from "./draft.js";
import type { Report } from "./report.js";

/** Rules of simulated speeds and clocks. */
export function checkTimes({ clients }: Draft, tree: Tree, report: Report): void {
  const isSimulated = clients.speed_simulation === true;
  if (isSimulated && clients.sleep_simulation === true && clients.avg_training_time === undefined) {
    report.error("CONFIG_MISSING_KEY", ["clients", "avg_training_time"], {
      expected: "the seconds that an epoch takes without sleep, since clients.sleep_simulation is true",
    });
  }
  const warn = (path: KeyPath, because: string) => {
    const written = treeAt(tree, path);
    if (written && written.at.file !== "--seed") {
      report.warning("CONFIG_NO_EFFECT", path, { expected: `without effect, since ${because}` });
    }
  };
  if (!isSimulated) {
    const because = "clients.speed_simulation is false";
    for (const key of ["simulation_distribution", "max_sleep_time", "sleep_simulation", "random_seed"]) {
      warn(["clients", key], because);
    }
  }
  if (!isSimulated || clients.sleep_simulation !== true) {
    warn(["clients", "avg_training_time"], "nothing simulates sleep: see clients.sleep_simulation");
  }
  if (clients.compute_comm_time !== true) {
    for (const key of ["downlink_bandwidth", "uplink_bandwidth"]) {
      warn(["server", key], "clients.compute_comm_time is false");
    }
  }
}

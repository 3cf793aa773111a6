import { silentLogger } from "../../../src/base/index.js";
import { JobService, type JobServiceSettings } from "../../../src/service/jobs/index.js";
import { openStorage, type StorageSettings } from "../../../src/service/storage/index.js";
import { testJobKinds } from "./rowsJob.js";

// A worker as a process of its own: its settings are the first argument.
const settings = JSON.parse(process.argv[2]!) as JobServiceSettings & StorageSettings;
const storage = await openStorage(settings);
await JobService.start({ storage, settings, kinds: testJobKinds(), logger: silentLogger });
setInterval(() => {}, 1000);

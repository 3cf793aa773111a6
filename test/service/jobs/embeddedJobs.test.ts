import { temporaryFolder } from "../../support/temporaryFolder.js";
import { jobSuite } from "../suites/jobs.js";

jobSuite("files and no queue server", { data_dir: temporaryFolder("jobs") });

import { inject } from "vitest";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { jobSuite } from "../suites/jobs.js";

const [database, queue] = [inject("postgresUrl"), inject("redisUrl")];

jobSuite("PostgreSQL and Redis", { database, queue, data_dir: temporaryFolder("jobs-postgres-redis") });
jobSuite("files and Redis", { queue, data_dir: temporaryFolder("jobs-redis") });

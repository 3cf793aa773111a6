/**
 * Every error code, its exit status and one line on what it means. A test walks this catalogue and
 * `docs/errors.md`; a code that is retired is never used again.
 */
export const ERROR_CATALOGUE = {
  USAGE: { exit: 2, summary: "A command line that cannot be understood." },
  CONFIG_INVALID: {
    exit: 2,
    summary: "The configuration has errors; each is listed with file, line, key and mend.",
  },
  CONFIG_UNREADABLE: {
    exit: 2,
    summary: "A configuration file or an include cannot be read or is not TOML.",
  },
  CONFIG_UNKNOWN_KEY: { exit: 2, summary: "A key or section that the configuration does not have." },
  CONFIG_UNSUPPORTED: {
    exit: 2,
    summary: "A key or value of Plato's that is known but not supported yet.",
  },
  CONFIG_MISSING_KEY: { exit: 2, summary: "A key or section that has no default and was not given." },
  CONFIG_VALUE: { exit: 2, summary: "A value of the wrong type or outside its range." },
  CONFIG_CONFLICT: { exit: 2, summary: "Values that contradict each other." },
  CONFIG_NO_EFFECT: { exit: 2, summary: "A key that changes nothing here; only ever a warning." },
  NAME_TAKEN: { exit: 2, summary: "A registry already holds that name." },
  NAME_UNKNOWN: { exit: 2, summary: "A registry does not hold that name." },
  NAME_INVALID: { exit: 2, summary: "A name that a registry cannot take." },
  INPUT_UNREADABLE: { exit: 2, summary: "An input file is missing or malformed." },
  INPUT_TOO_LARGE: { exit: 2, summary: "Data that is larger than what may be fetched or sent." },
  ADDRESS_REFUSED: {
    exit: 2,
    summary: "An address from which nothing is fetched: private, with a password, or not of the web.",
  },
  RUN_EXISTS: { exit: 2, summary: "A run with that id exists; resume it or choose another id." },
  RUN_NOT_FOUND: { exit: 2, summary: "No run with that id, folder or CSV." },
  RUN_BUSY: { exit: 2, summary: "A run that has not ended cannot be evaluated afterwards." },
  RESUME_REFUSED: {
    exit: 2,
    summary: "The configuration differs from the recorded run's in a key that decides its numbers.",
  },
  REPRODUCTION_IMPOSSIBLE: {
    exit: 2,
    summary: "A recorded run that cannot be run again: its record does not say what it was, or has no rows.",
  },
  TOKEN_MISSING: { exit: 2, summary: "`server.token` is needed by `server` and `client`." },
  IMPORT_FAILED: { exit: 2, summary: "A module named by --import or `imports` cannot be loaded." },
  EVALUATOR_NOT_IN_WORKER: {
    exit: 2,
    summary: "An evaluator is registered in the caller only, not in the workers.",
  },
  EVALUATION_CONFIG: { exit: 2, summary: "An evaluation table without a usable type or with bad options." },
  TLS_INVALID: {
    exit: 2,
    summary: "A certificate or key file that cannot be used, or a server whose certificate is not accepted.",
  },
  PORT_UNAVAILABLE: { exit: 2, summary: "The server cannot listen on that address and port." },
  PATH_UNWRITABLE: { exit: 2, summary: "A folder of the run cannot be written." },
  BACKEND_UNAVAILABLE: { exit: 2, summary: "The compute back end asked for cannot be loaded here." },
  CAPABILITY_MISSING: { exit: 2, summary: "A model cannot answer the kind of request that was asked." },
  EVALUATION_FAILED: { exit: 1, summary: "An evaluator with fail_on_error = true failed." },
  EVALUATION_TIMEOUT: { exit: 1, summary: "An evaluator did not finish within its timeout." },
  RESULT_INVALID: { exit: 1, summary: "An evaluator returned something that is not a valid result." },
  WORKER_DIED: { exit: 1, summary: "A worker process ended before it had answered." },
  WORKER_TIMEOUT: { exit: 1, summary: "A worker process did not answer before its deadline." },
  TRAINING_FAILED: { exit: 1, summary: "Training on a client failed." },
  TEST_FAILED: { exit: 1, summary: "The testing strategy failed or returned something that is no number." },
  QUORUM_MISSED: { exit: 1, summary: "Too few clients connected or reported before the deadline." },
  CLIENT_STATE_LOST: {
    exit: 1,
    summary: "What an algorithm keeps for a logical client is not where the client is trained.",
  },
  CLIENT_FAILED: { exit: 1, summary: "A client failed and `general.debug = true` stops the run." },
  CONNECTION_REFUSED: { exit: 1, summary: "The server refused this client; the reason is given." },
  CONNECTION_LOST: { exit: 1, summary: "The connection to the server ended and could not be resumed." },
  PROTOCOL_VIOLATION: { exit: 1, summary: "A message that the protocol does not allow at that point." },
  PAYLOAD_INVALID: { exit: 1, summary: "A payload that is too large, incomplete, corrupt or malformed." },
  WEIGHTS_INVALID: { exit: 1, summary: "Weights whose names, types, shapes or values do not fit." },
  CHECKPOINT_INVALID: { exit: 2, summary: "A checkpoint that is missing, torn or of another model." },
  ROW_INVALID: {
    exit: 1,
    summary: "A row that a scorer cannot judge; in a list of rows it is recorded and the others go on.",
  },
  ROW_TIMEOUT: {
    exit: 1,
    summary: "A row took longer than one row may; it is recorded and the others go on.",
  },
  ROW_TOO_LARGE: {
    exit: 1,
    summary: "A row with longer texts than one row may have; it is recorded and the others go on.",
  },
  SCORING_FAILED: { exit: 1, summary: "None of the rows given to a scorer could be judged." },
  THRESHOLD_MISSED: { exit: 3, summary: "A metric did not reach what --threshold asks for." },
  DATA_INVALID: { exit: 2, summary: "A data set or partition that cannot be used as asked." },
  HUB_UNREACHABLE: {
    exit: 1,
    summary: "A hub of models and data sets did not answer, or too often only in part.",
  },
  HUB_REFUSED: {
    exit: 2,
    summary: "A hub refuses a repository: private, gated, or not there for this token.",
  },
  HUB_NOT_FOUND: {
    exit: 2,
    summary: "A repository, revision or file that is neither on the hub nor, offline, in the cache.",
  },
  HUB_CORRUPT: { exit: 1, summary: "A file of a hub came with another size or checksum than announced." },
  HUB_INVALID: { exit: 1, summary: "A hub answered something that a hub does not send." },
  ENDPOINT_UNREACHABLE: {
    exit: 1,
    summary: "A server of a language model did not answer, or only with errors that may pass.",
  },
  ENDPOINT_REFUSED: {
    exit: 2,
    summary: "A server of a language model refuses a request: no key for it, or settings it does not take.",
  },
  ENDPOINT_INVALID: {
    exit: 1,
    summary: "A server of a language model answered something that its protocol does not have.",
  },
  REQUEST_INVALID: {
    exit: 2,
    summary: "A request to the service that it cannot understand; each fault is named.",
  },
  NOT_FOUND: { exit: 2, summary: "What a request to the service names is not there." },
  CONFLICT: {
    exit: 2,
    summary: "A request that contradicts what the service has: a name that is taken, a job that has ended.",
  },
  UNAUTHENTICATED: { exit: 2, summary: "A request to the service without a token that it knows." },
  PERMISSION_DENIED: { exit: 2, summary: "A request to the service that its token does not allow." },
  LIMIT_EXCEEDED: {
    exit: 2,
    summary: "A request to the service with more bytes, rows or tokens than it takes.",
  },
  RATE_LIMITED: {
    exit: 1,
    summary: "More requests with one token than the service answers within a minute.",
  },
  JOB_CANCELLED: { exit: 1, summary: "A job that a command waited for was cancelled." },
  SERVICE_UNREACHABLE: { exit: 1, summary: "The service did not answer, or its answer broke off." },
  SERVICE_INVALID: { exit: 1, summary: "The service answered something that its protocol does not have." },
  STORAGE_FAILED: {
    exit: 1,
    summary: "The place where the service keeps its data cannot be reached, read or written.",
  },
  QUEUE_FAILED: { exit: 1, summary: "The queue that hands jobs to workers cannot be reached." },
  JOB_UNKNOWN: { exit: 2, summary: "No job with that id." },
  JOB_ENDED: { exit: 2, summary: "A job that has ended cannot be cancelled." },
  JOB_PARAMS: { exit: 2, summary: "A job's parameters are not what its kind takes." },
  JOB_LOST: { exit: 1, summary: "Worker after worker was lost while it had a job." },
  RECORD_CORRUPT: { exit: 2, summary: "A run's files contradict each other." },
  DEADLINE_EXCEEDED: { exit: 1, summary: "A wait reached its deadline." },
  INTERRUPTED: { exit: 130, summary: "The run was stopped by a signal after its files were closed." },
  INTERNAL: { exit: 1, summary: "A defect of the product itself." },
} as const satisfies Record<string, { exit: number; summary: string }>;

/** A stable error code. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;

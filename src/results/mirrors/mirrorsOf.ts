import type { Logger } from "../../base/index.js";
import type { Config } from "../../config/index.js";
import { CometMirror } from "./cometMirror.js";
import type { Mirror } from "./mirror.js";
import { MlflowMirror } from "./mlflowMirror.js";
import { TensorboardMirror } from "./tensorboardMirror.js";

/** Variables of the environment that hold addresses and keys, as the clients of those services read them. */
export type MirrorEnvironment = Readonly<Record<string, string | undefined>>;

/** The mirrors that `[results]` asks for. One that lacks an address or a key is told and left out. */
export function mirrorsOf(
  { mirrors, mlflow_url, comet_url, comet_workspace }: Config["results"],
  environment: MirrorEnvironment,
  logger: Logger,
): Mirror[] {
  const missing = (name: string, what: string): Mirror[] => {
    logger.warn(`The mirror "${name}" is left out: ${what}.`);
    return [];
  };
  const make = {
    tensorboard: () => [new TensorboardMirror()],
    mlflow: () => {
      const url = mlflow_url ?? environment.MLFLOW_TRACKING_URI;
      if (!url) return missing("mlflow", "set results.mlflow_url or MLFLOW_TRACKING_URI");
      return [new MlflowMirror(url, environment.MLFLOW_TRACKING_TOKEN)];
    },
    comet: () => {
      const key = environment.COMET_API_KEY;
      const workspace = comet_workspace ?? environment.COMET_WORKSPACE;
      if (!key) return missing("comet", "set COMET_API_KEY");
      if (!workspace) return missing("comet", "set results.comet_workspace or COMET_WORKSPACE");
      return [new CometMirror({ url: comet_url, key, workspace })];
    },
  };
  return mirrors.flatMap((name) => make[name]());
}

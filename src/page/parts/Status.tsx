/** How a run or a job stands: a word, and a colour beside it. */
export function Status({ status }: { status: string | null }) {
  const shown = status ?? "unknown";
  return <span class={`status status-${KINDS[shown] ?? "quiet"}`}>{shown.replace("_", " ")}</span>;
}

const KINDS: Record<string, string> = {
  running: "active",
  in_progress: "active",
  scheduled: "waiting",
  completed: "good",
  failed: "bad",
  interrupted: "warn",
  cancelled: "quiet",
};

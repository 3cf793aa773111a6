import { useState } from "preact/hooks";
import { announce } from "../parts/Announcer.jsx";
import { service } from "../service/service.js";

/** Cancels a job; what it has stored stays. */
export function CancelButton({ id, done }: { id: string; done: () => void }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const cancel = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await service.cancelJob(id);
      announce(`Job ${id} is cancelled.`);
      done();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" aria-label={`Cancel ${id}`} disabled={busy} onClick={() => void cancel()}>
        Cancel
      </button>
      {problem !== undefined && (
        <span class="bad-text" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}

import { useState } from "preact/hooks";
import { Dialog } from "../parts/Dialog.jsx";
import { Problem } from "../parts/States.jsx";
import { service } from "../service/service.js";

/** Asks before a data set is forgotten. */
export function DeleteDialog({ name, close }: { name: string; close: (changed: boolean) => void }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const remove = async () => {
    setBusy(true);
    try {
      await service.deleteDataset(name);
      close(true);
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Delete ${name}?`} close={() => close(false)}>
      <p>The service forgets it, and the rows that were given for it. Jobs keep what they have stored.</p>
      {problem && <Problem problem={problem} />}
      <div class="buttons">
        <button type="button" onClick={() => close(false)}>
          Keep it
        </button>
        <button type="button" class="danger" disabled={busy} onClick={() => void remove()}>
          Delete
        </button>
      </div>
    </Dialog>
  );
}

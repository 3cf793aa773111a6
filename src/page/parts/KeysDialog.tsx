import { Dialog } from "./Dialog.jsx";

const KEYS = [
  ["/", "search"],
  ["j, k", "next and previous row of a list"],
  ["Enter", "open what is marked"],
  ["Esc", "leave the search box, close a dialog"],
  ["?", "this list"],
] as const;

/** What the keys do. */
export function KeysDialog({ close }: { close: () => void }) {
  return (
    <Dialog title="Keys" close={close}>
      <dl class="keys">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

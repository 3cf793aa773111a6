import { useState } from "preact/hooks";
import { setToken } from "../service/token.js";
import { Dialog } from "./Dialog.jsx";

/** Asks for a token. */
export function TokenDialog({ why }: { why: string }) {
  const [typed, setTyped] = useState("");
  return (
    <Dialog title="This service asks for a token">
      <p class="quiet">{why}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== "") setToken(typed.trim());
        }}
      >
        <label class="field">
          Token
          <input
            type="password"
            autocomplete="off"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <p class="quiet">It is kept until this tab is closed, and goes to this service only.</p>
        <div class="buttons">
          <button type="submit" class="primary">
            Use token
          </button>
        </div>
      </form>
    </Dialog>
  );
}

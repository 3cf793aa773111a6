import { useState } from "preact/hooks";
import { Dialog } from "../parts/Dialog.jsx";
import { Problem } from "../parts/States.jsx";
import { service } from "../service/service.js";
import { parseRows } from "./parseRows.js";

const SOURCES = { url: "Address", rows: "Rows", file: "File" } as const;
type Source = keyof typeof SOURCES;

/** Registers a data set: an address, rows as they stand here, or a file from this machine. */
export function RegisterDialog({ close }: { close: (changed: boolean) => void }) {
  const [source, setSource] = useState<Source>("url");
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [text, setText] = useState("");
  const [file, setFile] = useState<File>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const register = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      if (source === "rows") await service.registerRows(name, parseRows(text));
      else if (source === "url") await service.defineDataset(name, url.trim());
      else if (file !== undefined) {
        const { id } = await service.upload(file);
        await service.defineDataset(name, `upload:${id}`);
      } else throw new Error("Choose a file.");
      close(true);
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
      setBusy(false);
    }
  };
  return (
    <Dialog title="Register a data set" close={() => close(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void register();
        }}
      >
        <label class="field">
          Name
          <input
            required
            value={name}
            autocomplete="off"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <fieldset class="options">
          <legend>Source</legend>
          {Object.entries(SOURCES).map(([key, words]) => (
            <label key={key} class="check">
              <input
                type="radio"
                name="source"
                checked={source === key}
                onChange={() => setSource(key as Source)}
              />
              {words}
            </label>
          ))}
        </fieldset>
        {source === "url" && (
          <label class="field">
            Address
            <input
              required
              value={url}
              placeholder="https://…, huggingface://…, or a file of the data folder"
              onInput={(event) => setUrl(event.currentTarget.value)}
            />
          </label>
        )}
        {source === "rows" && (
          <label class="field">
            Rows: an object on each line, or a JSON array
            <textarea
              rows={7}
              spellcheck={false}
              value={text}
              placeholder='{"input_query": "2 + 2?", "expected_answer": "4"}'
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
        )}
        {source === "file" && (
          <label class="field">
            File: CSV, TSV, JSON, JSON lines, parquet or XLSX
            <input
              type="file"
              accept=".csv,.tsv,.json,.jsonl,.parquet,.xlsx"
              onChange={(event) => setFile(event.currentTarget.files?.[0])}
            />
          </label>
        )}
        {problem && <Problem problem={problem} />}
        <div class="buttons">
          <button type="button" onClick={() => close(false)}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={busy}>
            {busy ? "Registering …" : "Register"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

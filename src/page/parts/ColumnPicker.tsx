import { useId, useState } from "preact/hooks";
import { ColumnName } from "./ColumnName.jsx";
import { counted } from "./numbers.js";
import { holdsWords, SearchBox } from "./SearchBox.jsx";

/** How many names are offered at a time. */
const OFFERED = 60;

/** Columns by name: words narrow the list, ticks choose. Both stand in the address. */
export function ColumnPicker(props: {
  columns: readonly string[];
  chosen: readonly string[];
  find: string;
  onFind: (text: string) => void;
  onChoose: (columns: readonly string[]) => void;
  /** Words open the list, where nothing else shows what they found. */
  opens?: boolean;
}) {
  const { columns, chosen, find, onFind, onChoose } = props;
  const id = useId();
  const [toggled, setToggled] = useState<boolean>();
  const open = toggled ?? (props.opens === true && find !== "");
  const found = columns.filter((column) => holdsWords(column, find));
  const offered = [...chosen.filter((name) => !found.includes(name)), ...found].slice(0, OFFERED);
  return (
    <div class="picker">
      <div class="tools">
        <SearchBox
          label="Find columns by name"
          value={find}
          onChange={onFind}
          found={counted(found.length, "column")}
        />
        <span class="quiet" aria-hidden="true">
          {found.length} of {columns.length}
        </span>
        {(chosen.length > 0 || find !== "") && (
          <button
            type="button"
            class="plain"
            onClick={() => {
              onChoose([]);
              onFind("");
            }}
          >
            Reset
          </button>
        )}
      </div>
      <details
        open={open}
        onToggle={({ currentTarget }) => currentTarget.open !== open && setToggled(currentTarget.open)}
      >
        <summary>Choose columns{chosen.length > 0 ? ` (${chosen.length} chosen)` : ""}</summary>
        <fieldset class="choices" aria-label="Columns">
          {offered.map((column) => (
            <label key={column} class="choice" for={`${id}-${column}`}>
              <input
                id={`${id}-${column}`}
                type="checkbox"
                checked={chosen.includes(column)}
                onChange={(event) =>
                  onChoose(
                    event.currentTarget.checked
                      ? [...chosen, column]
                      : chosen.filter((name) => name !== column),
                  )
                }
              />
              <ColumnName name={column} />
            </label>
          ))}
          {found.length > offered.length && (
            <span class="quiet">and {found.length - offered.length} more: narrow them by name</span>
          )}
        </fieldset>
      </details>
    </div>
  );
}

import { useState } from "preact/hooks";
import { chooseTheme, chosenTheme, THEMES, type Theme } from "./theme.js";

const NAMES: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

/** Light, dark, or as the system has it. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme());
  return (
    <label class="theme">
      <span class="unseen">Colours</span>
      <select
        value={theme}
        onChange={(event) => {
          const chosen = THEMES.find((one) => one === event.currentTarget.value) ?? "system";
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      >
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {NAMES[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A choice outlives the tab; `system` is what nobody chose. */
const PLACE = "elenchus-theme";
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** What was chosen. */
export function chosenTheme(): Theme {
  const kept = localStorage.getItem(PLACE);
  return THEMES.find((theme) => theme === kept) ?? "system";
}

/** Chooses, and tells charts, whose colours are no style of the page's. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, theme);
  applyTheme();
  dispatchEvent(new Event("themechange"));
}

/** Writes the choice where styles look. */
export function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Whether colours are dark now. */
export function isDark(): boolean {
  const theme = chosenTheme();
  return theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
}

/** Calls back whenever the colours change, by choice or with the system's. */
export function onThemeChange(heard: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  addEventListener("themechange", heard);
  system.addEventListener("change", heard);
  return () => {
    removeEventListener("themechange", heard);
    system.removeEventListener("change", heard);
  };
}

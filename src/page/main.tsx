import { render } from "preact";
import { App } from "./app.jsx";
import { watchListKeys } from "./parts/listKeys.js";
import { applyTheme } from "./parts/theme.js";

applyTheme();
watchListKeys();
const root = document.getElementById("page");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}

import { type Browser, chromium } from "playwright-core";
import { outsideProgram } from "./outsideProgram.js";

/** Starts the browser that is installed here, without a window. CHROMIUM may name its program. */
export async function startChromium(): Promise<Browser> {
  const executablePath =
    process.env.CHROMIUM ??
    outsideProgram("chromium", {
      variable: "CHROMIUM_BIN",
      mend: "Install it (Debian: `apt-get install chromium`)",
    });
  // As root, which tests in containers are, Chromium does not start within its own walls.
  return await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A page whose requests are watched: those that go elsewhere are stopped, and told. */
export interface WatchedPage {
  readonly page: Page;
  /** Addresses outside the service that were asked for, and errors of scripts. */
  readonly faults: string[];
}

/** Opens a page of a service in a context of its own. */
export async function watchedPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 760 }, ...options });
  const faults: string[] = [];
  await context.route("**/*", async (route) => {
    const asked = route.request().url();
    if (asked.startsWith(`${url}/`) || asked.startsWith("data:")) return await route.continue();
    faults.push(`asked elsewhere: ${asked}`);
    await route.abort();
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A refusal of the content policy is one of these.
    if (message.type() === "error" && !/status of 40\d/.test(message.text())) faults.push(message.text());
  });
  return { page, faults };
}

/**
 * What those who cannot see, or cannot see well, would miss: names of controls and pictures, labels, headings in
 * order, ids that are unique, controls that lie over others, and texts whose contrast with their ground is below 4.5 (3 for large ones).
 */
export async function barriers(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found: string[] = [];
    const all = [...document.querySelectorAll<HTMLElement>("body *")];
    const seen = all.filter((one) =>
      one.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
    );
    const named = (one: Element) =>
      (one.getAttribute("aria-label") ?? "").trim() !== "" ||
      one.hasAttribute("aria-labelledby") ||
      (one.textContent ?? "").trim() !== "";
    const shown = (one: Element) => one.outerHTML.slice(0, 120);

    const ids = all.map(({ id }) => id).filter((id) => id !== "");
    for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push(`two of id ${id}`);
    for (const one of seen) {
      if (one.matches("a, button, summary, [role=img], dialog, section[tabindex]") && !named(one)) {
        found.push(`no name: ${shown(one)}`);
      }
      if (one.matches("input, select, textarea") && !one.hasAttribute("aria-label")) {
        const labels = (one as HTMLInputElement).labels ?? [];
        if (![...labels].some((label) => named(label))) found.push(`no label: ${shown(one)}`);
      }
      const field = one.matches(".field > *") ? one.parentElement : null;
      if (field !== null && one.getBoundingClientRect().right > field.getBoundingClientRect().right + 1) {
        found.push(`wider than its field: ${shown(one)}`);
      }
      if (one.matches("th") && !one.hasAttribute("scope")) found.push(`no scope: ${shown(one)}`);
      for (const id of (one.getAttribute("aria-controls") ?? "").split(" ").filter(Boolean)) {
        const open = one.getAttribute("aria-expanded") === "true";
        if (open && document.getElementById(id) === null) found.push(`controls nothing: ${shown(one)}`);
      }
    }
    if (document.querySelectorAll("h1").length !== 1) found.push("not one h1");
    if (document.querySelectorAll("main").length !== 1) found.push("not one main");
    let level = 1;
    for (const heading of document.querySelectorAll("main h1, main h2, main h3")) {
      const here = Number(heading.tagName[1]);
      if (here > level + 1) found.push(`a level is left out before ${shown(heading)}`);
      level = here;
    }

    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const ink = canvas.getContext("2d", { willReadFrequently: true })!;
    /** Red, green and blue of 0 to 255, and opacity of 0 to 1, of whatever a style says. */
    const known = new Map<string, number[]>();
    const colour = (style: string): number[] => {
      const before = known.get(style);
      if (before !== undefined) return before;
      ink.clearRect(0, 0, 1, 1);
      ink.fillStyle = style;
      ink.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0, a = 0] = ink.getImageData(0, 0, 1, 1).data;
      known.set(style, [r, g, b, a / 255]);
      return [r, g, b, a / 255];
    };
    const over = (top: number[], below: number[]) =>
      [0, 1, 2].map((at) => top[at]! * top[3]! + below[at]! * (1 - top[3]!)).concat(1);
    const ground = (one: Element | null): number[] => {
      if (one === null) return [255, 255, 255, 1];
      const own = colour(getComputedStyle(one).backgroundColor);
      return own[3] === 1 ? own : over(own, ground(one.parentElement));
    };
    // Relative luminance and contrast as WCAG 2.2 has them.
    const luminance = (rgb: number[]) =>
      [0.2126, 0.7152, 0.0722].reduce((sum, weight, at) => {
        const part = rgb[at]! / 255;
        return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
      }, 0);
    for (const one of seen) {
      const text = [...one.childNodes].some(
        (node) => node.nodeType === 3 && (node.textContent ?? "").trim() !== "",
      );
      if (!text || one.closest(".unseen, :disabled, option, noscript, title") !== null) continue;
      const style = getComputedStyle(one);
      const behind = ground(one);
      const opacity = Number(style.opacity);
      const front = colour(one instanceof SVGElement ? style.fill : style.color);
      const mixed = over([front[0]!, front[1]!, front[2]!, front[3]! * opacity], behind);
      const [light, dark] = [luminance(mixed), luminance(behind)].sort((a, b) => b - a) as [number, number];
      const ratio = (light + 0.05) / (dark + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5)) found.push(`contrast ${ratio.toFixed(2)}: ${shown(one)}`);
    }
    return [...new Set(found)];
  });
}

// How long a run of 1,000 rounds with 200 columns takes to show its first row: the page of `elenchus serve` in Chromium
// against two static pages served by the same process, one with the whole table in it as HTML, and one of as many bytes
// as ours took until its first row. Medians of five loads with an empty cache; the first of each is not counted.
// Run: npm run build && node --import tsx bench/page.ts

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { createRecord } from "../src/results/index.js";
import { servePage } from "../test/service/support/pageService.js";
import { startChromium } from "../test/support/chromium.js";

const [ROUNDS, COLUMNS, LOADS] = [1000, 200, 5];

const columns = [
  "round",
  ...Array.from({ length: COLUMNS - 1 }, (_, at) => `metric_${at + 1}_of_a_benchmark`),
];
const rows = Array.from({ length: ROUNDS }, (_, round) =>
  columns.map((_, at) => (at === 0 ? round + 1 : Math.sin(round * 0.01 + at) * 0.5 + 0.5)),
);

const base = await mkdtemp(join(tmpdir(), "elenchus-bench-page-"));
const browser = await startChromium();
try {
  await record();
  const served = await servePage(base);
  const whole = tablePage(ROUNDS);
  try {
    const page = await loads(`${served.url}/#/runs/big`, "tbody tr[data-loaded=true] td");
    const wholeTable = await staticLoads(whole);
    const sameBytes = await staticLoads(paddedPage(page.bytes));
    console.log(
      JSON.stringify({
        rounds: ROUNDS,
        columns: COLUMNS,
        page: shown(page),
        static_whole_table: shown(wholeTable),
        static_same_bytes: shown(sameBytes),
        ratio_whole_table: rounded(page.median / wholeTable.median),
        ratio_same_bytes: rounded(page.median / sameBytes.median),
      }),
    );
  } finally {
    await served.stop();
  }
} finally {
  await browser.close();
  await rm(base, { recursive: true, force: true });
}

interface Loads {
  /** Milliseconds from the beginning of the navigation until a frame with the first row has been drawn. */
  readonly median: number;
  /** Bytes that had come by then, headers left out. */
  readonly bytes: number;
}

async function loads(url: string, selector: string): Promise<Loads> {
  const times: number[] = [];
  let bytes = 0;
  for (let load = 0; load <= LOADS; load += 1) {
    const one = await loadOnce(browser, url, selector);
    if (load > 0) times.push(one.time);
    bytes = one.bytes;
  }
  return { median: times.sort((a, b) => a - b)[Math.floor(LOADS / 2)]!, bytes };
}

async function loadOnce(
  from: Browser,
  url: string,
  selector: string,
): Promise<{ time: number; bytes: number }> {
  const context = await from.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    // Runs in the page. The frame behind the one that a callback belongs to has been drawn when the next begins.
    await page.addInitScript(`(() => {
      const look = () => {
        const cell = document.querySelector(${JSON.stringify(selector)});
        if (cell === null || cell.textContent === "") return requestAnimationFrame(look);
        requestAnimationFrame(() => { window.firstRow = performance.now(); });
      };
      requestAnimationFrame(look);
    })()`);
    await page.goto(url, { waitUntil: "commit" });
    const time = await firstRow(page);
    const bytes = await page.evaluate(`(() => {
      const done = performance.getEntriesByType("resource").filter((one) => one.responseEnd <= window.firstRow);
      const [document] = performance.getEntriesByType("navigation");
      return [document, ...done].reduce((sum, one) => sum + one.encodedBodySize, 0);
    })()`);
    return { time, bytes: Number(bytes) };
  } finally {
    await context.close();
  }
}

async function firstRow(page: Page): Promise<number> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(20)) {
    const time = await page.evaluate("window.firstRow");
    if (typeof time === "number") return time;
  }
  throw new Error("no row within a minute");
}

async function staticLoads(html: string): Promise<Loads> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    // Its first row may be there before its last byte.
    return { ...(await loads(url, "tbody tr td")), bytes: html.length };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  }
}

async function record(): Promise<void> {
  const folder = join(base, "results");
  await mkdir(folder, { recursive: true });
  const config = { results: { types: columns } };
  const run = await createRecord({ folder, runId: "big", config });
  for (const row of rows) {
    await run.append(Object.fromEntries(columns.map((column, at) => [column, row[at]])) as { round: number });
  }
  await run.finish();
}

/** A plain table of the newest rows. */
function tablePage(count: number): string {
  const line = (cells: readonly (number | string)[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const body = rows.slice(rows.length - count).reverse();
  return `<!doctype html><title>big</title><table><thead>${line(columns, "th")}</thead><tbody>${body
    .map((row) => line(row, "td"))
    .join("\n")}</tbody></table>`;
}

/** As many rows as make up so many bytes. */
function paddedPage(bytes: number): string {
  const each = (tablePage(ROUNDS).length - tablePage(0).length) / ROUNDS;
  return tablePage(Math.max(1, Math.round((bytes - tablePage(0).length) / each)));
}

function shown({ median, bytes }: Loads): { first_row_ms: number; bytes: number } {
  return { first_row_ms: rounded(median), bytes };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

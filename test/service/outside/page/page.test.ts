import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoopRecord } from "../../../../src/results/index.js";
import { outcome } from "../../../results/fixtures.js";
import { startChromium } from "../../../support/chromium.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { appendRound, longRecord, pageRecords } from "../../support/pageRecords.js";
import { type ServedPage, servePage, slowEndpoint } from "../../support/pageService.js";
import { barriers, type WatchedPage, watchedPage } from "./lookedAtPage.js";

const base = temporaryFolder("page");
let live: LoopRecord;
let served: ServedPage;
let endpoint: Awaited<ReturnType<typeof slowEndpoint>>;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  ({ live } = await pageRecords(base));
  [served, endpoint, browser] = await Promise.all([servePage(base), slowEndpoint(200), startChromium()]);
  watched = await watchedPage(browser, served.url);
  ({ page } = watched);
});
afterAll(async () => {
  await browser?.close();
  await live?.finish();
  await Promise.all([served?.stop(), endpoint?.close()]);
});

const post = async (path: string, body: object): Promise<{ job_id: string }> => {
  const headers = { "content-type": "application/json" };
  const reply = await fetch(`${served.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(reply.status).toBeLessThan(300);
  return await reply.json();
};
/** A view from the beginning, as a link from elsewhere opens it. */
const open = async (address: string, on = page) => {
  await on.goto("about:blank");
  await on.goto(`${served.url}/#/${address}`);
  await on.locator("main h1").waitFor();
  await on.locator("main .spinner").waitFor({ state: "detached" });
};
/** The same from another view, as a link within the page does it. */
const move = async (address: string, on: Page) => {
  await on.locator("main h1").evaluate((old) => old.setAttribute("data-old", ""));
  await on.goto(`${served.url}/#/${address}`);
  await on.locator("main h1:not([data-old])").waitFor();
  await on.locator("main .spinner").waitFor({ state: "detached" });
};
const focused = () =>
  page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
  );

describe("a run", () => {
  it("shows its newest rows first, and which way each metric is better", async () => {
    await open("runs/tuned");
    const rounds = await page.locator("tbody th[scope=row]").allTextContents();
    expect(rounds).toEqual(Array.from({ length: 12 }, (_, place) => String(12 - place)));
    const loss = page.getByRole("columnheader", { name: /evaluation_loss\s.*lower is better/ });
    await expect.poll(() => loss.count()).toBe(1);
    expect(await page.locator("tbody tr").first().locator("td").first().textContent()).toBe("0.9000");
  });

  it("shows rows as they are recorded, says so, and takes in new columns", async () => {
    await open("runs/live");
    await page.locator("tr[data-place='0'][data-loaded=true]").waitFor();
    await appendRound(live, 2, 0.04);
    await page.locator("tr[data-place='1'][data-loaded=true]").waitFor();
    const told = page.locator("[data-announcer]");
    await expect.poll(() => told.textContent()).toMatch(/^New row: round 2, accuracy 0\.38/);
    expect(await told.getAttribute("aria-live")).toBe("polite");
    await live.append({ round: 3, accuracy: 0.5 }, [outcome("lighteval", { arc_easy_acc: 0.5, added: 7 })]);
    await page.getByRole("columnheader", { name: "evaluation_added" }).waitFor();
    expect(await page.locator("tbody th[scope=row]").allTextContents()).toEqual(["3", "2", "1"]);
  });

  it("is narrowed to columns by name, which the address keeps", async () => {
    await open("runs/tuned");
    await page.keyboard.press("/");
    expect(await focused()).toBe("");
    await page.keyboard.type("loss ci");
    const names = () => page.locator("thead th").allTextContents();
    await expect.poll(names).toEqual(["round", "evaluation_loss_ci_low", "evaluation_loss_ci_high"]);
    await page.getByText("Choose columns").click();
    await page.getByRole("checkbox", { name: "evaluation_loss_ci_low" }).check();
    await expect.poll(names).toHaveLength(2);
    expect(page.url()).toContain("columns=evaluation_loss_ci_low");
    await page.reload();
    await expect.poll(names).toEqual(["round", "evaluation_loss_ci_low"]);
  });

  it("that is not there is told in the service's words", async () => {
    await open("runs/none");
    expect(await page.getByRole("alert").textContent()).toContain("RUN_NOT_FOUND There is no run");
  });
});

describe("a long run", () => {
  it("draws what is in sight, and loads the rest when it is looked at", async () => {
    await longRecord(base, { rounds: 300, columns: 60 });
    await open("runs/long");
    await page.locator("tr[data-place='299'][data-loaded=true]").waitFor();
    expect(await page.locator("tbody tr[data-place]").count()).toBeLessThan(60);
    expect(await page.locator("thead th").count()).toBeLessThan(20);
    const table = page.getByRole("table");
    expect(await table.getAttribute("aria-rowcount")).toBe("301");
    expect(await table.getAttribute("aria-colcount")).toBe("60");
    const box = page.getByRole("region", { name: "Rows of long" });
    await box.evaluate((one) => one.scrollTo(one.scrollWidth, one.scrollHeight));
    const oldest = page.locator("tr[data-place='0'][data-loaded=true]");
    await oldest.waitFor();
    expect(await oldest.getAttribute("aria-rowindex")).toBe("301");
    // Round 1, and its last column.
    expect(await oldest.locator("th").textContent()).toBe("1");
    await page.getByRole("columnheader", { name: "metric_59" }).waitFor();
    expect(await oldest.locator("td").last().textContent()).toBe("60");
  });
});

describe("metrics", () => {
  it("of several runs stand side by side, with directions and bars of error", async () => {
    await open("runs");
    for (const run of ["tuned", "plain"]) await page.getByRole("checkbox", { name: `Choose ${run}` }).check();
    await page.getByRole("button", { name: "Metrics side by side" }).click();
    await page.getByText("Choose columns").click();
    for (const name of ["evaluation_arc_easy_acc", "accuracy"]) {
      await page.getByRole("checkbox", { name, exact: true }).check();
    }
    const charts = page.locator(".chart svg");
    await expect.poll(() => charts.count()).toBe(2);
    // For each of 24 measured rounds a bar with two feet; accuracy has none.
    const bars = (chart: number) => charts.nth(chart).locator("path[stroke-width='1.25']").count();
    await expect.poll(() => bars(0)).toBe(72);
    expect(await bars(1)).toBe(0);
    const words = await page.locator(".chart").first().getAttribute("aria-label");
    expect(words).toContain("tuned: 0.3500 in round 1, 0.9000 in round 12; plain: 0.3350 in round 1");
    expect(await page.locator(".metric-name").first().textContent()).toContain("higher is better");
    expect(await page.locator(".legend tbody tr").first().textContent()).toContain("0.9000 @12");
  });
});

describe("a comparison", () => {
  it("of two rounds says what is better, and how sure that is", async () => {
    await open("compare?a=plain&b=tuned");
    const row = page.getByRole("row", { name: /arc_easy acc/ });
    // 29 and 37 of 40 are right.
    expect(await row.textContent()).toContain("0.72500.9250+0.2000");
    expect(await row.getByRole("img").getAttribute("aria-label")).toMatch(/^\+0\.\d+ to \+0\.\d+$/);
    await page.getByRole("button", { name: "Swap A and B" }).click();
    await expect.poll(() => row.textContent()).toContain("−0.2000");
  });
});

describe("samples", () => {
  it("that went wrong come first, and what they say stays text", async () => {
    await open("samples?run=tuned");
    expect(await page.locator("main h2").allTextContents()).toEqual(["Failures 3", "Others 37"]);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const whole = page.locator(".sample-whole");
    expect(await whole.textContent()).toContain(
      '<img src="//elsewhere.example/11" onerror="alert(1)"> no idea',
    );
    expect(await whole.textContent()).toContain("Question: What is the author of Faust?");
    expect(await page.locator("main img").count()).toBe(0);
    await page.getByRole("button", { name: "Load more (7 left)" }).click();
    await expect.poll(() => page.locator(".sample").count()).toBe(40);
  });
});

describe("jobs", () => {
  it("show how far they are and what they say, and are cancelled", async () => {
    const rows = Array.from({ length: 300 }, (_, place) => ({
      input_query: `${place}?`,
      expected_answer: "Paris",
    }));
    const source = { type: "rows", rows };
    await post("/v1/datasets", { dataset_id: "many", purpose: "eval/question-answer", source });
    const model = `${endpoint.url}#parrot`;
    const { job_id: id } = await post("/evals/job/create", { model, dataset: "many", task: "chat" });
    await open("jobs");
    const row = page.getByRole("row", { name: new RegExp(id) });
    await expect
      .poll(() => row.textContent())
      .toMatch(/in progress.*[1-9]\d* of 600 · [\d.]+\/s · \d+ s left/);
    const bar = row.getByRole("progressbar");
    expect(Number(await bar.getAttribute("max"))).toBe(600);
    await row.getByRole("link").click();
    const log = page.getByRole("region", { name: "Log of the job" });
    await expect.poll(() => log.textContent()).toContain("answers: begins");
    await page.getByRole("button", { name: `Cancel ${id}` }).click();
    await expect.poll(() => page.locator(".status").textContent()).toBe("cancelled");
    await page.getByRole("button", { name: /^generated/ }).click();
    await expect
      .poll(() => page.getByRole("region", { name: "Rows of generated" }).textContent())
      .toContain("Paris");
  });
});

describe("data sets and scorers", () => {
  it("are registered from rows, looked at and deleted", async () => {
    await open("datasets");
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByLabel("Name").fill("typed");
    await page.getByRole("radio", { name: "Rows" }).check();
    const box = page.getByLabel(/an object on each line/);
    await box.fill('{"input_query": "a"}\n{"input_query": ');
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Register" }).click();
    await expect.poll(() => dialog.getByRole("alert").textContent()).toContain("Line 2");
    await box.fill('{"input_query": "a"}\n{"input_query": "b"}');
    await dialog.getByRole("button", { name: "Register" }).click();
    await page.getByRole("link", { name: "typed", exact: true }).click();
    await expect.poll(() => page.locator("main table").textContent()).toBe("#input_query0a1b");
    await page.goBack();
    await page.getByRole("button", { name: "Delete typed" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => page.getByRole("link", { name: "typed", exact: true }).count()).toBe(0);
  });

  it("are registered from a file", async () => {
    await open("datasets");
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByLabel("Name").fill("uploaded");
    await page.getByRole("radio", { name: "File" }).check();
    const buffer = Buffer.from("input_query,expected_answer\nwhere?,here\n");
    await page.getByLabel(/^File: CSV/).setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer });
    await page.getByRole("dialog").getByRole("button", { name: "Register" }).click();
    await page.getByRole("link", { name: "uploaded" }).click();
    await expect.poll(() => page.locator("main table").textContent()).toContain("where?here");
  });

  it("judge rows that are pasted", async () => {
    await open("scorers");
    await page.keyboard.press("/");
    await page.keyboard.type("accuracy");
    await page.getByRole("link", { name: "accuracy", exact: true }).click();
    await page.getByRole("button", { name: "Score these rows" }).click();
    await expect
      .poll(() => page.locator(".facts").first().textContent())
      .toContain("metrics · accuracy0.5000");
    const table = page.getByRole("region", { name: "Scored rows" });
    expect(await table.locator("tbody tr").allTextContents()).toEqual(["01ParisParis", "1054"]);
  });
});

describe("with keys alone", () => {
  it("everything is reached, the content in one step, and lists by j and k", async () => {
    await open("runs");
    await page.locator("[data-row]").first().waitFor();
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to content");
    const ring = () =>
      page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!);
        return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
      });
    expect(await ring()).toBe(true);
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.matches("input[type=search]"))).toBe(true);

    await open("runs");
    await page.locator("[data-row]").first().waitFor();
    const reached = new Set<string>();
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press("Tab");
      const place = await page.evaluate(() => document.activeElement?.outerHTML ?? "");
      if (place.startsWith("<body")) break;
      expect(await ring(), place).toBe(true);
      reached.add(place);
    }
    const wanted = await page
      .locator("a[href], button:enabled, select, input")
      .evaluateAll((all) => all.map((one) => one.outerHTML));
    expect([...reached]).toEqual(expect.arrayContaining(wanted));

    await page.getByRole("heading", { level: 1 }).click();
    const names = await page.locator("[data-row]").allTextContents();
    await page.keyboard.press("j");
    expect(await focused()).toBe(names[0]);
    await page.keyboard.press("j");
    expect(await focused()).toBe(names[1]);
    await page.keyboard.press("k");
    expect(await focused()).toBe(names[0]);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain(`#/runs/${names[1]}`);
    // Whoever comes from another view is put at the beginning of this one.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    expect(await page.title()).toBe(`${names[1]} · Elenchus`);
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").textContent()).toContain("next and previous row");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });
});

const VIEWS = [
  ...["runs", "runs/tuned", "metrics?run=tuned&run=plain", "compare?a=plain&b=tuned", "samples?run=tuned"],
  ...["jobs", "datasets", "datasets/many", "scorers", "scorers/accuracy", "samples", "runs/none"],
];

describe("every view", () => {
  it.each([
    ["light", { colorScheme: "light" }],
    ["dark", { colorScheme: "dark" }],
    [
      "on a phone",
      { colorScheme: "light", viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    ],
  ] as const)(
    "can be read and used by everybody: %s",
    async (_, options) => {
      const other = await watchedPage(browser, served.url, options);
      await open("compare", other.page);
      for (const view of VIEWS) {
        await move(view, other.page);
        expect({ view, barriers: await barriers(other.page) }).toEqual({ view, barriers: [] });
        const beyond = await other.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect({ view, beyond }).toEqual({ view, beyond: 0 });
      }
      const ground = await other.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(/rgb\((\d+)/.exec(ground)![1]!.length).toBe(options.colorScheme === "dark" ? 2 : 3);
      expect(other.faults).toEqual([]);
      await other.page.context().close();
    },
    300_000,
  );

  it("takes the colours that were chosen, whatever the system has", async () => {
    await open("runs");
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await ground();
    await page.getByLabel("Colours").selectOption("dark");
    const dark = await ground();
    expect(dark).not.toBe(before);
    await page.reload();
    await page.locator("main h1").waitFor();
    expect(await ground()).toBe(dark);
    await page.getByLabel("Colours").selectOption("system");
    expect(await ground()).toBe(before);
  });

  it("moves nothing that has been shown", async () => {
    const other = await watchedPage(browser, served.url);
    await other.page.addInitScript(() => {
      const moved = { score: 0 };
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
          moved.score += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await open("metrics?run=tuned", other.page);
    await other.page.locator(".chart svg").first().waitFor();
    // What the web's measure calls good is below 0.1.
    expect(
      await other.page.evaluate(() => (window as never as { moved: { score: number } }).moved.score),
    ).toBeLessThan(0.1);
    await other.page.context().close();
  });
});

describe("a service that goes away", () => {
  it("is told of, and what was asked meanwhile is shown once it is back", async () => {
    const other = (await watchedPage(browser, served.url)).page;
    const told = other.getByText("The service cannot be reached");
    await open("jobs", other);
    await other.context().setOffline(true);
    await told.waitFor();
    for (const [view, one] of [
      ["runs/plain", "tbody th[scope=row]"],
      ["metrics?run=plain", ".charts svg"],
      ["jobs", "main table, main .empty"],
    ] as const) {
      await move(view, other);
      await other.getByText("SERVICE_UNREACHABLE").first().waitFor();
      await other.context().setOffline(false);
      await other.locator(one).first().waitFor();
      expect(await other.getByText("SERVICE_UNREACHABLE").count()).toBe(0);
      await expect.poll(() => told.count()).toBe(0);
      await other.context().setOffline(true);
    }
    await other.context().close();
  }, 120_000);
});

describe("the page", () => {
  it("has nothing inline that runs, and the service forbids it", async () => {
    const reply = await fetch(`${served.url}/`);
    const policy = reply.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    const html = await reply.text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|javascript:|https?:\/\//);
    expect(html).toMatch(/src="\.\/assets\/[^"]+\.js"/);
  });

  it("has asked nobody but its service, and no script of it has failed", () => {
    expect(watched.faults).toEqual([]);
  });
});

describe("a service with tokens", () => {
  it("is shown to who gives one, which stays in this tab and out of every address", async () => {
    const token = "0123456789abcdef";
    const set = ["--set", `service.tokens=[{ name = "a", scopes = ["read"], token = "${token}" }]`];
    const guarded = await servePage(base, set);
    const { page: other, faults } = await watchedPage(browser, guarded.url);
    const asked: string[] = [];
    other.on("request", (request) => asked.push(request.url()));
    await other.goto(`${guarded.url}/#/runs`);
    const dialog = other.getByRole("dialog", { name: "This service asks for a token" });
    await dialog.waitFor();
    expect(await barriers(other)).toEqual([]);
    await dialog.getByLabel("Token").fill("0123456789wrong");
    await dialog.getByRole("button", { name: "Use token" }).click();
    await expect.poll(() => dialog.textContent()).toContain("a token that is not known");
    await dialog.getByLabel("Token").fill(token);
    await dialog.getByRole("button", { name: "Use token" }).click();
    await other.getByRole("link", { name: "tuned" }).click();
    await other.locator("tr[data-loaded=true]").first().waitFor();
    await other.goto(`${guarded.url}/#/runs/live`);
    await other.locator("tr[data-loaded=true]").first().waitFor();
    expect(await other.evaluate(() => [Object.values(sessionStorage), Object.values(localStorage)])).toEqual([
      [token],
      [],
    ]);
    expect(asked.join(" ")).not.toContain(token);
    await other.getByRole("button", { name: "Forget token" }).click();
    await dialog.waitFor();
    expect(await other.locator("main table").count()).toBe(0);
    expect(faults).toEqual([]);
    await other.context().close();
    await guarded.stop();
  });
});

import type { Clock } from "../base/index.js";
import type { ServerEvent } from "../server/index.js";
import { progressText, seldomLines } from "./evaluationProgress.js";
import type { Output } from "./output.js";
import { shortNumber } from "./table.js";

/** Milliseconds between two drawings; a terminal gains nothing from more. */
const REDRAW_INTERVAL = 100;
const BAR_WIDTH = 20;

/** Shows a run while it goes on. */
export interface Spectator {
  see(event: ServerEvent): void;
  /** Prints a line that stays, above what is drawn anew. */
  print(line: string): void;
  /** Leaves the screen as a reader wants to find it. */
  close(): void;
}

/**
 * One line per round for good; below it, on a terminal, a line per client at work that is drawn anew as it
 * gets on. Elsewhere only the lines that stay, and of an evaluation that takes long a line now and then.
 */
export function liveTable(output: Output, clock: Clock): Spectator {
  const working = new Map<number, string>();
  let stage = "";
  const worthALine = seldomLines(clock);
  let drawn = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let started = clock.monotonic();
  let headed = false;
  let metric = "accuracy";
  let rounds: number | null = null;

  const erase = () => {
    if (drawn > 0) output.stderr(`\x1b[${drawn}A\x1b[J`);
    drawn = 0;
  };
  const draw = (force = false) => {
    if (!output.terminal || (!force && clock.monotonic() - drawnAt < REDRAW_INTERVAL)) return;
    erase();
    const lines = [
      ...[...working].sort(([a], [b]) => a - b).map(([, line]) => line),
      ...(stage ? [stage] : []),
    ];
    for (const line of lines) output.stderr(`${line.slice(0, output.columns - 1)}\n`);
    drawn = lines.length;
    drawnAt = clock.monotonic();
  };
  const keep = (line: string) => {
    erase();
    output.stderr(`${line}\n`);
    draw(true);
  };

  return {
    see(event) {
      switch (event.kind) {
        case "listening":
          keep(
            `listening on ${event.url}, waiting for ${event.expected} client process${event.expected === 1 ? "" : "es"}`,
          );
          break;
        case "round_started":
          started = clock.monotonic();
          rounds = event.rounds;
          working.clear();
          stage = "";
          break;
        case "assigned":
          working.set(event.client, `  client ${event.client}  waiting for process ${event.process}`);
          draw();
          break;
        case "progress":
          working.set(event.client, clientLine(event));
          draw();
          break;
        case "update_received":
        case "client_failed":
        case "given_up":
          working.delete(event.client);
          draw();
          break;
        case "testing":
          stage = `  ${progressText(event.progress)}`;
          if (!output.terminal && worthALine(event.progress)) keep(`round ${event.round}: ${stage.trim()}`);
          else draw();
          break;
        case "tested":
          metric = event.scalar?.name ?? metric;
          break;
        case "row_recorded":
          stage = "";
          if (!headed) keep(head(metric));
          headed = true;
          keep(rowLine(event.record, rounds, metric.length, (clock.monotonic() - started) / 1000));
          break;
        case "closed":
          working.clear();
          stage = "";
          draw(true);
          break;
        default:
          break;
      }
    },
    print: keep,
    close: erase,
  };
}

/** The scalar's own name stands above it, over as many places as its values take, or more. */
function head(metric: string): string {
  return `  round  ${metric.padStart(8)}   seconds  evaluation`;
}

type RowRecorded = Extract<ServerEvent, { kind: "row_recorded" }>["record"];

/**
 * @param rounds how many there are to be; null before the first, when only round 0 can have a row
 * @param width of the scalar's name
 */
function rowLine(record: RowRecorded, rounds: number | null, width: number, seconds: number): string {
  const accuracy = record.items.accuracy;
  const shown = typeof accuracy === "number" ? accuracy.toFixed(4) : "-";
  const round = (rounds === null ? `${record.round}` : `${record.round}/${rounds}`).padStart(7);
  return `${round}  ${shown.padStart(Math.max(8, width))}  ${seconds.toFixed(1).padStart(8)}  ${evaluationsText(record.evaluations)}`.trimEnd();
}

/** Evaluators shown in one line; the others are in the CSV. */
const MOST_SHOWN = 4;

function evaluationsText(evaluations: RowRecorded["evaluations"]): string {
  const shown = evaluations.slice(0, MOST_SHOWN).map(evaluationText);
  const more = evaluations.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(" · ");
}

function evaluationText(outcome: RowRecorded["evaluations"][number]): string {
  if (outcome.result === null) return `${outcome.name} ${outcome.status}`;
  const value = `${outcome.result.primary_metric} ${shortNumber(outcome.result.primary_value)}`;
  return `${outcome.name}: ${value}${outcome.status === "ok" ? "" : ` (${outcome.status})`}`;
}

function clientLine(event: Extract<ServerEvent, { kind: "progress" }>): string {
  const share = event.total > 0 ? Math.min(1, event.done / event.total) : 0;
  const filled = Math.round(share * BAR_WIDTH);
  const loss = event.loss === null ? "" : `  loss ${event.loss.toFixed(4)}`;
  return `  client ${String(event.client).padEnd(4)} ${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${event.done}/${event.total}${loss}`;
}

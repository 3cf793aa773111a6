/** One event of a stream: its name, its id and its data. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Longest event, in characters: a stream that never ends a line must not fill the memory. */
const LONGEST_EVENT = 16 * 1024 ** 2;

/**
 * The events of a stream (the HTML standard's `text/event-stream`); comments keep it alive and are left out.
 * @param heard called with every piece that arrives
 */
export async function* readEvents(
  stream: AsyncIterable<Uint8Array>,
  heard: () => void = () => {},
): AsyncGenerator<ServerEvent, void, void> {
  const decoder = new TextDecoder();
  let open = "";
  let fields = emptyFields();
  for await (const bytes of stream) {
    heard();
    open += decoder.decode(bytes, { stream: true });
    if (open.length > LONGEST_EVENT) throw new Error("an event is too long");
    const lines = open.split(/\r\n|\n|\r(?!$)/);
    open = lines.pop() ?? "";
    for (const line of lines) {
      if (line !== "") take(line, fields);
      else {
        if (fields.data.length > 0) yield eventOf(fields);
        fields = emptyFields();
      }
    }
  }
}

interface Fields {
  event: string;
  id: string | undefined;
  readonly data: string[];
}

function emptyFields(): Fields {
  return { event: "message", id: undefined, data: [] };
}

function take(line: string, fields: Fields): void {
  const [, name, value = ""] = /^([^:]*)(?::\s?(.*))?$/s.exec(line) ?? [];
  if (name === "data") fields.data.push(value);
  else if (name === "event") fields.event = value;
  else if (name === "id") fields.id = value;
}

function eventOf({ event, id, data }: Fields): ServerEvent {
  return { event, id, data: data.join("\n") };
}

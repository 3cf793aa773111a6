/**
 * The data of server-sent events, event by event, as the HTML standard reads them: lines end with CR, LF or both,
 * `data:` lines of an event are joined by LF, all other fields and comments are left out. An event without its
 * empty line at the end of the stream is none.
 * @param chunks bytes of UTF-8, cut anywhere
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let data: string[] = [];
  for await (const line of readLines(chunks)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
    } else if (line === "data") data.push("");
    else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
  }
}

/** Lines that have ended. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the end may be half of a line end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest.endsWith("\r")) yield rest.slice(0, -1);
}

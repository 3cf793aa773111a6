import type { Ask } from "../../src/protocol/index.js";
import { transferSuite } from "./suites/transfer.js";
import { openTransferDoor } from "./transferDoor.js";

transferSuite("in memory", async (receiver, limits) => {
  const connect = (owner: string): Ask => {
    let deliver: (event: string, ...args: unknown[]) => void = () => {};
    openTransferDoor({ onAny: (listener) => (deliver = listener) }, receiver, owner, limits);
    // What a wire does: the message as JSON, the bytes as a copy at an odd address.
    return (event, [message, data]) => {
      const args: unknown[] = [JSON.parse(JSON.stringify(message))];
      if (data instanceof Uint8Array) {
        const copy = Buffer.alloc(data.length + 1);
        copy.set(data, 1);
        args.push(copy.subarray(1));
      }
      return new Promise((settle) => deliver(event, ...args, settle));
    };
  };
  const owners = ["one", "other"] as const;
  return { asks: [connect(owners[0]), connect(owners[1])], owners, close: async () => {} };
});

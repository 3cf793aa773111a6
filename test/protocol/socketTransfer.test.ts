import { askOf } from "../../src/protocol/index.js";
import { startSocketServer } from "./sockets.js";
import { transferSuite } from "./suites/transfer.js";
import { openTransferDoor } from "./transferDoor.js";

transferSuite("over sockets", async (receiver, limits) => {
  const server = await startSocketServer(limits);
  const connected = async () => {
    const { client, socket } = await server.pair();
    openTransferDoor(socket, receiver, socket.id, limits);
    return { ask: askOf(client), owner: socket.id };
  };
  const one = await connected();
  const other = await connected();
  return {
    asks: [one.ask, other.ask],
    owners: [one.owner, other.owner],
    close: () => server.close(),
  };
});

// Stands for a client process: does what the token in its order says.
process.on("disconnect", () => process.exit(0));
process.once("message", ({ token, processId, imports }) => {
  if (token === "die" && !(processId === 2 && imports.includes("spare-2"))) {
    process.stderr.write("warn: the last words\n", () => process.exit(7));
  } else if (token === "bad-input") {
    process.exit(2);
  } else if (token === "end") {
    process.exit(0);
  } else if (token === "stubborn") {
    process.on("SIGTERM", () => {});
    process.removeAllListeners("disconnect");
    setInterval(() => {}, 1000);
    console.log("I stay");
  } else {
    process.stderr.write("debug: a detail\nerror: a fault\n");
    console.log("ready");
  }
});

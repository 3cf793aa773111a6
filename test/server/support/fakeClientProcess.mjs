// Stands for a client process: does what the token in its order says.
process.on("disconnect", () => process.exit(0));
process.once("message", ({ token, processId, imports }) => {
  if (token === "die" && !(processId === 2 && imports.includes("spare-2"))) {
    process.stderr.write("warn: the last words\n", () => process.exit(7));
  } else if (token === "bad-input") {
    process.exit(2);
  } else if (token === "end") {
    process.stdout.write("that was all.\n", () => process.exit(0));
  } else if (token === "told") {
    process.on("SIGUSR2", () => process.exit(0));
    process.on("SIGTERM", () => process.stdout.write("SIGTERM\n", () => process.exit(143)));
    console.log("I go soon");
  } else if (token === "stubborn") {
    process.on("SIGTERM", () => {});
    process.removeAllListeners("disconnect");
    setInterval(() => {}, 1000);
    console.log("I stay");
  } else {
    process.stderr.write(
      "debug: a detail\nerror: a fault\nerror [WORKER_DIED]: a reason\nwarning: none of ours\n",
    );
    console.log("ready");
  }
});

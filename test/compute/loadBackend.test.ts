import { afterEach, describe, expect, test } from "vitest";
import { createLogger, type Logger, silentLogger } from "../../src/base/index.js";
import { loadBackend, type PackageImporter, tf } from "../../src/compute/index.js";

/** Collects what is logged, level first. */
function recordingLogger(): { lines: string[]; logger: Logger } {
  const lines: string[] = [];
  return { lines, logger: createLogger("debug", (line, level) => lines.push(`${level}: ${line}`)) };
}

/** Imports doubles where there are some, real packages otherwise. */
function importerWith(doubles: Readonly<Record<string, () => unknown>>): PackageImporter {
  return async (name) => (doubles[name] ? doubles[name]() : import(name));
}

/** Registers a back end as the native package does, made of the cpu back end's kernels. */
function registerNative(): void {
  tf.copyRegisteredKernels("cpu", "tensorflow");
  tf.registerBackend("tensorflow", () => tf.findBackendFactory("cpu")(), 3);
}

afterEach(() => {
  for (const { kernelName } of tf.getKernelsForBackend("tensorflow")) {
    tf.unregisterKernel(kernelName, "tensorflow");
  }
  if (tf.findBackendFactory("tensorflow")) tf.removeBackend("tensorflow");
});

test("a process's own handlers are left alone and the package's are taken off", async () => {
  const events = ["uncaughtException", "unhandledRejection"] as const;
  const own = () => {};
  for (const event of events) process.on(event, own);
  const before = events.map((event) => process.listeners(event as "uncaughtException"));
  await loadBackend("wasm", { logger: silentLogger });
  expect(events.map((event) => process.listeners(event as "uncaughtException"))).toEqual(before);
  for (const event of events) process.off(event, own);
});

describe("a back end that is asked for", () => {
  test("is loaded, said and used", async () => {
    const { lines, logger } = recordingLogger();
    const wasm = await loadBackend("wasm", { logger });
    expect(wasm).toMatchObject({ name: "wasm", requested: "wasm", version: "4.22.0", kernels: "shared" });
    expect(wasm.tf.getBackend()).toBe("wasm");
    const cpu = await loadBackend("cpu", { logger });
    expect(cpu).toMatchObject({ name: "cpu", requested: "cpu", kernels: "none" });
    expect(tf.getBackend()).toBe("cpu");
    expect(lines).toEqual([]);
  });

  test("can be loaded again", async () => {
    await loadBackend("wasm", { logger: silentLogger });
    await loadBackend("cpu", { logger: silentLogger });
    expect(await loadBackend("wasm", { logger: silentLogger })).toMatchObject({ kernels: "shared" });
    expect([...tf.sum(tf.tensor2d([1, 2, 3, 4], [2, 2], "int32"), 0).dataSync()]).toEqual([4, 6]);
  });

  test.each(["node-gpu", "node"] as const)(
    "%s is an error with a mend where it is absent",
    async (choice) => {
      const importer = importerWith({
        [`@tensorflow/tfjs-${choice}`]: () => {
          throw new Error("the shared library is missing");
        },
      });
      await expect(loadBackend(choice, { logger: silentLogger, importer })).rejects.toMatchObject({
        code: "BACKEND_UNAVAILABLE",
        exitCode: 2,
        message: expect.stringMatching(
          /shared library is missing.*npm install @tensorflow\/tfjs-node.*trainer\.backend = "auto"/s,
        ),
      });
    },
  );

  test("is an error when its package registers nothing", async () => {
    const importer = importerWith({ "@tensorflow/tfjs-node-gpu": () => ({}) });
    await expect(loadBackend("node-gpu", { logger: silentLogger, importer })).rejects.toMatchObject({
      code: "BACKEND_UNAVAILABLE",
      message: expect.stringContaining("registered"),
    });
  });

  test("is an error when it does not start", async () => {
    const importer = importerWith({
      "@tensorflow/tfjs-node-gpu": () =>
        tf.registerBackend("tensorflow", () => {
          throw new Error("no device");
        }),
    });
    await expect(loadBackend("node-gpu", { logger: silentLogger, importer })).rejects.toMatchObject({
      code: "BACKEND_UNAVAILABLE",
      message: expect.stringContaining("does not start: no device"),
    });
  });
});

describe("auto", () => {
  test("takes the graphics card where its package loads", async () => {
    await loadBackend("cpu", { logger: silentLogger });
    const { lines, logger } = recordingLogger();
    const importer = importerWith({ "@tensorflow/tfjs-node-gpu": registerNative });
    const backend = await loadBackend("auto", { logger, importer });
    expect(backend).toMatchObject({ name: "node-gpu", requested: "auto", kernels: "none" });
    expect(tf.getBackend()).toBe("tensorflow");
    expect(lines).toEqual([]);
  });

  test("says aloud that an installed package fails, and goes on", async () => {
    const { lines, logger } = recordingLogger();
    const importer = importerWith({
      "@tensorflow/tfjs-node-gpu": () => {
        throw new Error("libcudart.so is missing");
      },
      "@tensorflow/tfjs-node": () => notInstalled("@tensorflow/tfjs-node"),
    });
    expect(await loadBackend("auto", { logger, importer })).toMatchObject({
      name: "wasm",
      requested: "auto",
    });
    expect(lines.filter((line) => line.startsWith("warn"))).toEqual([
      expect.stringMatching(/node-gpu cannot be used: libcudart\.so is missing/),
    ]);
  });

  test("passes over packages that are not installed without a warning", async () => {
    const { lines, logger } = recordingLogger();
    const importer = importerWith({
      "@tensorflow/tfjs-node-gpu": () => notInstalled("@tensorflow/tfjs-node-gpu"),
      "@tensorflow/tfjs-node": () => notInstalled("@tensorflow/tfjs-node"),
    });
    expect((await loadBackend("auto", { logger, importer })).name).toBe("wasm");
    expect(lines).toEqual([
      "debug: The compute back end node-gpu is not installed.",
      "debug: The compute back end node is not installed.",
    ]);
  });

  test("says aloud that an installed package lacks a part of itself", async () => {
    const { lines, logger } = recordingLogger();
    const importer = importerWith({
      "@tensorflow/tfjs-node-gpu": () => notInstalled("long", "@tensorflow/tfjs-node-gpu/dist/index.js"),
      "@tensorflow/tfjs-node": () => notInstalled("@tensorflow/tfjs-node"),
    });
    expect((await loadBackend("auto", { logger, importer })).name).toBe("wasm");
    expect(lines[0]).toMatch(/^warn: .*node-gpu cannot be used: Cannot find package 'long'/);
  });

  test("refuses a back end that computes wrong", async () => {
    await loadBackend("cpu", { logger: silentLogger });
    const { lines, logger } = recordingLogger();
    const importer = importerWith({
      "@tensorflow/tfjs-node-gpu": () => {
        registerNative();
        tf.unregisterKernel("BatchMatMul", "tensorflow");
        const add = tf.getKernel("Add", "cpu").kernelFunc;
        tf.registerKernel({ kernelName: "BatchMatMul", backendName: "tensorflow", kernelFunc: add });
      },
    });
    expect((await loadBackend("auto", { logger, importer })).name).not.toBe("node-gpu");
    expect(lines[0]).toMatch(/^warn: .*node-gpu cannot be used: it computes wrong/);
  });

  test("falls to the cpu back end when the wasm one fails", async () => {
    const { lines, logger } = recordingLogger();
    const importer = importerWith({
      "@tensorflow/tfjs-node-gpu": () => notInstalled("@tensorflow/tfjs-node-gpu"),
      "@tensorflow/tfjs-node": () => notInstalled("@tensorflow/tfjs-node"),
      "@tensorflow/tfjs-backend-wasm": () => {
        throw new Error("the binary is torn");
      },
    });
    expect((await loadBackend("auto", { logger, importer })).name).toBe("cpu");
    expect(lines.at(-1)).toMatch(/^warn: .*wasm cannot be used: the binary is torn/);
  });

  test("is an error when nothing is left", async () => {
    const importer: PackageImporter = async (name) => {
      throw new Error(`${name} is gone`);
    };
    await expect(loadBackend("auto", { logger: silentLogger, importer })).rejects.toMatchObject({
      code: "BACKEND_UNAVAILABLE",
      message: expect.stringContaining("npm ci"),
    });
  });
});

function notInstalled(name: string, importedFrom = "loadBackend.js"): never {
  throw Object.assign(new Error(`Cannot find package '${name}' imported from ${importedFrom}`), {
    code: "ERR_MODULE_NOT_FOUND",
  });
}

import { expect, test } from "vitest";
import { numpyShuffle } from "../../src/base/index.js";

// NumPy 2.3: np.random.seed(SEED); a = np.arange(COUNT); np.random.shuffle(a)
test("shuffles as NumPy does after the same seed", () => {
  expect([...numpyShuffle(10, 0)]).toEqual([2, 8, 4, 9, 1, 6, 7, 3, 0, 5]);
  expect([...numpyShuffle(5, 12_345)]).toEqual([0, 4, 3, 1, 2]);
  const many = numpyShuffle(197_324, 0);
  expect([...many.slice(0, 4)]).toEqual([196_971, 43_772, 100_975, 88_935]);
  expect([...many.slice(20_000, 20_004)]).toEqual([177_096, 64_422, 120_245, 124_952]);
});

/** Images in the format of MNIST: every pixel of image n is n. */
export function idxImages(count: number, height = 4, width = 4): Buffer {
  const header = Buffer.alloc(16);
  [2051, count, height, width].forEach((size, place) => {
    header.writeUInt32BE(size, place * 4);
  });
  return Buffer.concat([
    header,
    Buffer.from(
      Array.from({ length: count * height * width }, (_, place) => Math.floor(place / (height * width))),
    ),
  ]);
}

export function idxLabels(labels: readonly number[]): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(2049, 0);
  header.writeUInt32BE(labels.length, 4);
  return Buffer.concat([header, Buffer.from(labels)]);
}

/** The four files of MNIST by name: three images to train on, two to test on. */
export function mnistFiles(): Map<string, Buffer> {
  return new Map([
    ["train-images-idx3-ubyte", idxImages(3)],
    ["train-labels-idx1-ubyte", idxLabels([7, 0, 9])],
    ["t10k-images-idx3-ubyte", idxImages(2)],
    ["t10k-labels-idx1-ubyte", idxLabels([1, 2])],
  ]);
}

/** What a test changes of the small GPT. */
interface SmallGpt {
  readonly rounds?: number;
  readonly vocabSize?: number;
  readonly layers?: number;
  readonly width?: number;
  readonly blockSize?: number;
  /** More lines of `[trainer]`. */
  readonly trainer?: string;
}

/**
 * One client teaches a GPT of a thousand weights the texts of `day.txt`.
 * @param extra more TOML, behind the rest
 */
export function smallGptConfig(
  extra: string,
  { rounds = 1, vocabSize = 280, layers = 1, width = 8, blockSize = 64, trainer = "" }: SmallGpt = {},
): string {
  return `
[clients]
total_clients = 1
per_round = 1

[server]
port = 0

[data]
datasource = "text"
train_path = "day.txt"
data_path = "."
sampler = "iid"
vocab_size = ${vocabSize}
max_seq_length = 64

[trainer]
type = "gpt"
model_name = "gpt"
rounds = ${rounds}
epochs = 1
batch_size = 4
optimizer = "AdamW"
${trainer}

[parameters.model]
n_layer = ${layers}
n_head = 2
n_embd = ${width}
block_size = ${blockSize}

[parameters.optimizer]
lr = 0.02

[algorithm]
type = "fedavg"
${extra}`;
}

/**
 * A federation that is over in seconds: the real digits, a small network, and whatever a test changes.
 * @param extra more TOML, behind the rest
 */
export function smallConfig(extra = "", { rounds = 2, clients = 4, perRound = 2 } = {}): string {
  return `
[clients]
total_clients = ${clients}
per_round = ${perRound}

[server]
port = 0

[data]
datasource = "digits"
sampler = "iid"
partition_size = 64

[trainer]
type = "basic"
model_name = "multilayer"
rounds = ${rounds}
epochs = 1
batch_size = 32
optimizer = "SGD"

[parameters.model]
hidden_sizes = [16]

[parameters.optimizer]
lr = 0.1

[algorithm]
type = "fedavg"
${extra}`;
}

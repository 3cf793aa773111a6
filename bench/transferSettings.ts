/** What both processes of the transfer benchmark agree on; the limits are the configuration's defaults. */
export const SETTINGS = {
  bytes: 100_000_000,
  max_report_bytes: 1024 ** 2,
  max_chunk_bytes: 1024 ** 2,
  max_payload_bytes: 512 * 1024 ** 2,
  max_payload_chunks: 4096,
  max_buffered_bytes: 1024 ** 3,
  payload_timeout: 120,
  ping_interval: 25,
  ping_timeout: 60,
};

export const TCP_DIGEST_BYTES = 32;

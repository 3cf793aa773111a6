/** Which way a metric is better: an arrow, and the same in words. */
export function Direction({ higher }: { higher: boolean | null | undefined }) {
  if (higher === null || higher === undefined) return null;
  const words = higher ? "higher is better" : "lower is better";
  return (
    <span class="direction" title={words}>
      <span aria-hidden="true">{higher ? "↑" : "↓"}</span>
      <span class="unseen">({words})</span>
    </span>
  );
}

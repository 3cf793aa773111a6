/** A list as OpenAI's protocol pages it: the last id is where the next page begins. */
export function cursorList<T extends { readonly id: string }>({ data, more }: { data: T[]; more: boolean }) {
  return {
    object: "list" as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: more,
  };
}

/** A column's long name, which may be broken behind its underscores; what they all begin with steps back. */
export function ColumnName({ name }: { name: string }) {
  const [, prefix = "", rest = name] = /^(evaluation_(?=.))?(.*)$/s.exec(name) ?? [];
  return (
    <span class="column-name">
      {prefix !== "" && (
        <>
          <span class="column-prefix">{prefix}</span>
          <wbr />
        </>
      )}
      {rest.split(/(?<=_)/).map((piece, place) => (
        <span key={place}>
          {place > 0 && <wbr />}
          {piece}
        </span>
      ))}
    </span>
  );
}

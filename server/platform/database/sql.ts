/**
 * A statement or a fragment of one: pieces of text with a value between each two. Values are sent as parameters, so nothing that
 * a user typed can become SQL.
 */
export class Sql {
  readonly pieces: readonly string[];
  readonly values: readonly unknown[];

  constructor(pieces: readonly string[], values: readonly unknown[]) {
    this.pieces = pieces;
    this.values = values;
  }

  /** The statement with $1, $2 … in place of the values. */
  get text(): string {
    return this.pieces.reduce((text, piece, index) => `${text}$${index}${piece}`);
  }
}

/** Writes SQL: `${value}` becomes a parameter, and `${fragment}` (another `sql`) is inserted with its own parameters. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  const pieces = [strings[0] ?? ''];
  const parameters: unknown[] = [];
  const append = (text: string) => pieces.push((pieces.pop() ?? '') + text);
  values.forEach((value, index) => {
    if (value instanceof Sql) {
      append(value.pieces[0] ?? '');
      pieces.push(...value.pieces.slice(1));
      parameters.push(...value.values);
      append(strings[index + 1] ?? '');
    } else {
      parameters.push(value);
      pieces.push(strings[index + 1] ?? '');
    }
  });
  return new Sql(pieces, parameters);
}

/** Joins fragments with a separator such as ` and `. Empty if there are no fragments. */
export function join(fragments: readonly Sql[], separator: ' and ' | ' or ' | ', ' | ' union all '): Sql {
  const between = new Sql([separator], []);
  return fragments.reduce((all, next, index) => (index === 0 ? next : sql`${all}${between}${next}`), sql``);
}

/** Returns an expression whose text changes whenever one of the columns does, to detect that a row was changed in between. */
export const versionOf = (columns: Sql): Sql => sql`hashtextextended(row(${columns})::text, 0)::text`;

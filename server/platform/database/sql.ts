/**
 * A statement, or a piece of one: text pieces with a value between each two of them. Values travel beside the text as
 * parameters, so nothing that a user typed can become SQL.
 */
export class Sql {
  readonly pieces: readonly string[];
  readonly values: readonly unknown[];

  constructor(pieces: readonly string[], values: readonly unknown[]) {
    this.pieces = pieces;
    this.values = values;
  }

  /** The statement as PostgreSQL takes it, with $1, $2 … for the values. */
  get text(): string {
    return this.pieces.reduce((text, piece, index) => `${text}$${index}${piece}`);
  }
}

/** Writes SQL: `${value}` becomes a parameter, `${fragment}` (another `sql`) is put in with its own parameters. */
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

/** The fragments with a separator between them, such as ` and ` or `, `; nothing where there are none. */
export function join(fragments: readonly Sql[], separator: ' and ' | ' or ' | ', ' | ' union all '): Sql {
  const between = new Sql([separator], []);
  return fragments.reduce((all, next, index) => (index === 0 ? next : sql`${all}${between}${next}`), sql``);
}

/** A text that is another one whenever one of these columns changes: tells a reader that a row is no longer what it was. */
export const versionOf = (columns: Sql): Sql => sql`hashtextextended(row(${columns})::text, 0)::text`;

import pg from 'pg';

/** PostgreSQL's object identifiers of the types that we read in another way than node-postgres does. */
const DATE = 1082;
const DATES = 1182;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;
const TIMESTAMPTZS = 1185;
const TEXTS = 1009;

/** node-postgres's own parsers; its types list only some of the identifiers. */
const defaultParser = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;
const texts = defaultParser(TEXTS) as (value: string) => (string | null)[];
const asIs = (value: string) => value;

/**
 * An instant as 'YYYY-MM-DDTHH:MM:SS.sssZ'. PostgreSQL's microseconds are cut off: compare instants in the database,
 * or store them with milliseconds.
 */
export function instant(value: string): string {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/.exec(value);
  if (parts === null) return /^-?infinity$/.test(value) ? value : new Date(value).toISOString();
  return `${parts[1]}T${parts[2]}.${(parts[3] ?? '').slice(0, 3).padEnd(3, '0')}Z`;
}

/**
 * How values arrive: `bigint` and `numeric` as string (a number cannot hold them), `date` as 'YYYY-MM-DD' (it has no
 * zone), `timestamptz` as `instant()` has it, `timestamp` as PostgreSQL writes it, `json` parsed; in arrays likewise.
 */
const PARSERS: Record<number, (value: string) => unknown> = {
  [DATE]: asIs,
  [DATES]: texts,
  [TIMESTAMP]: asIs,
  [TIMESTAMPTZ]: instant,
  [TIMESTAMPTZS]: (value) => texts(value).map((each) => (each === null ? null : instant(each))),
};

export const valueParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) => {
    const parser = format === 'binary' ? undefined : PARSERS[oid];
    return parser ?? defaultParser(oid, format);
  },
};

import pg from 'pg';

/** Object identifiers of the PostgreSQL types that are parsed differently from node-postgres's default. */
const DATE = 1082;
const DATES = 1182;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;
const TIMESTAMPTZS = 1185;
const TEXTS = 1009;

/** node-postgres's own parsers. The cast is needed because its types list only some of the identifiers. */
const defaultParser = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;
const texts = defaultParser(TEXTS) as (value: string) => (string | null)[];
const asIs = (value: string) => value;

/**
 * Returns an instant as 'YYYY-MM-DDTHH:MM:SS.sssZ'. Microseconds are cut off, so compare instants in the database or store them
 * with millisecond precision.
 */
function instant(value: string): string {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/.exec(value);
  if (parts === null) return /^-?infinity$/.test(value) ? value : new Date(value).toISOString();
  return `${parts[1]}T${parts[2]}.${(parts[3] ?? '').slice(0, 3).padEnd(3, '0')}Z`;
}

/**
 * How values arrive, alone and in arrays: `bigint` and `numeric` as strings (a number would lose digits), `date` as 'YYYY-MM-DD'
 * (it has no time zone), `timestamptz` as `instant()` returns it, `timestamp` as PostgreSQL writes it, and `json` parsed.
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

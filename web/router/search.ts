/** The values of a query: numbers, booleans, lists and text that could be taken for one of them are JSON in the URL, other text is itself. */
export type Search = Record<string, unknown>;

/** What JSON may begin with. Everything else is text, and isn't tried. */
const MAYBE_JSON = /^[\s"[{\d\-fnt]/;

/** Returns the value that JSON stands for, and other text as it is. */
const parseValue = (text: string): unknown => {
  if (!MAYBE_JSON.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // What is nested too deeply to be written again is no value.
    if (typeof value === 'object') JSON.stringify(value);
    return value;
  } catch {
    return text;
  }
};

/** Returns the values of a query, with or without its question mark. A name that occurs several times has a list. */
export const parseSearch = (query: string): Search => {
  const lists = new Map<string, unknown[]>();
  for (const [name, text] of new URLSearchParams(query)) {
    const list = lists.get(name);
    if (list) list.push(parseValue(text));
    else lists.set(name, [parseValue(text)]);
  }
  // Without a prototype, so that no name has a value of its own.
  const search: Search = Object.create(null);
  for (const [name, list] of lists) search[name] = list.length > 1 ? list : list[0];
  return search;
};

const formatValue = (value: unknown): string =>
  typeof value === 'string' && parseValue(value) === value ? value : JSON.stringify(value);

/** Returns the query of a URL with these values, with its question mark; empty without any. Undefined values are left out. */
export const formatSearch = (search: object): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined) query.set(name, formatValue(value));
  return query.size > 0 ? `?${query}` : '';
};

/** Makes a value that fits a JSON schema, and changes single fields of it. */

interface Schema {
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  pattern?: string;
  format?: string;
  minimum?: number;
  minLength?: number;
  minItems?: number;
}

/** Texts that fit the patterns of the contract; the first that fits is taken. */
const TEXTS = [
  'Osei',
  '1',
  '1_0',
  '1234',
  '2026-11-20T10:00:00Z',
  '2026-11-20',
  'rosa@lakeshore.example',
  'a'.repeat(64),
  '123456',
  '+12125550143',
];

/** Returns a value that fits the schema, with every optional field; undefined without a schema. */
export function sampleOf(schema: unknown): unknown {
  if (schema === undefined) return undefined;
  const { type, enum: choices, properties, items, ...rest } = schema as Schema;
  if (rest.const !== undefined) return rest.const;
  if (choices) return choices[0];
  const either = rest.anyOf ?? rest.oneOf;
  if (either) return sampleOf(either.find((each) => each.type !== 'null') ?? either[0]);
  if (rest.allOf) return Object.assign({}, ...rest.allOf.map(sampleOf));
  if (type === 'object') return sampleObject(properties ?? {}, rest.additionalProperties);
  if (type === 'array') return [sampleOf(items ?? {})];
  if (type === 'number' || type === 'integer') return rest.minimum ?? 1;
  if (type === 'boolean') return true;
  return sampleText(rest);
}

function sampleObject(properties: Record<string, Schema>, further: Schema | boolean | undefined): unknown {
  const own = Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema)]);
  const added = typeof further === 'object' && own.length === 0 ? [['name', sampleOf(further)]] : [];
  return Object.fromEntries([...own, ...added]);
}

function sampleText({ pattern, format, minLength = 0 }: Schema): string {
  const isEmail = format === 'email';
  const fits = (text: string) => (!pattern || new RegExp(pattern, 'u').test(text)) && (!isEmail || text.includes('@'));
  return (TEXTS.find(fits) ?? 'Osei').padEnd(minLength, 'a');
}

export type Path = readonly (string | number)[];

/** Returns the paths of the value's leaves: its texts, or all. */
export function leavesOf(value: unknown, kind: 'string' | 'any', path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') {
    return path.length > 0 && value !== undefined && (kind === 'any' || typeof value === 'string') ? [path] : [];
  }
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, kind, [...path, name]));
}

/** Returns a copy in which the leaf at `path` has another value. */
export function withValue(value: unknown, [first, ...rest]: Path, leaf: unknown): unknown {
  if (first === undefined) return leaf;
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === first ? withValue(each, rest, leaf) : each));
  return { ...(value as object), [first]: withValue((value as Record<string, unknown>)[first], rest, leaf) };
}

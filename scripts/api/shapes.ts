import type { JsonSchema } from './schemas.ts';

const WIDTH = 110;

/** Returns a JSON Schema written like a TypeScript type, with lengths, ranges and patterns as a comment after it. */
export function shapeOf(schema: JsonSchema, indent = ''): string {
  const limits = indent === '' ? limitsOf(schema) : '';
  return typeOf(schema, indent) + (limits && `  // ${limits}`);
}

function typeOf(schema: JsonSchema, indent: string): string {
  const types = alternatives(schema, indent);
  const line = types.join(' | ');
  if (types.length < 3 || indent.length + line.length < WIDTH) return line;
  return types.map((type) => `\n${indent}    | ${type}`).join('');
}

function alternatives(schema: JsonSchema, indent: string): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap((each) => alternatives(each, indent));
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each));
  if (Array.isArray(schema.type)) return schema.type.flatMap((type) => alternatives({ ...schema, type }, indent));
  return [single(schema, indent)];
}

function single(schema: JsonSchema, indent: string): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === 'object') return objectOf(schema, indent);
  if (schema.type === 'array') return arrayOf(typeOf(schema.items ?? {}, indent));
  if (schema.type === 'integer') return 'number';
  return typeof schema.type === 'string' ? schema.type : 'unknown';
}

const arrayOf = (item: string): string => (/[|\n]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`);

function objectOf({ properties, required = [], additionalProperties }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties ?? {}).map(([name, each]) => {
    const isOptional = !required.includes(name);
    const remark = [
      isOptional && each.default !== undefined ? `= ${JSON.stringify(each.default)}` : '',
      limitsOf(each),
    ];
    const comment = remark.filter(Boolean).join(', ');
    const type = typeOf(each, inner);
    const mark = isOptional ? '?:' : ':';
    return `${inner}${name}${mark}${type.startsWith('\n') ? '' : ' '}${type}${comment && `  // ${comment}`}`;
  });
  if (properties === undefined && typeof additionalProperties === 'object') {
    return `{ [key]: ${typeOf(additionalProperties, indent)} }`;
  }
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

const LIMITS: [keyword: string, words: (value: unknown) => string][] = [
  ['minLength', (value) => `at least ${String(value)} characters`],
  ['maxLength', (value) => `at most ${String(value)} characters`],
  ['minimum', (value) => `from ${String(value)}`],
  ['maximum', (value) => `to ${String(value)}`],
  ['maxItems', (value) => `at most ${String(value)}`],
  ['pattern', (value) => `matches ${String(value)}`],
];

function limitsOf(schema: JsonSchema): string {
  const parts = [schema, ...(schema.anyOf ?? [])];
  return LIMITS.flatMap(([keyword, words]) =>
    parts.flatMap((part) => (part[keyword] === undefined ? [] : words(part[keyword]))),
  ).join(', ');
}

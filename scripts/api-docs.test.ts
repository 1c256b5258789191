import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { routes } from '#contract/routes.ts';
import { apiDocuments } from './api/document.ts';
import { describe as describeSchema, type JsonSchema } from './api/schemas.ts';
import { shapeOf } from './api/shapes.ts';

const root = join(import.meta.dirname, '..');
const documents = apiDocuments();
const openApi = JSON.parse(documents['docs/openapi.json'] ?? '') as {
  paths: Record<string, Record<string, { parameters?: { name: string; in: string; required: boolean }[] }>>;
  components: { schemas: Record<string, JsonSchema> };
};

describe('the API documents', () => {
  test.each(Object.keys(documents))('include an up-to-date %s (if not: npm run api-docs)', (path) => {
    const stored = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
    expect(stored === documents[path], `${path} is out of date: run npm run api-docs`).toBe(true);
  });

  test('have every route of the contract', () => {
    const keys = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(keys.sort()).toEqual(Object.keys(routes).sort());
    for (const key of Object.keys(routes)) expect(documents['docs/api.md']).toContain(`### ${key}\n`);
  });

  test('refer only to schemas that they define', () => {
    const references = [...JSON.stringify(openApi).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(references.length).toBeGreaterThan(10);
    for (const name of references) expect(openApi.components.schemas).toHaveProperty(name ?? '');
  });

  test('take the team from a header, or from the query for streams and downloads', () => {
    const placesOf = (path: string) => openApi.paths[path]?.get?.parameters?.map((each) => `${each.in} ${each.name}`);
    expect(placesOf('/api/live')).toEqual(['query teamId']);
    expect(placesOf('/api/patients/{id}')).toEqual(['path id', 'header x-ping-team-id']);
    expect(placesOf('/api/me')).toBeUndefined();
  });
});

describe('a shape', () => {
  const shape = (schema: z.ZodType) => shapeOf(describeSchema(schema, 'input', {}));

  test('shows optional fields, defaults and limits', () => {
    const schema = z.object({
      name: z.string().max(5),
      note: z.string().nullish(),
      size: z.number().int().min(1).default(20),
      kinds: z.array(z.enum(['A', 'B'])),
    });
    expect(shape(schema)).toBe(
      [
        '{',
        '  name: string  // at most 5 characters',
        '  note?: string | null',
        '  size?: number  // = 20, from 1',
        '  kinds: ("A" | "B")[]',
        '}',
      ].join('\n'),
    );
  });

  test('shows maps, unions and lists of objects', () => {
    expect(shape(z.record(z.string(), z.number()))).toBe('{ [key]: number }');
    expect(shape(z.union([z.literal('x'), z.array(z.object({ a: z.boolean() }))]))).toBe('"x" | {\n  a: boolean\n}[]');
  });
});

import { expect, test } from 'vitest';
import type { z } from 'zod';
import { routes } from '#contract/routes.ts';
import { type Expression, parseExpression, partsOf } from './expressions/parse.ts';

interface StringSchema {
  maxLength: number | null;
  def: { pattern?: RegExp; checks?: { _zod: { def: { format?: string; pattern?: RegExp } } }[] };
}

const isEndless = (tree: Expression): boolean =>
  (tree.kind === 'repeat' && tree.max === Number.POSITIVE_INFINITY) || partsOf(tree).some(isEndless);

/** Whether a string has a longest length, or a pattern from start to end that has one. */
function hasLimit({ maxLength, def }: StringSchema): boolean {
  const patterns = [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)].flatMap(({ pattern }) => pattern ?? []);
  const isBounded = ({ source }: RegExp) => /^\^.*\$$/.test(source) && !isEndless(parseExpression(source));
  return (maxLength !== null && Number.isFinite(maxLength)) || patterns.some(isBounded);
}

/** Returns the paths of all strings without a limit in a schema. */
function unlimited(schema: unknown, path: string, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return [];
  const { def } = schema as z.ZodType & { def: Record<string, unknown> & { type: string } };
  const below = new Set([...seen, schema]);
  const inside = (child: unknown, name = path) => unlimited(child, name, below);
  switch (def?.type) {
    case 'string':
      return hasLimit(schema as StringSchema) ? [] : [path];
    case 'object':
      return Object.entries(def.shape as object).flatMap(([name, child]) => inside(child, `${path}.${name}`));
    case 'record':
      return [...inside(def.keyType, `${path} (key)`), ...inside(def.valueType, `${path}.*`)];
    case 'array':
      return inside(def.element, `${path}[]`);
    case 'union':
      return (def.options as unknown[]).flatMap((option) => inside(option));
    case 'pipe':
      return [...inside(def.in), ...inside(def.out)];
    default:
      return inside(def?.innerType);
  }
}

test('every text that a caller sends has a longest length', () => {
  const found = Object.entries(routes).flatMap(([key, route]) =>
    (['params', 'query', 'body'] as const).flatMap((part) =>
      part in route ? unlimited((route as Record<string, unknown>)[part], `${key} ${part}`) : [],
    ),
  );
  expect(found).toEqual([]);
});

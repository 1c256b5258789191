import type { z } from 'zod';
import { routes } from '#contract/routes.ts';

/** The first reading compiles, the next ones are still some times slower than later ones. */
const READINGS = 4;

/**
 * Reads an answer by the schema of lists before anybody is served: what the first one compiles would hold up for some 20 ms the thread
 * that serves everybody.
 */
export function warmUp(): void {
  const { answer } = routes['POST /api/patients/search'];
  const shape = shapeOf(answer);
  for (let n = 0; n < READINGS; n += 1) answer.safeParse(shape);
}

/** Something in the schema's shape, every list with an element; the values in it need not be valid. */
function shapeOf(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object') return shapesOf(Object.entries(def.shape));
  if (def.type === 'array') return [shapeOf(def.element)];
  if (def.type === 'record') return shapesOf(keysOf(def.keyType).map((key) => [key, def.valueType]));
  if (def.type === 'nullable' || def.type === 'optional') return shapeOf(def.innerType);
  return SCALARS[def.type] ?? '';
}

const SCALARS: Record<string, unknown> = { number: 0, boolean: false };

const shapesOf = (entries: [string, z.core.$ZodType][]): unknown =>
  Object.fromEntries(entries.map(([key, schema]) => [key, shapeOf(schema)]));

function keysOf(schema: z.core.$ZodType): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'enum' ? Object.values(def.entries).map(String) : [];
}

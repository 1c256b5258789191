import { z } from 'zod';
import { routes } from '#contract/routes.ts';

/** The first parse compiles the schema; the next few are still slower than later ones. */
const PARSES = 4;

/**
 * Parses a sample answer with the schema of lists before the server accepts requests. Otherwise the first list would compile the schema and
 * block all requests for about 20 ms.
 */
export function warmUp(): void {
  const { answer } = routes['POST /api/patients/search'];
  const shape = shapeOf(answer);
  for (let n = 0; n < PARSES; n += 1) answer.safeParse(shape);
}

/** Returns an object in the shape of the schema, with one element in every array. Its values need not be valid. */
export function shapeOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodObject) return shapesOf(Object.entries(schema.shape));
  if (schema instanceof z.ZodArray) return [shapeOf(schema.element)];
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum)
    return shapesOf(schema.keyType.options.map((key) => [String(key), schema.valueType]));
  if (schema instanceof z.ZodNumber) return 0;
  return schema instanceof z.ZodBoolean ? false : '';
}

const shapesOf = (entries: [string, z.core.$ZodType][]): unknown =>
  Object.fromEntries(entries.map(([key, schema]) => [key, shapeOf(schema)]));

import { z } from 'zod';
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

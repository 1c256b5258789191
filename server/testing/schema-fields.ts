import type { z } from 'zod';

/** Whether a schema has a field, through lists and values that may be absent. */
export function has(schema: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const { def } = schema as z.ZodType;
  if ('innerType' in def) return has(def.innerType, [name, ...rest]);
  if ('element' in def) return has(def.element, [name, ...rest]);
  const shape = 'shape' in def ? (def.shape as Record<string, unknown>) : {};
  return name in shape && has(shape[name], rest);
}

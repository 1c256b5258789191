/**
 * Whether two values are the same once they are stored as jsonb, where objects have no order and no fields that are undefined. A fold compares all
 * visits of its dossiers with what is stored, hence neither sorted copies nor text.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [ofA, ofB] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key in ofA) if (!isSameJson(ofA[key], ofB[key])) return false;
  for (const key in ofB) if (ofA[key] === undefined && ofB[key] !== undefined) return false;
  return true;
}

/** Splits a message into segments and fields, for the tests of this folder only. Independent of the product's parser. */
export function segmentsOf(bytes: Buffer): string[][] {
  const head = bytes.toString('latin1');
  const text = head.includes('8859/1') ? head : bytes.toString('utf8');
  return text
    .split('\r')
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('MSH') ? ['MSH', '|', ...line.split('|').slice(1)] : line.split('|')));
}

/** Returns a field of the first segment with that name, or '' if there is none. */
export function fieldOf(bytes: Buffer, name: string, field: number): string {
  return segmentsOf(bytes).find((segment) => segment[0] === name)?.[field] ?? '';
}

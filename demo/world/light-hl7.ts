/** A reader for the tests of this folder only: enough to look at what was written, and independent of the product's parser. */
export function segmentsOf(bytes: Buffer): string[][] {
  const head = bytes.toString('latin1');
  const text = head.includes('8859/1') ? head : bytes.toString('utf8');
  return text
    .split('\r')
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('MSH') ? ['MSH', '|', ...line.split('|').slice(1)] : line.split('|')));
}

/** The field of the first segment of that name, '' where there is none. */
export function fieldOf(bytes: Buffer, name: string, field: number): string {
  return segmentsOf(bytes).find((segment) => segment[0] === name)?.[field] ?? '';
}

/**
 * How common names are in the United States, from two text files beside this one. A line holds a share in millionths and the names
 * that have about that share.
 *
 * - `given-names.txt`: all names with 100 births or more, 1920 to 2016 (Social Security Administration, "National data on the
 *   relative frequency of given names", in the public domain).
 * - `family-names.txt`: the 20,000 most frequent names of the 1990 census (Census Bureau, "Frequently occurring surnames") by rank;
 *   shares follow the published ones at 18 ranks and are interpolated between them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

function read(file: string): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const line of readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n')) {
    const [millionths, ...names] = line.split(' ');
    for (const name of names) shares.set(name, Number(millionths) / 1e6);
  }
  return shares;
}

const givenNames = read('given-names.txt');
const familyNames = read('family-names.txt');

/** Returns the share of people with the given name (upper case), or 0 if fewer than one in three million have it. */
export const givenNameShare = (name: string): number => givenNames.get(name) ?? 0;

/** Returns the share of people with the family name (upper case), or 0 if fewer than one in 200,000 have it. */
export const familyNameShare = (name: string): number => familyNames.get(name) ?? 0;

/** All names of a table with their shares, for people who are invented to measure the matcher. */
export const givenNameTable = (): ReadonlyMap<string, number> => givenNames;
export const familyNameTable = (): ReadonlyMap<string, number> => familyNames;

/**
 * A name this rare, and this many times rarer than one that looks like it, is that name typed badly: birth certificates have typing
 * errors, too. Five in a million are 1,600 people.
 */
const RARE = 5e-6;
const MISSPELLED = 500;

/** Whether two given names (upper case) are both names that people have, rather than one of them a typing error for the other. */
export function areBothInUse(a: string, b: string): boolean {
  const [x, y] = [givenNameShare(a), givenNameShare(b)];
  const [rarer, other] = [Math.min(x, y), Math.max(x, y)];
  return rarer > 0 && (rarer >= RARE || rarer > other / MISSPELLED);
}

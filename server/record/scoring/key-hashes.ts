/** Blocking keys as the index stores them: numbers of 53 bits, a third of the text's size. Two keys may share a number; comparing tells those apart who share it. */
import { hashOf } from './guess-hashes.ts';

/** Kinds of keys (`blocking.ts`), of which a number has four bits. First those by which hardly anyone is found who has nothing to do with the subject. */
const KINDS = 'PEMIDSAHGYZN';
const STRANGERS_FROM = KINDS.indexOf('D');

/** Kinds whose first parts are found without the last one (`near-persons.ts`). */
const PARTED = 'SHZ';

const KIND = 2 ** 49;
const LAST_PART = 2 ** 25;
const FIRST_PARTS = KIND / LAST_PART;

/** Returns the number of a blocking key. */
export function hashOfKey(key: string): number {
  const end = PARTED.includes(key.charAt(0)) ? key.lastIndexOf(':') : 0;
  if (end === 0) return startOf(key.charAt(0)) + (hashOf(key.slice(2)) % KIND);
  return startOf(key.slice(0, end)) + (hashOf(key.slice(end + 1)) % LAST_PART);
}

/** Returns the lowest number of the keys of a kind (`D`), or of those that begin with these parts (`S:6789`). */
function startOf(start: string): number {
  const ofKind = KINDS.indexOf(start.charAt(0)) * KIND;
  return start.length === 1 ? ofKind : ofKind + (hashOf(start.slice(2)) % FIRST_PARTS) * LAST_PART;
}

/** Returns the numbers of all keys of a kind (`D`), or of those that begin with these parts (`S:6789`, `Z:14609`, `H:12:H650`): from the first to the last. */
export function hashesOf(start: string): { first: number; last: number } {
  const first = startOf(start);
  return { first, last: first + (start.length === 1 ? KIND : LAST_PART) - 1 };
}

/** Whether a key is not a number, a phone or an email: most of those who share it have nothing to do with each other. */
export const findsStrangers = (key: number): boolean => key >= STRANGERS_FROM * KIND;

/** Whether a key is a birth date. */
export function isBirthDate(key: number): boolean {
  const { first, last } = hashesOf('D');
  return key >= first && key <= last;
}

/**
 * Hashes of what people typed. The audit log must be able to answer who searched for a person, and must not hold the person's name. A plain
 * hash of a name or birth date can be guessed from a list of all of them; without the installation's key this one cannot.
 */
import { createHmac } from 'node:crypto';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';

/** Returns the hashes of a text: one per word, so that a family name is found in whatever it was typed with. */
export type AuditHash = (text: string) => string[];

const LONGEST_IN_WORDS = 200;
/** As many as a search accepts (`work/search/columns/word-search.ts`). */
const MOST_WORDS = 80;
/** 96 bits, in characters of base64url. */
const HASH_LENGTH = 16;

/** A date as people and programs write it: 1947-01-08 or 1/8/1947. */
const DATE = /\b(?:(\d{4})-(\d\d)-(\d\d)|(\d{1,2})\/(\d{1,2})\/(\d{4}))\b/g;

/**
 * Returns the words that are hashed separately: those that a search splits a text into (`sortKey`), except that a date is one word, the same
 * however it was written. A longer text is one word.
 */
function wordsOf(text: string): string[] {
  if (text.length > LONGEST_IN_WORDS) return [text];
  const dates: string[] = [];
  const rest = text.replace(DATE, (_, year, month, day, usMonth = '', usDay = '', usYear = '') => {
    dates.push(year ? `${year}-${month}-${day}` : `${usYear}-${usMonth.padStart(2, '0')}-${usDay.padStart(2, '0')}`);
    return ' ';
  });
  const words = sortKey(rest).toUpperCase().split(' ').filter(Boolean);
  return [...new Set([...dates, ...words])].slice(0, MOST_WORDS);
}

const keys = new WeakMap<Queryable, Promise<Buffer>>();

/** Returns the hash with the installation's key, which each process reads once (`audit_key()`, open to the app role). */
export async function auditHash(db: Queryable): Promise<AuditHash> {
  const key = keys.get(db) ?? readKey(db);
  keys.set(db, key);
  const secret = await key.catch((error: unknown) => {
    keys.delete(db);
    throw error;
  });
  return (text) => wordsOf(text).map((word) => hashWord(secret, word));
}

const hashWord = (key: Buffer, word: string): string =>
  createHmac('sha256', key).update(word).digest('base64url').slice(0, HASH_LENGTH);

async function readKey(db: Queryable): Promise<Buffer> {
  const { rows } = await db.query<{ key: Buffer }>('select audit_key() as key');
  return rows[0]?.key as Buffer;
}

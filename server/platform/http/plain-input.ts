import type { FastifyRequest } from 'fastify';
import { badField } from './api-error.ts';

/** Deeper than anything that the contract describes. */
const DEEPEST = 32;
const MOST_QUERY_KEYS = 100;
/** In characters, with the path. */
const LONGEST_URL = 8192;

/** Refuses an address that is too long to be one of ours. Throws BAD_REQUEST. */
export function checkUrl({ url }: FastifyRequest): void {
  if (url.length > LONGEST_URL) throw badField('url', 'Too long.');
}

/**
 * Refuses what no call of the contract takes, before any schema looks at it: characters that PostgreSQL can't store (U+0000, half of a
 * surrogate pair), values nested too deeply, too many query parameters. Throws BAD_REQUEST with the field.
 */
export function checkInput({ params, query, body }: Pick<FastifyRequest, 'params' | 'query' | 'body'>): void {
  if (Object.keys(query ?? {}).length > MOST_QUERY_KEYS) throw badField('query', 'Too many parameters.');
  for (const part of [params, query, body]) check(part, []);
}

/** Returns a body without the fields that are null, also in the objects in it. It was checked for its depth. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}

function check(value: unknown, path: readonly string[]): void {
  if (typeof value === 'string') return checkText(value, path);
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= DEEPEST) throw badField(nameOf(path.slice(0, 3)), 'Nested too deeply.');
  if (Array.isArray(value)) return value.forEach((each, index) => check(each, [...path, String(index)]));
  for (const [key, each] of Object.entries(value)) {
    checkText(key, path);
    check(each, [...path, key]);
  }
}

function checkText(text: string, path: readonly string[]): void {
  if (text.includes('\0') || !text.isWellFormed()) throw badField(nameOf(path), 'Contains an unreadable character.');
}

const nameOf = (path: readonly string[]): string => path.join('.') || 'request';

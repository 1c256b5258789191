import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ConfigError } from '#server/config.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

/** Hexadecimal digits of a SHA-1. */
const DIGITS = 40;
/** In bytes. A line is the hash, a colon and a count: two of them fit at least. */
const WINDOW = 256;

/** Throws PASSWORD_TOO_COMMON for a breached password. */
export type RefuseBreached = (password: string) => Promise<void>;

/**
 * Returns the check against an operator's file: SHA-1 in upper case, a line each, sorted, as the Have I Been Pwned downloader writes it. Nothing
 * leaves the machine. A search reads some forty places of the file, however large it is. Without a file no password is refused. Throws
 * ConfigError if the file cannot be read or is something else.
 */
export function breachedPasswords(path: string | null): RefuseBreached {
  if (path === null) return async () => {};
  checkFile(path);
  return async (password) => {
    const file = await open(path);
    try {
      const hash = createHash('sha1').update(password.normalize('NFKC')).digest('hex').toUpperCase();
      if (await contains(file, hash)) throw new ApiError('PASSWORD_TOO_COMMON');
    } finally {
      await file.close();
    }
  };
}

function checkFile(path: string): void {
  const start = Buffer.alloc(DIGITS);
  try {
    const file = openSync(path, 'r');
    readSync(file, start, 0, DIGITS, 0);
    closeSync(file);
  } catch (error) {
    throw new ConfigError(`TIDINGS_BREACHED_PASSWORDS cannot be read (${(error as { code?: string }).code}): ${path}`);
  }
  if (!/^[0-9A-F]{40}$/.test(start.toString('latin1'))) {
    throw new ConfigError(`TIDINGS_BREACHED_PASSWORDS is no sorted list of SHA-1 hashes: ${path}`);
  }
}

/** Binary search by position; `from` is always the beginning of a line, and the line, if it is there, begins in [from, to). */
async function contains(file: FileHandle, hash: string): Promise<boolean> {
  let [from, to] = [0, (await file.stat()).size];
  const read = async (position: number): Promise<string> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(WINDOW), 0, WINDOW, position);
    return buffer.toString('latin1', 0, bytesRead);
  };
  while (to - from > WINDOW) {
    const middle = Math.floor((from + to) / 2);
    const text = await read(middle);
    const lineAt = text.indexOf('\n') + 1;
    if (text.slice(lineAt, lineAt + DIGITS) <= hash) from = middle + lineAt;
    else to = middle + lineAt;
  }
  const lines = (await read(from)) + (await read(from + WINDOW));
  return lines.split('\n').some((line) => line.startsWith(hash));
}

import { foldAccents } from './fold-accents.ts';

/** Returns the form of a name that lists sort and search by: lower case, without accents, and with a single space for anything that is not a letter or digit. */
export const sortKey = (name: string): string =>
  foldAccents(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

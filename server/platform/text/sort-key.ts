import { foldAccents } from './fold-accents.ts';

/** A name as lists sort and search it: lower case, without accents, one blank for anything that is no letter or digit. */
export const sortKey = (name: string): string =>
  foldAccents(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

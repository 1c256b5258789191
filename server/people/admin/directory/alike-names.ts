/** Names of facilities that readers take for each other. Pure. */
import { foldAccents } from '#server/platform/text/fold-accents.ts';

/**
 * Whether a name has a letter or digit other than A–Z and 0–9, with or without accents: letters of other alphabets look like these (a Greek
 * capital Mu like an M; Unicode UTS #39), and no facility in the US needs them.
 */
export const hasOtherLetters = (name: string): boolean => /[^\P{L}A-Z]|[^\P{N}0-9]/u.test(foldAccents(name));

/** Returns a form that names share if blanks, marks, capitals, accents or signs of one shape (0 and O; 1, l and I; rn and m; vv and w) alone tell them apart. */
export const shapeOf = (name: string): string =>
  foldAccents(name)
    .replace(/[1L|]/g, 'I')
    .replace(/0/g, 'O')
    .replace(/M/g, 'RN')
    .replace(/W/g, 'VV')
    .replace(/[^A-Z0-9]+/g, '');

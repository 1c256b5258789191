/** compose.yaml, against the variables that the server reads: one that it does not pass on would be ignored without a word. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VARIABLES } from './config.ts';

const text = readFileSync(join(import.meta.dirname, '../compose.yaml'), 'utf8');

/** Returns what the lines between two headings set. */
const setBetween = (from: string, to: string): string[] => {
  const block = text.slice(text.indexOf(from), text.indexOf(to, text.indexOf(from)));
  return [...block.matchAll(/^ +([A-Z][A-Z_]+): /gm)].flatMap(([, name = '']) => name);
};
const everywhere = setBetween('x-environment:', 'x-sending:');
const sending = setBetween('x-sending:', 'services:');
const sets = {
  web: [...everywhere, ...sending, ...setBetween('\n  web:', '\n  feed:')],
  feed: [...everywhere, ...setBetween('\n  feed:', '\n  worker:')],
  worker: [...everywhere, ...sending, ...setBetween('\n  worker:', '\nvolumes:')],
};

/** The image says where a process listens; the demo and its own database are for `npm start`. */
const BY_IMAGE =
  /^(PORT|HOST|MLLP_PORT|MLLP_HOST|TIDINGS_OPERATIONS_(PORT|HOST)|TIDINGS_DATA_DIR|TIDINGS_DEMO(_FEED)?)$/;

test('every variable reaches the roles that read it', () => {
  const wanted = VARIABLES.filter((name) => !BY_IMAGE.test(name));
  const isFeedOnly = (name: string) => name.startsWith('MLLP_');
  expect(sets.web.toSorted()).toEqual(wanted.filter((name) => !isFeedOnly(name)).toSorted());
  expect(sets.feed).toEqual(expect.arrayContaining(wanted.filter(isFeedOnly)));
  expect(sets.worker).toEqual(
    expect.arrayContaining(wanted.filter((name) => /_(SMTP|MAIL|TWILIO|PUBLIC)_/.test(name))),
  );
});

test('only the web gets the key of stored secrets', () => {
  for (const role of ['feed', 'worker'] as const)
    expect(sets[role].filter((name) => name.includes('SECRET'))).toEqual([]);
});

test('what is set is what the variable of the same name says', () => {
  const renamed = [...text.matchAll(/^ +([A-Z][A-Z_]+): \$\{([A-Z_]+):[-?]\}$/gm)].filter(
    ([, to, from]) => to !== from,
  );
  expect(renamed).toEqual([]);
});

import type { RosterColumn } from '#contract/roster-columns.ts';

const SUFFIX = /^(jr|sr|i{1,3}|iv|v)\.?$/i;

/** Returns the parts of a name written as 'Last Suffix, First Middle'. None without a comma: no one could tell which name is the family's. */
export function namePartsOf(text: string): Partial<Record<RosterColumn, string>> {
  const comma = text.indexOf(',');
  if (comma < 0) return {};
  const family = wordsOf(text.slice(0, comma));
  const given = wordsOf(text.slice(comma + 1).replaceAll(',', ' '));
  const suffix = [family, given].find((words) => words.length > 1 && SUFFIX.test(words.at(-1) ?? ''))?.pop();
  const [firstName = '', ...middle] = given;
  return { lastName: family.join(' '), firstName, middleName: middle.join(' '), nameSuffix: suffix ?? '' };
}

const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '');

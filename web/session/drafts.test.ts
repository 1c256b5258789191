import { beforeEach, expect, test } from 'vitest';
import { carry, fetchCarried } from './carried-drafts.ts';
import { CARRIED, carryDrafts, forgetDrafts, hasDraft, ownDrafts } from './drafts.ts';

const ana = { userId: '1', draftKey: 'of-ana' };
const text = { otherText: 'Daughter will take him home' };

beforeEach(() => {
  forgetDrafts();
  sessionStorage.clear();
});

test('what is carried comes back to its user once, and can be read in no storage', async () => {
  await carry(new Map([['resolution of 1_2', text]]), ana);
  const stored = sessionStorage.getItem(CARRIED) ?? '';
  expect(stored.length).toBeGreaterThan(40);
  expect(atob(stored)).not.toMatch(/Daughter|resolution|1_2/);
  expect(localStorage.length).toBe(0);
  await ownDrafts(ana);
  expect(hasDraft('resolution of 1_2')).toBe(true);
  expect(sessionStorage.getItem(CARRIED)).toBeNull();
});

test.each([
  ['somebody else', { userId: '2', draftKey: 'of-ben' }],
  ['somebody else who knows the key', { userId: '2', draftKey: 'of-ana' }],
  ['the same name with another key', { userId: '1', draftKey: 'new' }],
])('%s opens nothing, and it is gone', async (_, other) => {
  await carry(new Map([['resolution of 1_2', text]]), ana);
  expect(await fetchCarried(other)).toEqual([]);
  expect(await fetchCarried(ana)).toEqual([]);
});

test('what was altered, or is none of ours, is nothing', async () => {
  for (const stored of ['', 'no base 64 !', btoa('short')]) {
    sessionStorage.setItem(CARRIED, stored);
    expect(await fetchCarried(ana)).toEqual([]);
  }
});

test('without drafts nothing is stored', async () => {
  await ownDrafts(ana);
  await carryDrafts();
  expect(sessionStorage.getItem(CARRIED)).toBeNull();
});

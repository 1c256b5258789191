import { beforeEach, expect, test } from 'vitest';
import { forgetDrafts, hasDraft, keepDraftsOverRedirect, restoreDrafts, takeReturnPath } from './drafts.ts';
import { storeEncrypted, takeEncrypted } from './encrypted-storage.ts';

const DRAFTS_KEY = 'tidings-drafts';
const ana = { userId: '1', draftKey: 'of-ana' };
const text = { otherText: 'Daughter will take him home' };

beforeEach(() => {
  forgetDrafts();
  sessionStorage.clear();
});

test('stored drafts come back to their user once, and are not readable in storage', async () => {
  await storeEncrypted(DRAFTS_KEY, new Map([['resolution of 1_2', text]]), ana);
  const stored = sessionStorage.getItem(DRAFTS_KEY) ?? '';
  expect(stored.length).toBeGreaterThan(40);
  expect(atob(stored)).not.toMatch(/Daughter|resolution|1_2/);
  expect(localStorage.length).toBe(0);
  await restoreDrafts(ana);
  expect(hasDraft('resolution of 1_2')).toBe(true);
  expect(sessionStorage.getItem(DRAFTS_KEY)).toBeNull();
});

test.each([
  ['another user', { userId: '2', draftKey: 'of-ben' }],
  ['another user with the same key', { userId: '2', draftKey: 'of-ana' }],
  ['the same user with another key', { userId: '1', draftKey: 'new' }],
])('%s gets no drafts, and they are removed', async (_, other) => {
  await storeEncrypted(DRAFTS_KEY, new Map([['resolution of 1_2', text]]), ana);
  expect(await takeEncrypted(DRAFTS_KEY, other)).toEqual([]);
  expect(await takeEncrypted(DRAFTS_KEY, ana)).toEqual([]);
});

test('altered or foreign content is ignored', async () => {
  for (const stored of ['', 'no base 64 !', btoa('short')]) {
    sessionStorage.setItem(DRAFTS_KEY, stored);
    expect(await takeEncrypted(DRAFTS_KEY, ana)).toEqual([]);
  }
});

test('the page that a user left for another site comes back to them once, and is not readable in storage', async () => {
  await restoreDrafts(ana);
  await keepDraftsOverRedirect('/dashboard?sel=3_1');
  expect(atob(sessionStorage.getItem(DRAFTS_KEY) ?? '')).not.toContain('sel=');
  expect(takeReturnPath()).toBeUndefined();
  await restoreDrafts(ana);
  expect([takeReturnPath(), takeReturnPath()]).toEqual(['/dashboard?sel=3_1', undefined]);
  await keepDraftsOverRedirect('/dashboard?sel=3_1');
  await restoreDrafts({ userId: '2', draftKey: 'of-ben' });
  expect(takeReturnPath()).toBeUndefined();
});

test('nothing is stored without drafts', async () => {
  await restoreDrafts(ana);
  await keepDraftsOverRedirect(null);
  expect(sessionStorage.getItem(DRAFTS_KEY)).toBeNull();
});

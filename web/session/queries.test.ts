import { expect, test } from 'vitest';
import type { Me, Team } from '#contract/accounts.ts';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import { queryClient } from '../api/query-client.ts';
import { serve, somebody } from '../testing/app.tsx';
import { formatDate } from '../ui/format/date.ts';
import { meQuery, SEARCH_PREFERENCES_KEY, selectedTeam } from './queries.ts';
import { switchTeam } from './switch-team.ts';
import { keepTabTeam, tabTeam } from './tab-team.ts';

test('times are in the user’s time zone from the first page on', async () => {
  serve({ 'GET /api/me': [200, somebody({}, { preferences: { ...DEFAULT_PREFERENCES, timeZone: 'Asia/Tokyo' } })] });
  await queryClient.fetchQuery(meQuery);
  expect(formatDate('2026-11-20T20:00:00Z')).toBe('11/21/2026');
});

const twoTeams = (defaultTeam: string, userId = '1') => {
  const { user } = somebody();
  const [team] = Object.values(user.teams) as [Team];
  const teams = Object.fromEntries(['7', '8'].map((id) => [id, { ...team, id }]));
  return somebody({ id: userId, teams }, { defaultTeam, defaultFilters: [] });
};
const teamOfTab = async (answer: ReturnType<typeof twoTeams>) => {
  serve({ 'GET /api/me': [200, answer] });
  const me = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 });
  return me && selectedTeam(me)?.id;
};

test('a tab keeps its team when another tab switches, with its own default filters, and not for another user', async () => {
  sessionStorage.clear();
  queryClient.removeQueries();
  expect(await teamOfTab(twoTeams('7'))).toBe('7');
  expect(queryClient.getQueryData(SEARCH_PREFERENCES_KEY)).toEqual([]);
  // Switched elsewhere, and this tab is loaded again.
  queryClient.removeQueries();
  expect(await teamOfTab(twoTeams('8'))).toBe('7');
  expect(queryClient.getQueryData(SEARCH_PREFERENCES_KEY)).toBeUndefined();
  // Switched in this tab.
  const me = queryClient.getQueryData(meQuery.queryKey) as Me;
  serve({ 'PUT /api/users/default-team': [204] });
  await switchTeam(me, '8');
  expect(await teamOfTab(twoTeams('7'))).toBe('8');
  expect(tabTeam('1')).toBe('8');
  expect(tabTeam('2')).toBeNull();
  // A team that the user is no longer in.
  keepTabTeam('1', '9');
  expect(await teamOfTab(twoTeams('7'))).toBe('7');
});

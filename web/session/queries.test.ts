import { expect, test } from 'vitest';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import { queryClient } from '../api/query-client.ts';
import { serve, somebody } from '../testing/app.tsx';
import { formatDate } from '../ui/format/date.ts';
import { meQuery } from './queries.ts';

test('times are in the user’s time zone from the first page on', async () => {
  serve({ 'GET /api/me': [200, somebody({}, { preferences: { ...DEFAULT_PREFERENCES, timeZone: 'Asia/Tokyo' } })] });
  await queryClient.fetchQuery(meQuery);
  expect(formatDate('2026-11-20T20:00:00Z')).toBe('11/21/2026');
});

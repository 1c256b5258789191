import { expect, test } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { APPLICATION_EXPERIENCES } from '#contract/experiences.ts';
import { queryClient } from '../api/query-client.ts';
import { serve, somebody } from '../testing/app.tsx';
import { formatDate } from '../ui/format/date.ts';
import { homePath, lacksClinicalSetting, meQuery, safeReturnPath } from './session.ts';

const user = (changes: Partial<User>): User =>
  ({ applicationExperience: 'JANUS', patientId: null, primaryClinicalSetting: null, ...changes }) as User;

test('each experience begins at its own home path', () => {
  expect(
    Object.fromEntries(APPLICATION_EXPERIENCES.map((one) => [one, homePath(user({ applicationExperience: one }))])),
  ).toEqual({
    JANUS: '/dashboard',
    JANUS_ENTERPRISE_SSO: '/dashboard',
    JANUS_AUTH0_SSO: '/dashboard',
    JANUS_EHR_SSO: '/ehr/inbox',
    ANAHIT: '/hospital',
    ANAHIT_ENTERPRISE_SSO: '/hospital',
    ANAHIT_AUTH0_SSO: '/hospital',
    HOS_EHR_SSO: '/ehr/inbox',
  });
  expect(homePath(user({ applicationExperience: 'HOS_EHR_SSO', patientId: '7_8' }))).toBe('/ehr/patients/7_8');
});

test('only Anahit and its enterprise users are asked for a primary clinical setting, once', () => {
  const asked = APPLICATION_EXPERIENCES.filter((one) => lacksClinicalSetting(user({ applicationExperience: one })));
  expect(asked).toEqual(['ANAHIT', 'ANAHIT_ENTERPRISE_SSO']);
  expect(lacksClinicalSetting(user({ applicationExperience: 'ANAHIT', primaryClinicalSetting: 'ED' }))).toBe(false);
});

test('only paths of this site are returned to, and no page about the session itself', () => {
  expect(safeReturnPath('/dashboard/home/inbox?p=2')).toBe('/dashboard/home/inbox?p=2');
  for (const path of ['//evil.example', '/\\evil.example', 'https://evil.example', '/login', '/error', '/', null, 7])
    expect(safeReturnPath(path), String(path)).toBeNull();
});

test('times are on the user’s clock from the first page on', async () => {
  serve({ 'GET /api/me': [200, somebody({}, { timeZone: 'Asia/Tokyo' })] });
  await queryClient.fetchQuery(meQuery);
  expect(formatDate('2026-11-20T20:00:00Z')).toBe('11/21/2026');
});

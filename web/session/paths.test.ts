import { expect, test } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { APPLICATION_EXPERIENCES } from '#contract/experiences.ts';
import { homePath, returnPathFor, safeReturnPath } from './paths.ts';

const user = (changes: Partial<User>): User =>
  ({ applicationExperience: 'JANUS', patientId: null, primaryClinicalSetting: null, ...changes }) as User;

test('each experience has its own home path', () => {
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

test('sign-in returns only to paths of this site, and to no page about the session itself', () => {
  expect(safeReturnPath('/dashboard/home/inbox?p=2')).toBe('/dashboard/home/inbox?p=2');
  for (const path of ['//evil.example', '/\\evil.example', 'https://evil.example', '/login', '/error', '/', null, 7])
    expect(safeReturnPath(path), String(path)).toBeNull();
});

test('a page that one user left opens for that user only; a requested address for anyone', () => {
  expect(returnPathFor({ path: '/dashboard?sel=3_1', userId: '1' }, '1')).toBe('/dashboard?sel=3_1');
  expect(returnPathFor({ path: '/dashboard?sel=3_1', userId: '1' }, '2')).toBeNull();
  expect(returnPathFor({ path: '/dashboard', userId: undefined }, '2')).toBe('/dashboard');
});

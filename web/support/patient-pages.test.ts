import { expect, test } from 'vitest';
import { maySeePatients } from './patient-pages.ts';

test.each([
  '/dashboard/home/inbox',
  '/hospital',
  '/dashboard/patients/12_0',
  '/dashboard/length-of-stay',
  '/dashboard/rosters',
  '/dashboard/feeds',
  '/ehr/patients/12_0',
  '/dashboard/administrators-of-patients',
  '/dashboard/patients/admin',
  '/login',
  '/',
])('%s may show patients', (path) => {
  expect(maySeePatients(path)).toBe(true);
});

test.each(['/dashboard/admin', '/hospital/admin/users', '/dashboard/user-profile', '/dashboard/whats-new'])(
  '%s shows no patients',
  (path) => {
    expect(maySeePatients(path)).toBe(false);
  },
);

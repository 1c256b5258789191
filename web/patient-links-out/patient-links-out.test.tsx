import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';

const open = (path: string, answers: Parameters<typeof serve>[0]) => {
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients', 'canUseWishinPulse'] })],
    'GET /api/patients/1_2': [200, patientWith()],
    ...answers,
  });
  return openApp(`/dashboard/patients/1_2${path}`);
};
afterEach(() => vi.restoreAllMocks());

test('the patient page links to the exchanges that know the patient, and to no other', async () => {
  open('', { 'GET /api/patients/1_2': [200, patientWith({ hasVynca: true })] });
  const link = await screen.findByRole('link', { name: 'Open advance care documents (new tab)' });
  expect(link.getAttribute('href')).toBe('/dashboard/patients/1_2/open/vynca');
  expect(link.getAttribute('rel')).toBe('noopener noreferrer');
  expect(screen.queryByRole('link', { name: /Pulse/ })).toBeNull();
});

test('the form is posted with its fields, and nothing about the patient is in its address', async () => {
  const submit = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => {});
  const fields = [{ name: 'lastName', value: 'Okonkwo-Reyes' }];
  open('/open/pulse', { 'GET /api/patients/1_2/pulse-link': [200, { url: 'https://pulse.example/find', fields }] });
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1));
  const form = submit.mock.contexts[0] as HTMLFormElement;
  expect([form.method, form.getAttribute('action')]).toEqual(['post', 'https://pulse.example/find']);
  expect(Object.fromEntries([...form.querySelectorAll('input')].map(({ name, value }) => [name, value]))).toEqual({
    lastName: 'Okonkwo-Reyes',
  });
});

test.each(['vynca', 'elsewhere'])('without a link at %s the page says so', async (exchange) => {
  open(`/open/${exchange}`, {});
  expect(await screen.findByText('No link for this patient')).toBeTruthy();
});

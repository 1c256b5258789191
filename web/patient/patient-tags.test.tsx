import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { detailsWith } from '../testing/patients.ts';

const LONG = 'Heart failure pathway, weekly weight check';

/** What the answers to new tags wait for. */
let held = Promise.resolve();

/** Opens a patient with these tags of the team, and keeps what the page sends. */
function open(permissions: string[], names = ['Fall risk', LONG]) {
  let tags = names.map((name, index) => ({ id: String(index + 1), name }));
  const known = [
    { id: '1', name: 'Fall risk' },
    { id: '2', name: LONG },
    { id: '9', name: 'Lives alone' },
  ];
  const shown = () => ({ tags, rosterTags: ['High touch'] });
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients', ...permissions] })],
    'GET /api/patients/1_2': () => [200, detailsWith({ patientTags: ['High touch', ...tags.map(({ name }) => name)] })],
    'GET /api/patients/1_2/tags': () => [200, shown()],
    'GET /api/tags': [200, known],
    'POST /api/tags': async ({ body }) => {
      await held;
      return [200, known.find(({ name }) => name === body['name'])];
    },
    'PUT /api/patients/1_2/tags': ({ body }) => {
      tags = known.filter(({ id }) => (body['tagIds'] as string[]).includes(id));
      return [200, shown()];
    },
  });
  openApp('/dashboard/patients/1_2');
  return called;
}
const sent = (called: ReturnType<typeof open>) => called.filter(({ route }) => route.startsWith('PUT'));

test('tags are shortened to 30 characters, with the full name as the title', async () => {
  open(['canViewPatientTags']);
  expect((await screen.findByTitle(LONG)).textContent).toBe('Heart failure pathway, weekly …');
  expect(screen.getByText('High touch')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Edit tags' })).toBeNull();
});

test('users who may not see tags are shown none', async () => {
  open([]);
  await screen.findByText('Programs');
  expect(screen.queryByText('Tags')).toBeNull();
});

test('a tag is added and removed, and the tags that the page showed are sent along', async () => {
  const called = open(['canViewPatientTags', 'canEditPatientTags']);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Edit tags' }));
  const field = await screen.findByLabelText('Add a tag');
  expect(document.activeElement).toBe(field);
  expect(screen.getByText('From rosters: High touch. A roster upload changes these.')).toBeTruthy();
  await user.type(field, ' Lives alone {Enter}');
  const own = within(screen.getByRole('list', { name: "Your team's tags" }));
  await own.findByText('Lives alone');
  expect(sent(called)[0]?.body).toEqual({ tagIds: ['1', '2', '9'], expectedTagIds: ['1', '2'] });
  await user.click(screen.getByRole('button', { name: 'Remove tag Fall risk' }));
  await waitFor(() => expect(own.queryByText('Fall risk')).toBeNull());
  expect(sent(called)[1]?.body).toEqual({ tagIds: ['2', '9'], expectedTagIds: ['1', '2', '9'] });
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.getByRole('button', { name: 'Edit tags' })).toBeTruthy();
});

test('a tag that is entered while the one before is being saved is saved after it', async () => {
  const called = open(['canViewPatientTags', 'canEditPatientTags'], []);
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Edit tags' }));
  await user.type(await screen.findByLabelText('Add a tag'), 'Lives alone{Enter}Fall risk{Enter}Lives');
  resolve();
  await screen.findByRole('button', { name: 'Remove tag Fall risk' });
  expect(sent(called).map(({ body }) => body)).toEqual([
    { tagIds: ['9'], expectedTagIds: [] },
    { tagIds: ['9', '1'], expectedTagIds: ['9'] },
  ]);
  expect(screen.getByLabelText<HTMLInputElement>('Add a tag').value).toBe('Lives');
});

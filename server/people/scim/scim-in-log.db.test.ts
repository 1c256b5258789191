/** What an administrator reads of a provider's changes. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { provisioned } from '#server/testing/provisioned.ts';

const app = await startApp();

test('who is in a group is in the audit log, also if the group gives nothing yet', async () => {
  const { scim, ada, admin, connection } = await provisioned(app);
  const people = [(await ada()).body, (await ada()).body] as { id: string }[];
  const [first, second] = people.map(({ id }) => id);
  const made = await scim.call('POST', '/Groups', { displayName: 'Nurses', members: [{ value: first }] });
  const path = `/Groups/${(made.body as { id: string }).id}`;
  const add = { op: 'add', path: 'members', value: [{ value: first }, { value: second }] };
  await scim.call('PATCH', path, { Operations: [add] });
  await scim.call('PATCH', path, { Operations: [add] });
  await scim.call('PUT', path, { displayName: 'Nurses', members: [{ value: second }] });
  await scim.call('PATCH', path, { Operations: [{ op: 'remove', path: 'members' }] });
  const { changes } = await admin.call('GET /api/admin/changes', { query: { kind: 'connections' } });
  const told = changes.filter(({ action }) => action === 'sso-connection.group-members');
  expect(told.map(({ detail }) => ({ added: detail['added'], removed: detail['removed'] }))).toEqual([
    { added: [], removed: [second] },
    { added: [], removed: [first] },
    { added: [second], removed: [] },
    { added: [first], removed: [] },
  ]);
  expect(told[0]).toMatchObject({
    by: null,
    through: { id: connection.id },
    subject: { id: connection.id },
    detail: { group: 'Nurses' },
  });
});

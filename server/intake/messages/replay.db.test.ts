import { expect, test } from 'vitest';
import { admission, feedOffice, refusedWith } from '#server/testing/feed-office.ts';
import type { TestPerson } from '#server/testing/hospital.ts';

const { app, hosp, home, operator, audited } = await feedOffice();
const { make } = app;

test('a message without a feed waits; once the feed is set up, a replay applies it and sends its pings', async () => {
  const program = await make.group();
  const person: TestPerson = { family: 'Quillfeather', given: 'Bram', birthDate: '1951-02-03', sex: 'M', zip: '12866' };
  await hosp.list(program.id, person);
  const id = await hosp.send(admission({ record: 'U-1', visit: 'UV-1', facility: 'LATER', person }));
  const params = { id };
  expect(await operator.call('GET /api/feeds/messages/:id', { params })).toMatchObject({
    status: 'QUARANTINED',
    feedId: null,
    reason:
      "MSH-3/MSH-4 ('TESTADT', 'LATER') don't match any feed. Set up a feed for this sender, then replay the message.",
  });
  expect(await refusedWith(home.admin.call('GET /api/feeds/messages/:id', { params }))).toEqual([404, 'NOT_FOUND']);
  const feedId = await hosp.feed(home.organizationId, { LATER: home.facility });
  const replayed = await operator.call('POST /api/feeds/messages/:id/replay', { params });
  expect(replayed).toMatchObject({ id, status: 'APPLIED', reason: 'Created: admission', feedId });
  expect(await hosp.pings(program.id)).toEqual(['ADMIT ACTIVE current']);
  expect(await audited('message.replay')).toContain(id);
  expect((await home.admin.call('GET /api/feeds/messages/:id', { params })).feedId).toBe(feedId);
});

test('a duplicate cannot be replayed', async () => {
  const text = admission({ record: 'R-1', visit: 'RV-1' });
  const id = await hosp.send(text, text);
  const call = home.admin.call('POST /api/feeds/messages/:id/replay', { params: { id } });
  expect(await refusedWith(call)).toEqual([400, 'BAD_REQUEST']);
});

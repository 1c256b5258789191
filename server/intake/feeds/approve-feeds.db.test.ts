/** What an organization claims to receive is its own only once an operator has approved it. */
import { expect, test } from 'vitest';
import { administration, refusal } from '#server/testing/administration.ts';
import { CallError, type Client, signIn } from '#server/testing/app.ts';
import { addApprovedFeed, approveFeed } from '#server/testing/feed-approval.ts';
import { feedOffice } from '#server/testing/feed-office.ts';
import { adt } from '#server/testing/hospital.ts';

const { app, hosp, operator, listMessages } = await feedOffice();
const { make } = app;
const { rows } = administration(app);

let count = 0;
/** Adds an organization with a hospital that has no feed, and its administrator. */
async function office() {
  const code = `NORTH${++count}`;
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const annex = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const team = await make.team({ organizationId, groupIds: [facility.id, annex.id] });
  const admin = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const entry = (identifier: string, groupId = facility.id) => ({ identifier, groupId, registrationIsVisit: false });
  return { code, facility, annex, admin, entry };
}

const claim = (code: string, entry: { identifier: string; groupId: string; registrationIsVisit: boolean }) => ({
  name: `Feed ${code}`,
  sendingApplication: 'TESTADT',
  sendingFacility: code,
  facilities: [entry],
});

const admission = (facility: string, visit: string) =>
  adt('A01', { at: '202611200900', record: `MR-${facility}-${visit}`, visit, facility });

const feedOf = async (client: Client, id: string) => (await client.call('GET /api/feeds', {})).find((f) => f.id === id);
const settingsOf = (client: Client, id: string) => client.call('GET /api/admin/feeds/:id/settings', { params: { id } });

test('whoever names a sender first reads none of its messages until an operator approves', async () => {
  const { code, facility, admin, entry } = await office();
  const before = await hosp.send(admission(code, 'V-1'));
  const { id, messages, isWaiting } = await admin.call('POST /api/admin/feeds', { body: claim(code, entry(code)) });
  expect({ messages, isWaiting }).toEqual({ messages: 0, isWaiting: true });
  const after = await hosp.send(admission(code, 'V-2'));
  expect(await hosp.message(after)).toEqual({
    status: 'QUARANTINED',
    feedId: null,
    reason: 'Waiting for an operator to approve this sender.',
  });
  expect((await listMessages(admin)).total).toBe(0);
  for (const messageId of [before, after]) {
    const params = { id: messageId };
    expect(await refusal(admin.call('GET /api/feeds/messages/:id', { params }))).toBe('NOT_FOUND');
    expect(await refusal(admin.call('POST /api/feeds/messages/:id/replay', { params }))).toBe('NOT_FOUND');
  }
  expect(await admin.call('POST /api/feeds/:id/replay', { params: { id } })).toEqual({ messages: 0 });
  const preview = { body: { feedId: id, text: admission(code, 'V-3') } };
  expect(await admin.call('POST /api/feeds/preview', preview)).toMatchObject({ outcome: 'quarantine', matching: null });
  expect(await hosp.events(facility.id)).toEqual([]);
  expect((await feedOf(admin, id))?.waiting).toMatchObject({ sendingFacility: code, messages: null });
  expect(await feedOf(operator, id)).toMatchObject({
    approvedAt: null,
    quarantined: 0,
    waiting: { sendingApplication: 'TESTADT', sendingFacility: code, facilities: [{ identifier: code }], messages: 2 },
  });

  expect(await approveFeed(operator, id)).toEqual({ messages: 2 });
  await hosp.queue.drain();
  expect(await feedOf(admin, id)).toMatchObject({ quarantined: 0, waiting: null });
  expect((await listMessages(admin)).total).toBe(2);
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE', 'ADMIT ACTIVE']);
});

test('only an operator approves or declines, and only what they saw', async () => {
  const { code, admin, entry } = await office();
  const { id } = await admin.call('POST /api/admin/feeds', { body: claim(code, entry(code)) });
  const params = { id };
  const body = { version: (await feedOf(admin, id))?.waiting?.version ?? '' };
  const { admin: stranger } = await office();
  for (const act of ['POST /api/admin/feeds/:id/approve', 'POST /api/admin/feeds/:id/decline'] as const) {
    expect(await refusal(admin.call(act, { params, body })), act).toBe('NOT_PERMITTED');
    expect(await refusal(stranger.call(act, { params, body })), act).toBe('NOT_FOUND');
  }
  const read = await settingsOf(admin, id);
  await admin.call('PUT /api/admin/feeds/:id/settings', { params, body: { ...read, sendingFacility: `${code}-B` } });
  expect(await refusal(operator.call('POST /api/admin/feeds/:id/approve', { params, body }))).toBe('CHANGED_BY_OTHER');
  const seen = { version: (await feedOf(operator, id))?.waiting?.version ?? '' };
  await operator.call('POST /api/admin/feeds/:id/decline', { params, body: seen });
  expect(await feedOf(operator, id)).toBeUndefined();
  expect(await refusal(operator.call('POST /api/admin/feeds/:id/approve', { params, body: seen }))).toBe('NOT_FOUND');
  const audited = await rows<{ action: string }>(
    "select action from audit_entries where subject = 'feed' and subject_id = $1 order by id",
    [id],
  );
  expect(audited.map(({ action }) => action)).toEqual(['feed.add', 'feed.change', 'feed.decline']);
});

test('a running feed keeps its sender and facilities until an operator approves the new ones', async () => {
  const { code, facility, annex, admin, entry } = await office();
  const { id } = await addApprovedFeed({ admin, operator }, claim(code, entry(code)));
  const params = { id };
  const wanted = {
    ...(await settingsOf(admin, id)),
    name: `Renamed ${code}`,
    sendingFacility: `${code}-NEW`,
    facilities: [entry(code), entry('ANNEX', annex.id)],
  };
  const saved = await admin.call('PUT /api/admin/feeds/:id/settings', { params, body: wanted });
  expect(saved).toMatchObject({ name: `Renamed ${code}`, sendingFacility: `${code}-NEW`, isWaiting: true });
  expect(await feedOf(admin, id)).toMatchObject({
    name: `Renamed ${code}`,
    sendingFacility: code,
    facilities: [{ identifier: code }],
    waiting: { sendingFacility: `${code}-NEW`, facilities: [{ identifier: 'ANNEX' }, { identifier: code }] },
  });
  await hosp.send(admission(code, 'V-1'));
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE']);
  const moved = await hosp.send(admission(`${code}-NEW`, 'V-2'));
  expect((await hosp.message(moved)).reason).toBe('Waiting for an operator to approve this sender.');

  expect(await approveFeed(operator, id)).toEqual({ messages: 1 });
  expect(await settingsOf(admin, id)).toMatchObject({ sendingFacility: `${code}-NEW`, isWaiting: false });
  expect((await hosp.message(await hosp.send(admission(code, 'V-3')))).feedId).toBeNull();
});

test('a facility identifier waits, while a name, a setting or a removed identifier applies at once', async () => {
  const { code, annex, admin, entry } = await office();
  const both = { ...claim(code, entry(code)), facilities: [entry(code), entry('ANNEX', annex.id)] };
  const { id } = await addApprovedFeed({ admin, operator }, both);
  const change = async (part: object) => {
    const body = { ...(await settingsOf(admin, id)), ...part };
    return (await admin.call('PUT /api/admin/feeds/:id/settings', { params: { id }, body })).isWaiting;
  };
  expect(await change({ name: `Other ${code}`, settings: { timeZone: 'America/Chicago' } })).toBe(false);
  expect(await change({ facilities: [entry(code)] })).toBe(false);
  expect(await change({ facilities: [entry(code), entry('*')] })).toBe(true);
  expect((await feedOf(admin, id))?.facilities).toHaveLength(1);
  expect(await change({ facilities: [entry(code)] })).toBe(false);
  expect(await change({ facilities: [entry(code, annex.id)] })).toBe(true);

  const read = await settingsOf(operator, id);
  const named = { ...read, name: `Operator ${code}` };
  const untouched = await operator.call('PUT /api/admin/feeds/:id/settings', { params: { id }, body: named });
  expect(untouched.isWaiting).toBe(true);
  const body = { version: (await feedOf(operator, id))?.waiting?.version ?? '' };
  await operator.call('POST /api/admin/feeds/:id/decline', { params: { id }, body });
  expect(await feedOf(admin, id)).toMatchObject({ waiting: null, facilities: [{ groupId: entry(code).groupId }] });
});

test('a claim keeps the sender from no one, and the operator approves one of them', async () => {
  const [squatter, owner] = [await office(), await office()];
  const { code } = owner;
  const first = await squatter.admin.call('POST /api/admin/feeds', { body: claim(code, squatter.entry(code)) });
  const { id } = await addApprovedFeed({ admin: owner.admin, operator }, claim(code, owner.entry(code)));
  const call = approveFeed(operator, first.id);
  await expect(call).rejects.toBeInstanceOf(CallError);
  expect(await refusal(call)).toBe('BAD_REQUEST');
  expect((await hosp.message(await hosp.send(admission(code, 'V-1')))).feedId).toBe(id);
});

test('what an operator adds or changes is approved at once', async () => {
  const { code, entry } = await office();
  await hosp.send(admission(code, 'V-1'));
  const { id, messages, isWaiting } = await operator.call('POST /api/admin/feeds', { body: claim(code, entry(code)) });
  expect({ messages, isWaiting }).toEqual({ messages: 1, isWaiting: false });
  const body = { ...(await settingsOf(operator, id)), facilities: [entry(code), entry('WEST')] };
  const answer = await operator.call('PUT /api/admin/feeds/:id/settings', { params: { id }, body });
  expect(answer).toMatchObject({ isWaiting: false, facilities: [{ identifier: code }, { identifier: 'WEST' }] });
});

test('the messages of a paused feed wait after an approval until it is resumed', async () => {
  const { code, facility, annex, admin, entry } = await office();
  const { id } = await addApprovedFeed({ admin, operator }, claim(code, entry(code)));
  const params = { id };
  await admin.call('POST /api/admin/feeds/:id/pause', { params });
  await hosp.send(admission(code, 'V-1'));
  const facilities = [entry(code), entry('ANNEX', annex.id)];
  await admin.call('PUT /api/admin/feeds/:id/settings', {
    params,
    body: { ...(await settingsOf(admin, id)), facilities },
  });
  expect(await approveFeed(operator, id)).toEqual({ messages: 0 });
  expect(await feedOf(admin, id)).toMatchObject({ quarantined: 1 });
  expect(await admin.call('POST /api/admin/feeds/:id/resume', { params })).toEqual({ messages: 1 });
  await hosp.queue.drain();
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE']);
});

/** Feeds from set-up to end, and what happens to their messages along the way. */
import { expect, test } from 'vitest';
import type { FeedFields } from '#contract/feeds.ts';
import type { RouteInput } from '#contract/routes.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { CallError, type Client, signIn, startApp } from '#server/testing/app.ts';
import { addApprovedFeed, approveFeed } from '#server/testing/feed-approval.ts';
import { adt, hospital } from '#server/testing/hospital.ts';
import { feedsOf } from './feed-lookup.ts';

const app = await startApp();
const { make, database, clock } = app;
const { rows } = administration(app);
const hosp = hospital(database, clock.now, make);
const operatorOf = await make.user({ team: await make.team(), role: 'administrator', isOperator: true });
const operator = await signIn(app, operatorOf.username);

let count = 0;
/** Adds an organization with two hospitals, neither on a feed yet, and an administrator of the first one. */
async function office() {
  const code = `L${++count}`;
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const clinic = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const team = await make.team({ organizationId, groupIds: [facility.id] });
  const admin = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const body = {
    name: `Feed ${code}`,
    sendingApplication: 'TESTADT',
    sendingFacility: code,
    facilities: [{ identifier: code, groupId: facility.id, registrationIsVisit: false }],
  } satisfies Partial<FeedFields>;
  const person = { family: 'Thistlewood', given: 'Maren', birthDate: '1944-07-19', sex: 'F', zip: '12207' } as const;
  const admission = (visit: string) =>
    adt('A01', { at: '202611200900', record: `MR-${visit}`, visit, facility: code, person });
  return { admin, code, organizationId, facility, clinic, team, body, admission };
}

type FeedBody = RouteInput<'POST /api/admin/feeds'>['body'];
const addApproved = (admin: Client, body: FeedBody) => addApprovedFeed({ admin, operator }, body);

/** Returns the problems by field. */
async function fieldsOf(call: Promise<unknown>): Promise<Record<string, string> | undefined> {
  const error = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!(error instanceof CallError)) throw new Error('The call was not refused');
  return error.body.fields;
}

const audited = async (id: string): Promise<string[]> =>
  (
    await rows<{ action: string }>(
      "select action from audit_entries where subject = 'feed' and subject_id = $1 and action <> 'access.refused' order by id",
      [id],
    )
  ).map(({ action }) => action);

test('operators see the messages of an unknown sender, and a replay processes them once they have set up a feed', async () => {
  const { admin, code, facility, body, admission } = await office();
  await hosp.send(admission('V-1'), admission('V-2'));
  const sender = { sendingApplication: 'TESTADT', sendingFacility: code };
  const unknown = async () =>
    (await operator.call('GET /api/feeds/unknown-senders', {})).filter(
      ({ sendingFacility }) => sendingFacility === code,
    );
  expect(await unknown()).toEqual([{ ...sender, messages: 2, lastMessageAt: expect.any(String) as string }]);
  expect(await admin.call('GET /api/feeds/unknown-senders', {})).toEqual([]);

  const { id, messages } = await operator.call('POST /api/admin/feeds', { body });
  expect(messages).toBe(2);
  expect(await unknown()).toEqual([]);
  const [feed] = (await admin.call('GET /api/feeds', {})).filter((one) => one.id === id);
  expect(feed).toMatchObject({ ...sender, name: body.name, quarantined: 2, receivedToday: 2, pausedAt: null });
  expect(await hosp.events(facility.id)).toEqual([]);
  expect(await admin.call('POST /api/feeds/:id/replay', { params: { id } })).toEqual({ messages: 2 });
  await hosp.queue.drain();
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE', 'ADMIT ACTIVE']);
  expect((await hosp.message(await hosp.send(admission('V-3')))).status).toBe('APPLIED');
  expect(await audited(id)).toEqual(['feed.add', 'feed.replay']);
  const { changes } = await admin.call('GET /api/admin/changes', { query: { kind: 'feeds' } });
  expect(changes.map(({ action, subject }) => [action, subject.name])).toEqual([
    ['feed.replay', body.name],
    ['feed.add', body.name],
  ]);
});

test('a feed is set up with the defaults for what is left out, and problems are reported by field', async () => {
  const { admin, body, organizationId } = await office();
  const { facility: foreign } = await office();
  const program = await make.group({ organizationId });
  const [own] = body.facilities;
  const wrong: [object, string][] = [
    [{ name: ' ' }, 'name'],
    [{ facilities: [] }, 'facilities'],
    [{ facilities: [{ ...own, identifier: ' ' }] }, 'facilities.0.identifier'],
    [{ facilities: [own, own] }, 'facilities.1.identifier'],
    [{ facilities: [{ ...own, groupId: program.id }] }, 'facilities.0.groupId'],
    [{ settings: { timeZone: 'Mars/Olympus' } }, 'settings.timeZone'],
    [{ sendingFacility: null }, 'sendingFacility'],
    [{ sendingFacility: ' ' }, 'sendingFacility'],
  ];
  for (const [part, field] of wrong) {
    const fields = await fieldsOf(admin.call('POST /api/admin/feeds', { body: { ...body, ...part } }));
    expect(Object.keys(fields ?? {}), JSON.stringify(part)).toEqual([field]);
  }
  const elsewhere = { ...body, facilities: [{ ...own, groupId: foreign.id }] };
  expect(await refusal(admin.call('POST /api/admin/feeds', { body: elsewhere as typeof body }))).toBe('NOT_FOUND');
  expect(await rows('select from feeds where organization_id = $1', [organizationId])).toEqual([]);

  const short = { ...body, facilities: body.facilities.map(({ identifier, groupId }) => ({ identifier, groupId })) };
  const { id } = await addApproved(admin, short);
  const params = { id };
  expect(await admin.call('GET /api/admin/feeds/:id/settings', { params })).toEqual({
    ...body,
    settings: {},
    isBackfill: false,
    isWaiting: false,
    version: expect.any(String) as string,
  });
});

test('an administrator cannot add a facility to a feed that they do not manage', async () => {
  const { admin, body, clinic } = await office();
  const facilities = [...body.facilities, { identifier: 'CLINIC', groupId: clinic.id, registrationIsVisit: false }];
  const call = () => admin.call('POST /api/admin/feeds', { body: { ...body, facilities } });
  expect(await refusal(call())).toBe('NOT_PERMITTED');
  expect(Object.keys((await fieldsOf(call())) ?? {})).toEqual(['facilities.1.groupId']);
});

test('a name and a sender are unique to a feed in an organization, and free again once it ends', async () => {
  const { admin, code, body } = await office();
  const { id } = await addApproved(admin, body);
  const other = { ...body, sendingFacility: `${code}-2` };
  expect(await refusal(admin.call('POST /api/admin/feeds', { body: other }))).toBe('NAME_TAKEN');
  expect(await fieldsOf(admin.call('POST /api/admin/feeds', { body: { ...body, name: 'Another' } }))).toEqual({
    sendingFacility: `${body.name} already has this sending application and facility.`,
  });
  const { admin: stranger, body: theirs } = await office();
  await stranger.call('POST /api/admin/feeds', { body: { ...theirs, name: body.name } });

  await admin.call('DELETE /api/admin/feeds/:id', { params: { id } });
  expect(await admin.call('GET /api/feeds', {})).toEqual([]);
  const again = await addApproved(admin, body);
  expect(again.id).not.toBe(id);
  expect(await refusal(admin.call('GET /api/admin/feeds/:id/settings', { params: { id } }))).toBe('NOT_FOUND');
  expect(await audited(id)).toEqual(['feed.add', 'feed.approve', 'feed.end']);
});

test('whoever leaves the application open beside feeds that name theirs is asked for it', async () => {
  const { admin, code, body } = await office();
  await addApproved(admin, { ...body, sendingApplication: 'THEIRS' });
  const rival = await office();
  const add = (sendingApplication: string | null) =>
    rival.admin.call('POST /api/admin/feeds', { body: { ...rival.body, sendingApplication, sendingFacility: code } });
  expect(await fieldsOf(add(null))).toEqual({
    sendingApplication: expect.stringContaining('Enter the sending application') as string,
  });
  await expect(add('OURS')).resolves.toMatchObject({ isWaiting: true });
});

test('a sender cannot be taken from a feed of others, neither by naming it more precisely nor after the feed has ended', async () => {
  const { admin, code, body, organizationId, clinic } = await office();
  const { id } = await addApproved(admin, { ...body, sendingApplication: null });
  const rival = await office();
  const take = (sendingApplication: string | null) =>
    fieldsOf(
      rival.admin.call('POST /api/admin/feeds', { body: { ...rival.body, sendingApplication, sendingFacility: code } }),
    );
  const refused = { sendingFacility: "This sender belongs to a feed that you don't manage." };
  expect(await take(null)).toEqual(refused);
  expect(await take('TESTADT')).toEqual(refused);
  const { id: ownId } = await addApproved(rival.admin, rival.body);
  const params = { id: ownId };
  const read = await rival.admin.call('GET /api/admin/feeds/:id/settings', { params });
  const moved = { ...read, sendingFacility: code };
  expect(await fieldsOf(rival.admin.call('PUT /api/admin/feeds/:id/settings', { params, body: moved }))).toEqual(
    refused,
  );

  const team = await make.team({ organizationId, groupIds: [clinic.id] });
  const colleague = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const facilities = [{ identifier: code, groupId: clinic.id, registrationIsVisit: false }];
  const closer = { ...body, name: 'Closer', facilities };
  expect(await fieldsOf(colleague.call('POST /api/admin/feeds', { body: closer }))).toEqual(refused);

  await admin.call('DELETE /api/admin/feeds/:id', { params: { id } });
  expect(await take('TESTADT')).toEqual(refused);
  await operator.call('POST /api/admin/feeds', { body: { ...rival.body, name: 'Moved', sendingFacility: code } });
});

test('an operator can leave the sending facility open, and a message goes to the most precise feed', async () => {
  const { admin, code, body, facility } = await office();
  const application = `APP-${code}`;
  const open = { ...body, name: 'Wide', sendingApplication: application, sendingFacility: null };
  await operator.call('POST /api/admin/feeds', { body: open });
  const { id } = await addApproved(admin, { ...body, sendingApplication: application });
  const text = adt('A01', { at: '202611200900', record: 'MR-1', visit: 'V-1', facility: code });
  const messageId = await hosp.send(text.replace('|TESTADT|', `|${application}|`));
  expect((await hosp.message(messageId)).feedId).toBe(id);
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE']);
  const catchAll = { ...open, name: 'All', sendingApplication: null };
  expect(Object.keys((await fieldsOf(operator.call('POST /api/admin/feeds', { body: catchAll }))) ?? {})).toEqual([
    'sendingFacility',
  ]);
});

test('a paused feed keeps messages and retracts nothing, and resuming it processes them all', async () => {
  const { admin, body, admission, facility } = await office();
  const { id } = await addApproved(admin, body);
  const params = { id };
  const first = await hosp.send(admission('V-1'));
  await admin.call('POST /api/admin/feeds/:id/pause', { params });
  const kept = await hosp.send(admission('V-2'));
  expect(await hosp.message(kept)).toMatchObject({
    status: 'QUARANTINED',
    feedId: id,
    reason: 'The feed is paused. The message will be processed when the feed is resumed.',
  });
  await admin.call('POST /api/feeds/messages/:id/replay', { params: { id: first } });
  await hosp.queue.drain();
  expect((await hosp.message(first)).status).toBe('QUARANTINED');
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE']);
  const [feed] = await admin.call('GET /api/feeds', {});
  expect(feed).toMatchObject({ pausedAt: expect.any(String) as string, quarantined: 2 });
  expect(await refusal(admin.call('POST /api/feeds/:id/replay', { params }))).toBe('BAD_REQUEST');
  expect(await refusal(admin.call('DELETE /api/admin/feeds/:id', { params }))).toBe('STILL_NEEDED');
  const text = admission('V-3');
  expect(await admin.call('POST /api/feeds/preview', { body: { feedId: id, text } })).toMatchObject({
    outcome: 'facts',
  });

  await admin.call('POST /api/admin/feeds/:id/pause', { params });
  expect(await admin.call('POST /api/admin/feeds/:id/resume', { params })).toEqual({ messages: 2 });
  expect(await admin.call('POST /api/admin/feeds/:id/resume', { params })).toEqual({ messages: 0 });
  await hosp.queue.drain();
  expect((await hosp.message(kept)).status).toBe('APPLIED');
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE', 'ADMIT ACTIVE']);
  expect(await audited(id)).toEqual(['feed.add', 'feed.approve', 'feed.pause', 'feed.resume']);
});

test('a pause waits for a batch that read the feeds before it', async () => {
  const { admin, body } = await office();
  const { id } = await addApproved(admin, body);
  const batch = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const done: string[] = [];
  const running = database.pipeline
    .transaction(async (tx) => {
      await feedsOf(tx, []);
      begun.resolve();
      await batch.promise;
    })
    .then(() => done.push('batch'));
  await begun.promise;
  const pausing = admin.call('POST /api/admin/feeds/:id/pause', { params: { id } }).then(() => done.push('pause'));
  const waiting = `select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.classid = 7412 and not l.granted`;
  await expect.poll(async () => (await rows(waiting)).length).toBe(1);
  batch.resolve();
  await Promise.all([running, pausing]);
  expect(done).toEqual(['batch', 'pause']);
});

test('what an ended feed sent stays, and new messages of its sender have no feed until one is set up', async () => {
  const { admin, body, admission, facility, code } = await office();
  const { id } = await addApproved(admin, body);
  const first = await hosp.send(admission('V-1'));
  await admin.call('DELETE /api/admin/feeds/:id', { params: { id } });
  await admin.call('POST /api/feeds/messages/:id/replay', { params: { id: first } });
  await hosp.queue.drain();
  expect(await hosp.message(first)).toMatchObject({ status: 'QUARANTINED', feedId: id });
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE']);
  const second = await hosp.send(admission('V-2'));
  expect(await hosp.message(second)).toEqual({
    status: 'QUARANTINED',
    feedId: null,
    reason: `MSH-3/MSH-4 ('TESTADT', '${code}') don't match any feed. Set up a feed for this sender, then replay the message.`,
  });
  const { messages } = await addApproved(admin, body);
  expect(messages).toBe(2);
});

test('a feed can be renamed and its sender corrected in its settings', async () => {
  const { admin, body, admission, code } = await office();
  const { id } = await addApproved(admin, { ...body, sendingFacility: `${code}-TYPO` });
  const waiting = await hosp.send(admission('V-1'));
  const params = { id };
  const read = await admin.call('GET /api/admin/feeds/:id/settings', { params });
  const right = { ...read, name: `Renamed ${code}`, sendingFacility: code };
  const answer = await admin.call('PUT /api/admin/feeds/:id/settings', { params, body: right });
  expect(answer).toMatchObject({ name: `Renamed ${code}`, sendingFacility: code, isWaiting: true });
  expect(await approveFeed(operator, id)).toEqual({ messages: 1 });
  await hosp.queue.drain();
  const [feed] = await admin.call('GET /api/feeds', {});
  expect(feed).toMatchObject({ name: `Renamed ${code}`, quarantined: 0 });
  expect((await hosp.message(waiting)).status).toBe('APPLIED');
  const { changes } = await admin.call('GET /api/admin/changes', { query: {} });
  expect(changes.find(({ action }) => action === 'feed.change')?.detail).toMatchObject({
    changes: { name: [read.name, `Renamed ${code}`], sendingFacility: [read.sendingFacility, code] },
  });
});

test('only someone who manages every facility of a feed can pause, resume, replay or end it; other organizations do not see it', async () => {
  const { admin, body, clinic } = await office();
  const { id } = await addApproved(admin, body);
  await make.feedFacility({ feedId: id, groupId: clinic.id, identifier: 'CLINIC' });
  const { admin: stranger } = await office();
  const params = { id };
  const acts = [
    'POST /api/admin/feeds/:id/pause',
    'POST /api/admin/feeds/:id/resume',
    'POST /api/feeds/:id/replay',
    'DELETE /api/admin/feeds/:id',
  ] as const;
  for (const act of acts) {
    expect(await refusal(admin.call(act, { params })), act).toBe('NOT_PERMITTED');
    expect(await refusal(stranger.call(act, { params })), act).toBe('NOT_FOUND');
  }
  expect(await audited(id)).toEqual(['feed.add', 'feed.approve']);
});

test('a group can be ended once the only feed that lists it has ended', async () => {
  const { body, organizationId } = await office();
  const annex = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const facilities = [{ identifier: 'ANNEX', groupId: annex.id, registrationIsVisit: false }];
  const { id } = await operator.call('POST /api/admin/feeds', { body: { ...body, facilities } });
  const end = () => operator.call('DELETE /api/admin/groups/:id', { params: { id: annex.id } });
  expect(await refusal(end())).toBe('STILL_NEEDED');
  await operator.call('DELETE /api/admin/feeds/:id', { params: { id } });
  await end();
});

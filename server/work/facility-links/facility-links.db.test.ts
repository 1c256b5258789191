import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { askingOrganization, linkScenes, TOLD } from '#server/testing/facility-links.ts';
import { filtering } from '#server/testing/search.ts';
import { tendLinks } from './expire-links.ts';

const app = await startApp();
const { database, clock, make } = app;
const { hosp, scene, create, open, answer, list, revoke, audited, mailsTo, holder } = linkScenes(app);
const HOUR = 3_600_000;
const KEY = 'POST /api/patients/:id/facility-links';
const NEW = { purpose: 'CONFIRM_DISCHARGE', recipient: null, hours: 72 } as const;

const patient = (client: Awaited<ReturnType<typeof signIn>>, id: string) =>
  client.call('GET /api/patients/:id', { params: { id } });

test('an answer by link discharges the patient, and says everywhere who reported it', async () => {
  const { client, id, birthDate, facility, groupId } = await scene();
  const { token, linkId } = await create(client, id);
  const page = await open(token, birthDate);
  expect(page).toMatchObject({
    facilityName: facility.name,
    birthDate: expect.stringContaining('-'),
    timeZone: 'America/New_York',
  });
  expect(page.askedBy).toMatch(/\(Lakeshore ACO F-\w+\)$/);
  expect(Object.keys(page).sort()).toEqual([
    'admittedDate',
    'askedBy',
    'birthDate',
    'expiresDate',
    'facilityName',
    'patientName',
    'purpose',
    'timeZone',
  ]);
  await answer(token, birthDate, { time: '14:30', note: 'Left with the daughter' });
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE']);
  expect(await hosp.pings(groupId)).toEqual(['ADMIT ACTIVE late', 'DISCHARGE ACTIVE current']);
  const origin = {
    name: 'Ana Ruiz',
    organization: askingOrganization(facility),
    date: clock.now().toISOString().replace('.000', ''),
  };
  const seen = await patient(client, id);
  expect(seen.currentPing).toMatchObject({
    status: 'DISCHARGE',
    eventDate: '2026-11-19T19:30:00.000Z',
    dischargedTo: 'Home',
    manual: false,
    reportedByLink: origin,
  });
  const story = await client.call('GET /api/patients/:id/encounters', { params: { id }, query: {} });
  expect(story.encounters[0]?.events[0]).toMatchObject({ status: 'DISCHARGE', reportedByLink: origin });
  const { links } = await list(client, id);
  expect(links).toMatchObject([
    { state: 'ANSWERED', recipient: null, answer: { contactName: 'Ana Ruiz', note: 'Left with the daughter' } },
  ]);
  expect(await audited(linkId)).toEqual(['create', 'open', 'open', 'answer']);
});

test('the message of an answer is listed with its origin for the facility and for operators, and for no one else', async () => {
  const { client, id, birthDate, facility } = await scene();
  const { token } = await create(client, id);
  await answer(token, birthDate);
  const team = await make.team({ organizationId: facility.organizationId, groupIds: [facility.id] });
  const administrator = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const messages = async (of: typeof client) => (await of.call('GET /api/feeds/messages', { query: {} })).messages;
  expect(await messages(administrator)).toContainEqual(
    expect.objectContaining({
      messageType: 'LINK^DISCHARGE',
      feedName: 'Tidings',
      status: 'APPLIED',
      reason: 'Created: discharge',
      reportedByLink: `of ${askingOrganization(facility)}, by “Ana Ruiz” (not verified)`,
    }),
  );
  const other = await scene();
  const stranger = await signIn(app, (await other.user('administrator')).username);
  expect(await messages(stranger)).toEqual([]);
});

test('every reader learns in the explanation whose link it was', async () => {
  const { client, id, birthDate, person, facility } = await scene();
  const { id: otherOrganization } = await make.organization();
  const { id: otherGroup } = await make.group({ organizationId: otherOrganization });
  const otherTeam = await make.team({ organizationId: otherOrganization, groupIds: [otherGroup] });
  const listing = await hosp.list(otherGroup, person);
  const { token } = await create(client, id);
  await answer(token, birthDate);
  const reader = await signIn(app, (await make.user({ team: otherTeam, role: 'care coordinator' })).username);
  const seen = await patient(reader, `${listing}_${id.split('_')[1]}`);
  const eventId = seen.currentPing?.eventIdentifier ?? '';
  const params = { id: `${listing}_${id.split('_')[1]}`, eventId };
  const origin = { name: 'Ana Ruiz', organization: askingOrganization(facility) };
  for (const key of [
    'GET /api/patients/:id/events/:eventId/explanation',
    'GET /api/patients/:id/events/:eventId/evidence',
  ] as const) {
    const { ping, messages } = await reader.call(key, { params });
    expect(ping.reportedByLink).toMatchObject(origin);
    expect(messages).toMatchObject([{ role: 'REPORTED', source: 'LINK', trigger: null }]);
  }
});

test('whoever made the link, and anyone in their organization, can’t answer it in a browser where they are signed in', async () => {
  const { client, id, birthDate, user, facility } = await scene();
  const { token } = await create(client, id);
  const colleague = await signIn(app, (await user('administrator')).username);
  for (const asker of [client, colleague]) {
    const body = { token, birthDate, answer: TOLD };
    const { errorKey, message } = await errorOf(asker, 'POST /api/facility-links/answer', { body });
    expect([errorKey, message]).toEqual(['NOT_PERMITTED', expect.stringContaining('Your organization made this link')]);
  }
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE']);
  const team = await make.team({ organizationId: facility.organizationId, groupIds: [facility.id] });
  const nurse = await signIn(app, (await make.user({ team, role: 'clinician' })).username);
  await nurse.call('POST /api/facility-links/answer', { body: { token, birthDate, answer: TOLD } });
  await hosp.queue.drain();
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE']);
});

test('in the lists of a facility whose feed reported the stay, an answer by link doesn’t end it', async () => {
  const { client, id, birthDate, facility, send } = await scene();
  const team = await make.team({ organizationId: facility.organizationId, groupIds: [facility.id] });
  const nurse = await signIn(app, (await make.user({ team, role: 'clinician' })).username);
  const open = async (of: typeof client) => {
    const body = filtering({}, { openPatientsOnly: true });
    return (await of.call('POST /api/patients/search', { body })).total;
  };
  const { token } = await create(client, id);
  await answer(token, birthDate);
  expect([await open(nurse), await open(client)]).toEqual([1, 0]);
  await send('A03', { at: '202611191500', discharged: '202611191500', disposition: '01' });
  // The search reads changes that others made a moment later.
  await expect.poll(() => open(nurse), { timeout: 20_000 }).toBe(0);
});

test('a discharge by the feed wins, whether it comes before or after the answer', async () => {
  const discharged = { at: '202611181100', discharged: '202611181100', disposition: '03' };
  const later = await scene();
  const { token } = await create(later.client, later.id);
  await answer(token, later.birthDate);
  await later.send('A03', discharged);
  const earlier = await scene();
  const made = await create(earlier.client, earlier.id);
  await earlier.send('A03', discharged);
  await answer(made.token, earlier.birthDate);
  for (const { client, id } of [later, earlier]) {
    const { currentPing } = await patient(client, id);
    expect(currentPing).toMatchObject({
      status: 'DISCHARGE',
      dischargedTo: 'Skilled nursing facility',
      eventDate: '2026-11-18T16:00:00.000Z',
    });
    expect(currentPing?.reportedByLink).toBeUndefined();
  }
  expect(await hosp.events(later.facility.id)).toEqual(['ADMIT ACTIVE', 'DISCHARGE AMENDED']);
  expect(await hosp.events(earlier.facility.id)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE']);
});

test('an answer that is taken back cancels the discharge, and the stay is open again', async () => {
  const { client, id, birthDate, facility } = await scene();
  const { token, linkId } = await create(client, id);
  await answer(token, birthDate);
  const { links } = await revoke(client, id, linkId);
  expect(links).toMatchObject([{ state: 'TAKEN_BACK', revokedBy: expect.any(String) }]);
  expect((await list(client, id)).refusals.CONFIRM_DISCHARGE).toBeNull();
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE', 'DISCHARGE CANCELLED']);
  expect(await audited(linkId)).toEqual(['create', 'open', 'answer', 'revoke']);
  await revoke(client, id, linkId);
  expect(await audited(linkId)).toHaveLength(4);
});

test('"still here" changes nothing about the stay, and is on record', async () => {
  const { client, id, birthDate, facility } = await scene();
  const { token } = await create(client, id);
  await answer(token, birthDate, { stillHere: true, date: null, destination: null });
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE']);
  const { links, refusals } = await list(client, id);
  expect(links).toMatchObject([{ state: 'ANSWERED', answer: { stillHere: true } }]);
  expect(refusals.CONFIRM_DISCHARGE).toBeNull();
});

test('the mail names who asks, the question and the end, and nothing about the patient', async () => {
  const { client, id, person, creator, facility } = await scene();
  const { url } = await create(client, id, { recipient: 'records@mercy.example', hours: 24 });
  expect(url).toBeNull();
  const [mail] = await mailsTo('records@mercy.example');
  expect(mail?.subject).toMatch(/^Lakeshore ACO F-\w+ asks you to confirm a discharge$/);
  expect(mail?.body).toContain(creator.firstName);
  expect(mail?.body).toContain('Sat, 11/21/2026');
  expect(mail?.body).toMatch(/http:\/\/tidings\.test\/facility-link#[\w-]{43}\n/);
  for (const secret of [person.family, person.given, person.birthDate, person.birthDate.slice(0, 4), facility.name, id])
    expect(mail?.subject + (mail?.body ?? '')).not.toContain(secret);
});

test('the token is stored as a hash only, in no audit entry, and no column of a link holds it', async () => {
  const { client, id, birthDate } = await scene();
  const { token, linkId } = await create(client, id);
  await open(token, birthDate);
  const { rows } = await database.pipeline.query<{ text: string }>(sql`
    select to_jsonb(l)::text as text from facility_links l where id = ${linkId}
    union all select to_jsonb(a)::text from audit_entries a`);
  expect(rows.length).toBeGreaterThan(2);
  for (const { text } of rows) {
    expect(text).not.toContain(token);
    expect(text).not.toContain(birthDate);
  }
});

test('a link expires, which is recorded once', async () => {
  const { client, creator, id, birthDate } = await scene();
  const { token, linkId } = await create(client, id, { hours: 1 });
  clock.advance(HOUR);
  const again = await signIn(app, creator.username);
  const body = { token, birthDate };
  expect((await errorOf(holder, 'POST /api/facility-links/open', { body })).errorKey).toBe('LINK_NOT_VALID');
  expect((await list(again, id)).links).toMatchObject([{ state: 'EXPIRED' }]);
  await Promise.all([1, 2].map(() => tendLinks(database.pipeline, app.store, clock.now())));
  expect(await audited(linkId)).toEqual(['create', 'expire']);
  for (const hours of [0, 337, 1.5])
    expect((await errorOf(again, KEY, { params: { id }, body: { ...NEW, hours } })).errorKey).toBe('BAD_REQUEST');
});

test('an answer that could not be handed to the message store is handed over later, once', async () => {
  const { client, id, birthDate, facility } = await scene();
  const { token, linkId } = await create(client, id);
  await answer(token, birthDate);
  // As after a crash between the two: the store has the message, the link does not know.
  await database.pipeline.query(sql`update facility_links set message_id = null where id = ${linkId}`);
  clock.advance(2 * 60_000);
  await tendLinks(database.pipeline, app.store, clock.now());
  await hosp.queue.drain();
  expect(await hosp.events(facility.id)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE']);
  const { rows } = await database.pipeline.query<{ status: string }>(
    sql`select status from messages where control_id = ${`LINK-${linkId}`} order by id`,
  );
  expect(rows.map(({ status }) => status)).toEqual(['APPLIED', 'DUPLICATE']);
});

test('there is nothing to ask about a stay whose discharge is known, one under Part 2, and one without a birth date', async () => {
  const known = await scene();
  await known.send('A03', { at: '202611181100', discharged: '202611181100', disposition: '01' });
  const unnamed = await scene();
  await database.pipeline.query(sql`
    update source_patients set demographics = demographics - 'birthDate' where group_id = ${unnamed.facility.id}`);
  const part2 = await scene();
  await database.pipeline.query(sql`update groups set is_part2_facility = true where id = ${part2.facility.id}`);
  for (const [{ client, id }, words] of [
    [known, 'has already reported the discharge'],
    [unnamed, 'name and birth date'],
  ] as const) {
    expect((await list(client, id)).refusals.CONFIRM_DISCHARGE).toContain(words);
    expect((await errorOf(client, KEY, { params: { id }, body: NEW })).message).toContain(words);
  }
  // Without a consent the team does not even see the stay.
  expect((await errorOf(part2.client, KEY, { params: { id: part2.id }, body: NEW })).errorKey).toBe('NOT_FOUND');
});

test('a discharge without a destination can be asked about, and the answer fills it', async () => {
  const { client, id, birthDate, send } = await scene();
  await send('A03', { at: '202611181100', discharged: '202611181100' });
  const { token } = await create(client, id);
  await answer(token, birthDate, { date: '2026-11-17', destination: 'HOME_HEALTH' });
  expect((await patient(client, id)).currentPing).toMatchObject({
    eventDate: '2026-11-18T16:00:00.000Z',
    dischargedTo: 'Home with home health',
    reportedByLink: { name: 'Ana Ruiz' },
  });
});

test('a viewer sees the links and creates none; another team sees none', async () => {
  const { client, id, user, organizationId, groupId } = await scene();
  const { linkId } = await create(client, id);
  const viewer = await signIn(app, (await user('viewer')).username);
  expect((await list(viewer, id)).links).toHaveLength(1);
  expect((await errorOf(viewer, KEY, { params: { id }, body: NEW })).errorKey).toBe('NOT_PERMITTED');
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const other = await signIn(app, (await make.user({ team, role: 'care coordinator' })).username);
  expect((await list(other, id)).links).toEqual([]);
  const of = { params: { id, linkId } };
  expect((await errorOf(other, 'DELETE /api/patients/:id/facility-links/:linkId', of)).errorKey).toBe('NOT_FOUND');
  const stranger = await scene();
  expect((await errorOf(stranger.client, 'GET /api/patients/:id/facility-links', { params: { id } })).errorKey).toBe(
    'NOT_FOUND',
  );
});

test('at most three links about a stay are in use, also when they are created at once', async () => {
  const { client, id } = await scene();
  const made = await Promise.allSettled([1, 2, 3, 4, 5].map(() => create(client, id)));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const { links, refusals } = await list(client, id);
  expect(refusals).toEqual({
    CONFIRM_DISCHARGE: expect.stringContaining('Up to 3 links'),
    UPLOAD_SUMMARY: expect.stringContaining('Up to 3 links'),
  });
  await revoke(client, id, links[0]?.id ?? '');
  expect((await list(client, id)).refusals.CONFIRM_DISCHARGE).toBeNull();
});

/** An administrator makes up a facility, to enter strangers there by hand and read their stays elsewhere. */
import { describe, expect, test } from 'vitest';
import type { GroupFields } from '#contract/admin.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { feedOffice, refusedWith } from '#server/testing/feed-office.ts';
import { runOperatorMails } from '#server/testing/jobs.ts';
import { lettersTo } from '#server/testing/letters.ts';
import { manualEntry } from '#server/testing/manual-entry.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const { app, away, operator } = await feedOffice();
const { database, make } = app;
const { admin } = away;
const { enter, processing } = manualEntry(app);
const NEEDS_OPERATOR = [403, 'FACILITY_NEEDS_OPERATOR'];

const fields = (over: Partial<GroupFields> = {}): GroupFields => ({
  name: `Heron House ${newPerson().family}`,
  type: 'SNF',
  facilityType: 'SNF',
  state: 'NY',
  timeZone: 'America/New_York',
  address: null,
  isAutomated: false,
  isPart2Facility: false,
  ...over,
});

/** Adds a group, and gives its author the rest of the access to it. */
async function group(over: Partial<GroupFields> = {}, as: Client = admin): Promise<string> {
  const { id } = await as.call('POST /api/admin/groups', { body: fields(over) });
  for (const { isOwn, version, ...grant } of await operator.call('GET /api/admin/pending-grants', {})) {
    if (isOwn) continue;
    await operator.call('POST /api/admin/pending-grants/:id/confirm', { params: { id: grant.id }, body: { version } });
  }
  return id;
}

const change = (id: string, over: Partial<GroupFields>, as: Client = admin) =>
  as.call('PUT /api/admin/groups/:id', { params: { id }, body: fields(over) });
const shown = async (id: string, as: Client) =>
  (await as.call('GET /api/admin/groups', { query: { pageSize: 100 } })).groups.find((each) => each.id === id);
async function approve(id: string, as: Client = operator, version?: string) {
  const read = version ?? (await shown(id, as))?.version ?? '';
  return as.call('POST /api/admin/groups/:id/approve', { params: { id }, body: { version: read } });
}

describe('a facility that an administrator adds', () => {
  test('lets no one enter patients until an operator has approved it', async () => {
    const id = await group();
    expect(await refusedWith(enter(admin, id, newPerson()))).toEqual(NEEDS_OPERATOR);
    expect(await shown(id, admin)).toMatchObject({ waitsForApproval: true, canApprove: false });
    expect(await refusedWith(approve(id, admin))).toEqual([403, 'NOT_PERMITTED']);
    const seen = await shown(id, operator);
    expect(seen).toMatchObject({ waitsForApproval: true, canApprove: true });

    await change(id, { name: `Renamed ${id}` });
    expect(await refusedWith(approve(id, operator, seen?.version))).toEqual([409, 'CHANGED_BY_OTHER']);
    expect(await refusedWith(enter(admin, id, newPerson()))).toEqual(NEEDS_OPERATOR);
    expect(await approve(id)).toMatchObject({ waitsForApproval: false, canApprove: false });
    const { patientId } = await processing(enter(admin, id, newPerson()));
    expect(patientId).toMatch(/^\d+_\d+$/);
    expect(await refusedWith(approve(id))).toEqual([404, 'NOT_FOUND']);
    const { changes } = await admin.call('GET /api/admin/changes', { query: {} });
    const approvals = changes.filter(({ action, subject }) => action === 'group.approve' && subject.id === id);
    expect(approvals).toHaveLength(1);
  });

  test('is mailed to operators, who see who asked, and their approval to whoever asked', async () => {
    const id = await group();
    await runOperatorMails(app);
    const { user: approver } = await operator.call('GET /api/me', {});
    const waiting = (await lettersTo(database, approver.username)).map(({ subject }) => subject);
    expect(waiting).toContain('A facility waits for your approval');
    const { user: asker } = await admin.call('GET /api/me', {});
    expect((await shown(id, operator))?.askedBy).toBe(`${asker.firstName} ${asker.lastName}`);
    expect((await shown(id, admin))?.askedBy).toBeNull();
    const { name } = await approve(id);
    const letters = await lettersTo(database, asker.username);
    expect(letters.some(({ body }) => body.includes(`Manual entry at ${name} was approved.`))).toBe(true);
  });

  test('waits for an operator again once its administrator has turned a feed or a roster into manual entry', async () => {
    const name = `Heron ${newPerson().family}`;
    const id = await group({ name });
    await approve(id);
    await change(id, { name, isAutomated: true });
    expect(await shown(id, admin)).toMatchObject({ waitsForApproval: false });
    await change(id, { name });
    expect(await shown(id, admin)).toMatchObject({ waitsForApproval: true });
    expect(await refusedWith(enter(admin, id, newPerson()))).toEqual(NEEDS_OPERATOR);

    const program = await make.group({ organizationId: away.organizationId });
    const team = await make.team({ organizationId: away.organizationId, groupIds: [program.id] });
    const { username } = await make.user({ team, role: 'administrator' });
    const lead = await signIn(app, username);
    await change(program.id, { name: program.name }, lead);
    expect(await refusedWith(enter(lead, program.id, newPerson()))).toEqual(NEEDS_OPERATOR);
    await approve(program.id);
    await processing(enter(lead, program.id, newPerson()));
  });

  test('waits again once its administrator gives it another name or type, and not for another address', async () => {
    const name = `Heron ${newPerson().family}`;
    const id = await group({ name });
    await approve(id);
    await change(id, { name, address: '12 Elm St' });
    expect(await shown(id, admin)).toMatchObject({ waitsForApproval: false });
    for (const over of [
      { name: `${name} East` },
      { name: `${name} East`, type: 'HOS', facilityType: 'HOS' },
    ] as const) {
      await change(id, over);
      expect(await shown(id, admin)).toMatchObject({ waitsForApproval: true });
      expect(await refusedWith(enter(admin, id, newPerson()))).toEqual(NEEDS_OPERATOR);
      await approve(id);
    }
    await change(id, { name: `${name} West` }, operator);
    expect(await shown(id, admin)).toMatchObject({ waitsForApproval: false });
  });

  test('cannot bear the name of a facility of another organization, however it is written', async () => {
    const name = `Mercy General ${newPerson().family}`;
    const other = await make.group({ type: 'HOS', name });
    expect(other.organizationId).not.toBe(away.organizationId);
    const id = await group();
    for (const alike of [
      name,
      name.toUpperCase(),
      ` ${name.replaceAll(' ', '  ')}.`,
      name.replace('Mercy', 'Mércy'),
      name.replace('General', 'Genera1'),
    ]) {
      expect(await refusedWith(group({ name: alike }))).toEqual([409, 'NAME_TAKEN']);
      expect(await refusedWith(group({ name: alike, type: 'PROGRAM', facilityType: null }))).toEqual([
        409,
        'NAME_TAKEN',
      ]);
      expect(await refusedWith(change(id, { name: alike }))).toEqual([409, 'NAME_TAKEN']);
    }
    for (const mu of [name.replace('M', '\u039c'), name.replace('e', '\u0435')]) {
      expect(await refusedWith(group({ name: mu }))).toEqual([400, 'BAD_REQUEST']);
      expect(await refusedWith(change(id, { name: mu }))).toEqual([400, 'BAD_REQUEST']);
    }
    await change(id, { name: `${name} of Heron Care` });
    await change(id, { name }, operator);
  });

  test('is no approved program either', async () => {
    const name = `Heron ${newPerson().family}`;
    const id = await group({ name });
    await approve(id);
    await change(id, { name, type: 'PROGRAM', facilityType: null });
    const { rows } = await database.pipeline.query(sql`select approved_at as at from groups where id = ${id}`);
    expect(rows).toEqual([{ at: null }]);
    expect(await refusedWith(approve(id))).toEqual([404, 'NOT_FOUND']);
  });
});

test('no event lists a patient again at a facility that waits for its approval', async () => {
  const name = `Heron ${newPerson().family}`;
  const id = await group({ name });
  await approve(id);
  const { patientId } = await processing(enter(admin, id, newPerson()));
  await change(id, { name, isAutomated: true });
  await change(id, { name });
  const event = admin.call('POST /api/patients/:id/events', {
    params: { id: patientId },
    body: { status: 'ADMIT', eventDate: app.clock.now().toISOString() },
  });
  expect(await refusedWith(event)).toEqual(NEEDS_OPERATOR);
});

test('a facility that an operator adds, or opens for manual entry, is approved', async () => {
  const { id, ...added } = await operator.call('POST /api/admin/groups', { body: fields() });
  expect(added).toMatchObject({ waitsForApproval: false });
  const { username } = await make.user({
    team: { id: operator.teamId ?? '', organizationId: added.organization?.id ?? '' },
    added: ['canEditPatientsAndEvents', 'canViewPatients'],
  });
  await processing(enter(await signIn(app, username), id, newPerson()));

  const opened = await group({ isAutomated: true });
  await change(opened, {}, operator);
  await processing(enter(admin, opened, newPerson()));
});

test('guesses of a birth date are counted over all facilities of the organization', async () => {
  const facilities = [await group(), await group(), await group()];
  for (const id of facilities) await approve(id);
  const person = newPerson();
  const outcomes: string[] = [];
  for (const n of [1, 2, 3, 4, 5, 6]) {
    const entry = processing(enter(admin, facilities[n % 3] ?? '', { ...person, birthDate: `1950-05-1${n}` }));
    outcomes.push(
      await entry.then(
        () => 'entered',
        (error: { status: number }) => String(error.status),
      ),
    );
  }
  expect(outcomes).toEqual(['entered', 'entered', 'entered', '429', '429', '429']);

  const numbered = facilities.map((id) => processing(enter(admin, id, newPerson(), { recordNumber: '100' })));
  const own = processing(enter(admin, away.facility, newPerson(), { recordNumber: '100' }));
  expect((await Promise.all([...numbered, own])).length).toBe(4);
});

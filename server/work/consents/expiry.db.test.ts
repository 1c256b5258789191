/** Consents with a last day (42 CFR 2.31(a)(7)): what they send, when they end, and what their end closes. */
import { expect, test, vi } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import type { Client } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { consentTo, startPart2App } from '#server/testing/part2.ts';
import { endExpiredConsents } from './end-expired.ts';

const { clock, db, scene } = await startPart2App();

const RECORD = 'POST /api/patients/:id/consents';
const inbox = async (client: Client) => (await client.call('POST /api/pings', { body: {} })).patients;
const listed = (client: Client, id: string) => client.call('GET /api/patients/:id/consents', { params: { id } });

type Facility = Awaited<ReturnType<typeof scene>>['facility'];
const recordUntil = ({ client, patientId }: Facility, recipientGroupId: string, expiresDate: string) =>
  client.call(RECORD, { params: { id: patientId }, body: { recipientGroupId, expiresDate } });

/** The day at the facility so many days from now. */
const dayAfter = (days: number): string =>
  new Date(clock.now().getTime() + days * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'America/New_York' });
/** Midnight in New York, in November, after the day. */
const endOf = (day: string): Date => new Date(Date.parse(`${day}T05:00:00Z`) + 86_400_000);

test('a consent ends when its last day at the facility is over, and closes what was sent', async () => {
  const { facility, program } = await scene();
  await db.query(sql`update groups set time_zone = 'America/New_York' where id = ${facility.groupId}`);
  const lastDay = dayAfter(2);
  const consent = await recordUntil(facility, program.groupId, lastDay);
  expect(consent).toMatchObject({ expiresDate: lastDay, endedDate: null });
  await vi.waitFor(async () => expect(await inbox(program.client)).toHaveLength(1), 5000);

  const midnight = endOf(lastDay);
  expect(await endExpiredConsents(db, new Date(midnight.getTime() - 1000))).toBe(0);
  expect(await inbox(program.client)).toHaveLength(1);
  expect(await endExpiredConsents(db, midnight)).toBe(1);
  await vi.waitFor(async () => expect(await inbox(program.client)).toEqual([]), 5000);
  const hidden = { params: { id: program.visitId } };
  expect((await errorOf(program.client, 'GET /api/patients/:id', hidden)).errorKey).toBe('NOT_FOUND');
  expect((await listed(facility.client, facility.patientId)).consents).toMatchObject([
    { id: consent.id, expiresDate: lastDay, endedDate: midnight.toISOString(), endedBy: null },
  ]);
  const { rows } = await db.query(sql`
    select user_id as "userId", detail ->> 'consentId' as id from audit_entries
    where action = 'consent.expire' and subject_id = ${facility.listingId}`);
  expect(rows).toEqual([{ userId: null, id: consent.id }]);
  expect(await endExpiredConsents(db, midnight)).toBe(0);
});

test('a consent with another last day replaces the one in force, without a gap', async () => {
  const { facility, program } = await scene();
  const first = await recordUntil(facility, program.groupId, dayAfter(1));
  await vi.waitFor(async () => expect(await inbox(program.client)).toHaveLength(1), 5000);
  expect((await recordUntil(facility, program.groupId, dayAfter(1))).id).toBe(first.id);
  const later = await recordUntil(facility, program.groupId, dayAfter(30));
  expect(later.id).not.toBe(first.id);
  expect(await endExpiredConsents(db, endOf(dayAfter(3)))).toBe(0);
  expect(await inbox(program.client)).toHaveLength(1);
  const unlimited = await consentTo(facility.client, facility.patientId, program.groupId);
  expect(await endExpiredConsents(db, endOf(dayAfter(60)))).toBe(0);
  expect((await listed(facility.client, facility.patientId)).consents).toMatchObject([
    { id: unlimited.id, expiresDate: null, endedDate: null },
    { id: later.id },
    { id: first.id },
  ]);
  expect(await inbox(program.client)).toHaveLength(1);
});

test('a last day must exist and not be over', async () => {
  const { facility, program } = await scene();
  for (const expiresDate of [dayAfter(-1), '2026-02-30', '9999-13-01', 'tomorrow']) {
    const body = { recipientGroupId: program.groupId, expiresDate };
    const refusal = await errorOf(facility.client, RECORD, { params: { id: facility.patientId }, body });
    expect([refusal.errorKey, Object.keys(refusal.fields ?? {})]).toEqual(['BAD_REQUEST', ['expiresDate']]);
  }
  expect((await listed(facility.client, facility.patientId)).consents).toEqual([]);
});

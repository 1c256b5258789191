/** An app with the routes of feeds and messages, and organizations that have a feed: for tests of what administrators see and do. */
import { afterAll, expect, vi } from 'vitest';
import type { ErrorKey } from '#contract/errors.ts';
import { preview } from '#server/intake/messages/preview.ts';
import { messageRoutes } from '#server/intake/messages/routes.ts';
import { trySettings } from '#server/intake/messages/try-settings.ts';
import { makePipeline } from '#server/pipeline.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { CallError, type Client, signIn, startApp } from './app.ts';
import { type AdtParts, adt, hospital, type TestPerson } from './hospital.ts';
import { newPerson } from './pipeline-scene.ts';

export const maren: TestPerson = {
  family: 'Thistlewood',
  given: 'Maren',
  birthDate: '1944-07-19',
  sex: 'F',
  zip: '12207',
};

/** Returns an admission at the facility HOME, with changes. */
export const admission = (more: Partial<AdtParts> = {}): string =>
  adt('A01', { at: '202611200900', record: 'MR-1', visit: 'V-1', facility: 'HOME', person: maren, ...more });

/** Returns the status and error key of a refused call; throws if the call was not refused. */
/** Settings of a feed for one facility, as a call takes them. */
export const someSettings = (groupId: string) => ({
  settings: {},
  facilities: [{ identifier: 'HOME', groupId, registrationIsVisit: false }],
});

/** Sends an admission whose record number is none, and returns its id once it is in quarantine. */
export async function quarantined(hosp: ReturnType<typeof hospital>, person: TestPerson): Promise<string> {
  const id = await hosp.send(admission({ record: '0000', visit: 'V-10', person }));
  await vi.waitFor(async () => expect((await hosp.message(id)).status).toBe('QUARANTINED'));
  return id;
}

/** Lists an invented person at a program and admits them at HOME, a facility with a feed. Returns the message, and the ping that the matcher's link brought. */
export async function matchedPing(db: Database, hosp: ReturnType<typeof hospital>, programId: string) {
  await db.query(sql`update groups set is_automated = true where name = 'Hospital HOME'`);
  const person = newPerson();
  const listing = await hosp.list(programId, person);
  const messageId = await hosp.send(admission({ record: `MR-${person.family}`, visit: `V-${person.family}`, person }));
  const { rows } = await db.query<{ id: string; eventId: string }>(sql`
    select roster_patient_id || '_' || encounter_id as id, event_id as "eventId" from pings where roster_patient_id = ${listing}`);
  return { messageId, ping: rows[0] };
}

export async function refusedWith(call: Promise<unknown>): Promise<[number, ErrorKey]> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CallError)) throw new Error('The call was not refused');
  return [error.status, error.body.errorKey];
}

/** Starts an app with two organizations, HOME and AWAY, and an operator. A replay is processed at once. */
export async function feedOffice() {
  let wake = () => {};
  const app = await startApp({
    routes: ({ database, clock }) =>
      messageRoutes({
        db: database.app,
        clock: clock.now,
        wake: () => wake(),
        preview: (feedId, text) =>
          preview({ pipeline: database.pipeline, process: makePipeline(clock.now) }, feedId, text, clock.now()),
        trySettings: (feedId, tried) => trySettings(database.pipeline, feedId, tried, clock.now()),
      }),
  });
  const { database, make } = app;
  const hosp = hospital(database, app.clock.now, make);
  wake = () => void hosp.queue.drain();
  afterAll(() => hosp.queue.drain());

  /** Adds an organization with a hospital, its feed and an administrator. */
  async function organization(code: string) {
    const { id: organizationId } = await make.organization();
    const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS', name: `Hospital ${code}` });
    const team = await make.team({ organizationId, groupIds: [facility.id] });
    const { username } = await make.user({ team, role: 'administrator' });
    const feedId = await hosp.feed(organizationId, { [code]: facility.id }, { name: `Feed ${code}` });
    return {
      organizationId,
      team,
      facility: facility.id,
      feedId,
      admin: await signIn(app, username),
      adminName: username,
    };
  }

  const home = await organization('HOME');
  const away = await organization('AWAY');
  const team = await make.team();
  const { username: operatorName } = await make.user({ team, role: 'administrator', isOperator: true });
  const operator = await signIn(app, operatorName);

  /** Returns the IDs of the subjects with this action in the audit log, oldest first. */
  const audited = async (action: string): Promise<string[]> =>
    (
      await database.pipeline.query<{ subjectId: string }>(
        'select subject_id as "subjectId" from audit_entries where action = $1 order by id',
        [action],
      )
    ).rows.map(({ subjectId }) => subjectId);

  const listMessages = (client: Client, query: Record<string, string> = {}) =>
    client.call('GET /api/feeds/messages', { query });

  return { app, hosp, home, away, operator, operatorName, audited, listMessages };
}

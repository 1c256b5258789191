/** A 42 CFR Part 2 facility whose patient a program of another organization lists, over HTTP for tests. */
import type { GroupType } from '#contract/groups.ts';
import type { StandardRole } from '#contract/permissions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, type Overrides, signIn, startApp } from './app.ts';
import { adt, hospital } from './hospital.ts';
import { newPerson } from './pipeline-scene.ts';

/** The diagnosis at the facility, which no one else may see without consent. */
export const CANARY = { code: 'F11.23', text: 'CANARYDIAGNOSIS opioid withdrawal' };

export async function startPart2App(overrides: Overrides = {}) {
  const app = await startApp(overrides);
  const { make, database, clock } = app;
  const { pipeline: db } = database;
  const hosp = hospital(database, clock.now, make);

  async function office(type: GroupType, role: StandardRole = 'administrator') {
    const {
      id: groupId,
      organizationId,
      name,
    } = await make.group({ type, facilityType: type === 'HOS' ? 'HOS' : null });
    const team = await make.team({ organizationId, groupIds: [groupId] });
    const { username, id: userId } = await make.user({ team, role });
    return { groupId, organizationId, name, team, username, userId, client: await signIn(app, username) };
  }

  /** The id of the person's page for a group, with the newest visit that is known. */
  const listingOf = async (groupId: string) => {
    const { rows } = await db.query<{ id: string; personId: string }>(
      sql`select id, person_id as "personId" from roster_patients where group_id = ${groupId} order by id limit 1`,
    );
    if (rows[0] === undefined) throw new Error('No one is listed');
    return rows[0];
  };

  /** A facility and a program; the facility has admitted the person whom the program lists. */
  async function scene({ isPart2 = true } = {}) {
    const [facility, program] = [await office('HOS'), await office('PROGRAM')];
    const code = `F-${facility.groupId}`;
    await db.query(sql`update groups set is_part2_facility = ${isPart2} where id = ${facility.groupId}`);
    await hosp.feed(facility.organizationId, { [code]: facility.groupId });
    const person = newPerson();
    await hosp.list(program.groupId, person);
    const send = (trigger: string, at: string, more: { discharged?: string } = {}) =>
      hosp.send(
        `${adt(trigger, { at, record: 'MR-1', visit: 'V-1', facility: code, person, admitted: '202611200900', ...more })}DG1|1||${CANARY.code}^${CANARY.text}^I10|||F\r`,
      );
    await send('A01', '202611200900');
    const [own, theirs] = [await listingOf(facility.groupId), await listingOf(program.groupId)];
    const { rows } = await db.query<{ id: string }>(
      sql`select id from encounters where group_id = ${facility.groupId} and person_id = ${own.personId}`,
    );
    const encounterId = rows[0]?.id ?? '0';
    return {
      facility: { ...facility, patientId: `${own.id}_${encounterId}`, listingId: own.id },
      program: {
        ...program,
        patientId: `${theirs.id}_0`,
        visitId: `${theirs.id}_${encounterId}`,
        listingId: theirs.id,
      },
      personId: own.personId,
      encounterId,
      send,
    };
  }

  return { app, make, clock, db, hosp, office, scene };
}

/** Records a consent at the facility, for the group. */
export const consentTo = (client: Client, patientId: string, recipientGroupId: string) =>
  client.call('POST /api/patients/:id/consents', { params: { id: patientId }, body: { recipientGroupId } });

export const endConsentOf = (client: Client, patientId: string, consentId: string) =>
  client.call('DELETE /api/patients/:id/consents/:consentId', { params: { id: patientId, consentId } });

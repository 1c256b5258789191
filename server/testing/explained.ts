/** A hospital that sends by feed, and a program of another organization that lists its patient, with their users, over HTTP for tests. */
import type { StandardRole } from '#contract/permissions.ts';
import { grantRole } from '#server/people/accounts/provisioning.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signIn, startApp } from './app.ts';
import { type AdtParts, adt, hospital, type TestPerson } from './hospital.ts';
import { newPerson } from './pipeline-scene.ts';

export async function startExplainedApp() {
  const app = await startApp();
  const { make, database, clock } = app;
  const { pipeline: db } = database;
  const hosp = hospital(database, clock.now, make);

  /** A group of an organization, its team, and a way to add members. */
  async function office(group: Parameters<typeof make.group>[0] = {}) {
    const { id: groupId, organizationId, name } = await make.group(group);
    const team = await make.team({ organizationId, groupIds: [groupId] });
    const member = async (role: StandardRole, over: Partial<Parameters<typeof make.user>[0]> = {}) => {
      const { username, id } = await make.user({ team, role, ...over });
      return Object.assign(await signIn(app, username), { userId: id });
    };
    return { groupId, organizationId, name, team, member };
  }

  /** Lets a user administer another team's groups too. */
  const alsoAdministers = (userId: string, teamId: string) => grantRole(db, { userId, teamId, role: 'administrator' });

  /** Returns the patient's id for a group, with the visit at the facility if there is one. */
  async function idFor(groupId: string, person: TestPerson, facilityId: string): Promise<string> {
    const { rows } = await db.query<{ id: string }>(sql`
      select r.id || '_' || coalesce((select max(e.id) from encounters e where e.group_id = ${facilityId} and e.person_id = r.person_id), 0) as id
      from roster_patients r where r.group_id = ${groupId} and r.last_name = ${person.family} order by r.id limit 1`);
    return rows[0]?.id ?? '';
  }

  /** Returns the id of a facility's newest event of a kind. */
  async function eventOf(facilityId: string, code: string): Promise<string> {
    const { rows } = await db.query<{ id: string }>(sql`
      select v.id from events v join encounters e on e.id = v.encounter_id
      where e.group_id = ${facilityId} and v.code = ${code} order by v.id desc limit 1`);
    return rows[0]?.id ?? '0';
  }

  /** `isListed`: the program lists the person before the hospital sends anything. */
  async function scene({ isListed = true, isOneOrganization = false }: SceneOptions = {}) {
    const program = await office();
    const { organizationId } = isOneOrganization
      ? program
      : await make.organization().then(({ id }) => ({ organizationId: id }));
    const hospitalOffice = await office({ type: 'HOS', facilityType: 'HOS', isAutomated: true, organizationId });
    const code = `F-${hospitalOffice.groupId}`;
    const feedId = await hosp.feed(hospitalOffice.organizationId, { [code]: hospitalOffice.groupId });
    const person = newPerson();
    if (isListed) await hosp.list(program.groupId, person);
    const message = (trigger: string, at: string, more: Partial<AdtParts> = {}) =>
      adt(trigger, { at, record: 'MR-1', visit: 'V-1', facility: code, person, admitted: '202611200900', ...more });
    const send = (trigger: string, at: string, more: Partial<AdtParts> = {}) => hosp.send(message(trigger, at, more));
    return {
      hospital: hospitalOffice,
      program,
      person,
      code,
      feedId,
      message,
      send,
      patientId: () => idFor(program.groupId, person, hospitalOffice.groupId),
      hospitalPatientId: () => idFor(hospitalOffice.groupId, person, hospitalOffice.groupId),
      eventOf: (event: string) => eventOf(hospitalOffice.groupId, event),
    };
  }

  return { app, make, clock, db, hosp, office, scene, alsoAdministers, eventOf };
}

interface SceneOptions {
  isListed?: boolean;
  /** Whether the hospital and the program are of one organization. */
  isOneOrganization?: boolean;
}

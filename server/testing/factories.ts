/**
 * Rows for tests, each with what it needs around it: `await make.ping({ groupId })` makes its event, visit, person and listing
 * too. What matters to a test it says; the rest is invented here. Written as the pipeline's role.
 */
import type { EventCode, EventState } from '#contract/event-codes.ts';
import type { ManagementStatus } from '#contract/management-status.ts';
import type { StandardRole } from '#contract/permissions.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { hashPassword } from '#server/people/accounts/passwords/password-hash.ts';
import * as directory from '#server/people/accounts/provisioning.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { Sql, sql } from '#server/platform/database/sql.ts';
import { familySound } from '#server/platform/text/similar-names.ts';
import type { EventDetail } from '#server/record/encounters/queries.ts';
import { emptyState, type VisitState } from '#server/record/fold/visit-state.ts';

/** The password of every user that `make.user()` makes. */
export const TEST_PASSWORD = 'correct horse battery';
const passwordHash = hashPassword(TEST_PASSWORD);

let count = 0;
const next = (): number => ++count;

async function insert(db: Queryable, table: string, row: Record<string, unknown>): Promise<string> {
  const columns = Object.keys(row);
  const pieces = [`insert into ${table} (${columns.join(', ')}) values (`, ...columns.slice(1).map(() => ', ')];
  const statement = new Sql([...pieces, ') returning id'], Object.values(row));
  const { rows } = await db.query<{ id: string }>(statement);
  return rows[0]?.id ?? '';
}

/** An instant as feeds give it, to the minute, where local time is UTC. */
export const momentOf = (at: Date): Moment => ({
  instant: at.toISOString(),
  localDate: at.toISOString().slice(0, 10),
  precision: 'minute',
});

const NO_DETAIL: EventDetail = {
  priorSetting: null,
  pointOfCare: null,
  disposition: null,
  dischargedTo: null,
  admitSource: null,
  payer: null,
  inferred: false,
  factIds: [],
  backfill: false,
};

export function factories(db: Queryable, now: Clock) {
  async function organization(over: { name?: string } = {}) {
    const row = { name: `Organisation ${next()}`, ...over };
    return { ...row, id: await directory.createOrganization(db, row, now()) };
  }

  async function group(over: Partial<directory.NewGroup> = {}) {
    const organizationId = over.organizationId ?? (await organization()).id;
    const type = over.type ?? 'PROGRAM';
    const facilityType = type === 'PROGRAM' ? null : type === 'ADMITTING' ? 'HHA' : type;
    const defaults = { name: `Group ${next()}`, facilityType, timeZone: 'America/New_York' } as const;
    const row = { ...defaults, ...over, organizationId, type };
    return { ...row, id: await directory.createGroup(db, row, now()) };
  }

  /** Without groups: for a new one. */
  async function team(over: Partial<directory.NewTeam> = {}) {
    const organizationId = over.organizationId ?? (await organization()).id;
    const groupIds = over.groupIds ?? [(await group({ organizationId })).id];
    const name = over.name ?? `Team ${next()}`;
    const row = { abbreviation: 'T', type: 'PROGRAM' as const, ...over, name, organizationId, groupIds };
    return { ...row, id: await directory.createTeam(db, row, now()) };
  }

  /** In `team` with `role` for all its groups; without a team: in none. */
  async function user(
    over: Partial<directory.NewUser> & {
      team?: { id: string; organizationId: string };
      role?: StandardRole;
      added?: directory.NewGrant['added'];
      removed?: directory.NewGrant['removed'];
    } = {},
  ) {
    const { team: ofTeam, role = 'care coordinator', added, removed, ...given } = over;
    const organizationId = given.organizationId ?? ofTeam?.organizationId ?? (await organization()).id;
    const username = given.username ?? `user${next()}@tidings.test`;
    const defaults = { firstName: 'Ama', lastName: 'Osei', passwordHash: await passwordHash };
    const row = { ...defaults, ...given, username, organizationId };
    const id = await directory.createUser(db, row, now());
    await directory.ensureStandardRoles(db);
    if (ofTeam) await directory.grantRole(db, { userId: id, teamId: ofTeam.id, role, added, removed });
    return { ...row, id };
  }

  /** Of a facility: its messages say who sends them (MSH-3, MSH-4), and PV1-3.4 or MSH-4 names the facility by `identifier`. */
  async function feed(of: { group: { id: string; organizationId: string }; application: string; identifier: string }) {
    const { group: facility, application, identifier } = of;
    const source = { organization_id: facility.organizationId, kind: 'MLLP', sending_application: application };
    const name = `Feed ${application}`;
    const id = await insert(db, 'feeds', { ...source, name, created_at: now() });
    await feedFacility({ feedId: id, groupId: facility.id, identifier });
    return { id, name };
  }

  /** What a feed calls a facility. */
  async function feedFacility({
    feedId,
    groupId,
    identifier,
  }: {
    feedId: string;
    groupId: string;
    identifier: string;
  }) {
    await db.query(
      sql`insert into feed_facilities (feed_id, identifier, group_id) values (${feedId}, ${identifier}, ${groupId})`,
    );
  }

  const person = async () => ({ id: await insert(db, 'persons', { is_provisional: false, created_at: now() }) });

  async function rosterPatient(over: { groupId?: string; personId?: string; memberId?: string } & Columns = {}) {
    const { groupId = (await group()).id, personId = (await person()).id, memberId = `M-${next()}`, ...columns } = over;
    const names = { first_name: 'Adaeze', last_name: 'Okonkwo', sort_first: 'adaeze', sort_last: 'okonkwo' };
    const row = { ...names, date_of_birth: '1941-03-14', gender: 'Female', listed_at: now(), ...columns };
    const sound = { sound_last: familySound(String(row.last_name)) };
    const keys = { group_id: groupId, member_id: memberId, person_id: personId };
    return { groupId, personId, memberId, id: await insert(db, 'roster_patients', { ...keys, ...sound, ...row }) };
  }

  async function sourcePatient(over: { groupId?: string; personId?: string } & Columns = {}) {
    const { groupId = (await group({ type: 'HOS' })).id, personId = (await person()).id, ...columns } = over;
    const keys = { group_id: groupId, person_id: personId, record_number: `R-${next()}`, dossier_id: next() };
    const row = { ...keys, demographics: '{}', created_at: now(), ...columns };
    return { groupId, personId, id: await insert(db, 'source_patients', row) };
  }

  /** `visit`: what the folded visit says; without it an open inpatient stay that begins now. */
  async function encounter(
    over: { groupId?: string; personId?: string; sourcePatientId?: string; visit?: Partial<VisitState> } & Columns = {},
  ) {
    const { groupId, personId, sourcePatientId, visit, ...columns } = over;
    const from = { ...(groupId ? { groupId } : {}), ...(personId ? { personId } : {}) };
    const source =
      sourcePatientId && groupId && personId ? { id: sourcePatientId, groupId, personId } : await sourcePatient(from);
    const state = { ...emptyState(), setting: 'INPATIENT' as const, admittedAt: momentOf(now()), ...visit };
    const kept = { ...state, flags: [], visitNumbers: [], accountNumbers: [] };
    const row = {
      group_id: source.groupId,
      source_patient_id: source.id,
      person_id: source.personId,
      status: state.status,
      setting: state.setting,
      admitted_at: state.admittedAt?.instant ?? null,
      admitted_precision: state.admittedAt?.precision ?? null,
      discharged_at: state.dischargedAt?.instant ?? null,
      discharged_precision: state.dischargedAt?.precision ?? null,
      state: JSON.stringify(kept),
      created_at: now(),
      updated_at: now(),
      ...columns,
    };
    const id = await insert(db, 'encounters', row);
    return { groupId: source.groupId, personId: source.personId, sourcePatientId: source.id, state, id };
  }

  async function event(
    over: {
      encounterId?: string;
      code?: EventCode;
      state?: EventState;
      at?: Date;
      detail?: Partial<EventDetail>;
    } & Columns = {},
  ) {
    const { encounterId = (await encounter()).id, code = 'ADMIT', state = 'ACTIVE', at = now(), ...more } = over;
    const { detail, ...columns } = more;
    const { instant, localDate, precision } = momentOf(at);
    const when = { event_at: instant, event_precision: precision, event_day: localDate, received_at: now() };
    const what = { encounter_id: encounterId, key: `${code}-${next()}`, code, state, setting: 'INPATIENT' };
    const row = { ...what, ...when, detail: JSON.stringify({ ...NO_DETAIL, ...detail }), is_manual: false, ...columns };
    return { encounterId, code, state, at, id: await insert(db, 'events', row) };
  }

  /** A ping of `group` (or a new one) about `encounter` (or a new one), whose person it lists. */
  async function ping(
    over: {
      groupId?: string;
      encounter?: { id: string; personId: string };
      eventId?: string;
      rosterPatientId?: string;
      status?: ManagementStatus;
      state?: EventState;
    } & Columns = {},
  ) {
    const { groupId = (await group()).id, encounter: of = await encounter(), status = 'NEW', ...more } = over;
    const {
      eventId = (await event({ encounterId: of.id })).id,
      rosterPatientId: listing,
      state = 'ACTIVE',
      ...columns
    } = more;
    const rosterPatientId = listing ?? (await rosterPatient({ groupId, personId: of.personId })).id;
    const keys = { event_id: eventId, group_id: groupId, roster_patient_id: rosterPatientId };
    const about = { encounter_id: of.id, event_at: now(), state, created_at: now() };
    const row = { ...keys, ...about, management_status: status, is_current: true, is_late: false, ...columns };
    const id = await insert(db, 'pings', row);
    return {
      groupId,
      eventId,
      encounterId: of.id,
      personId: of.personId,
      rosterPatientId,
      patientId: `${rosterPatientId}_${of.id}`,
      id,
    };
  }

  return {
    organization,
    group,
    team,
    user,
    feed,
    feedFacility,
    person,
    rosterPatient,
    sourcePatient,
    encounter,
    event,
    ping,
  };
}

/** Other columns of the row, by their names in the table. */
type Columns = Record<string, unknown>;
export type Factories = ReturnType<typeof factories>;

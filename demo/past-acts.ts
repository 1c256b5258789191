/**
 * What users did in the demo region's past, each at its time and by the functions that the routes call: patients' consents at the 42 CFR Part 2
 * facility, and emergency accesses.
 */
import { loadActor } from '#server/people/access/actor.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { endConsent, recordConsent } from '#server/work/consents/consents.ts';
import { openInEmergency } from '#server/work/consents/emergency-access.ts';
import { type DemoDirectory, idOf } from './directory.ts';
import { TREATMENT_FACILITY } from './world/treatment.ts';
import type { VisitTruth } from './world/visit.ts';
import type { World } from './world/world.ts';

export interface ActDeps {
  app: Database;
  pipeline: Database;
  /** Where browsers reach us; mails link there. */
  publicUrl: string;
}

export interface PastAct {
  /** When the message that it follows was sent, in milliseconds since 1970. */
  at: number;
  /** Does it. `now`: the time in the replay. */
  run: (now: Date) => Promise<void>;
}

/** The user of the demo in a team. */
export interface Seat {
  user: string;
  team: string;
}

const DAY = 86_400_000;
const COUNSELOR: Seat = { user: 'noor.castellane', team: 'stillwater-care' };
/** Of so many patients at the Part 2 facility, the first consents, the second consents and ends it, and the others do not. */
const CONSENTS_EVERY = 5;
const ENDED_AFTER = 21 * DAY;

/** Loads a user of the demo in a team. Throws if there is no such user. */
export async function seated(db: Database, directory: DemoDirectory, { user, team }: Seat) {
  const actor = await loadActor(db, idOf(directory.users, user), idOf(directory.teams, team));
  if (!actor) throw new Error(`The demo region has no '${user}' in '${team}'`);
  return actor;
}

/** Returns the consents and emergency accesses of a world's past, in the order of time. */
export function pastActs(deps: ActDeps, world: World, directory: DemoDirectory): PastAct[] {
  const region = { deps, world, directory, sentAt: firstMessages(world) };
  return [...consentActs(region), ...emergencyActs(region)].sort((one, other) => one.at - other.at);
}

interface PastRegion {
  deps: ActDeps;
  world: World;
  directory: DemoDirectory;
  /** When the first message about each visit was sent. */
  sentAt: Map<string, number>;
}

function firstMessages(world: World): Map<string, number> {
  const sentAt = new Map<string, number>();
  for (const { visit, at } of world.messages) if (!sentAt.has(visit)) sentAt.set(visit, at);
  return sentAt;
}

/** Returns the first visit of each person at the facility, in the order of arrival. */
function firstVisits({ world }: PastRegion, facility: string): VisitTruth[] {
  const visits = world.truth.visits.filter((visit) => visit.facility === facility && visit.status !== 'CANCELLED');
  visits.sort((one, other) => one.startedAt.localeCompare(other.startedAt));
  return [...Map.groupBy(visits, ({ person }) => person).values()].map(([first]) => first as VisitTruth);
}

function consentActs(region: PastRegion): PastAct[] {
  const { deps, world, directory, sentAt } = region;
  return firstVisits(region, TREATMENT_FACILITY).flatMap((visit, index): PastAct[] => {
    const isEnded = index % CONSENTS_EVERY === 1;
    const recipient = Object.values(world.rosters)
      .flat()
      .find(({ person }) => person === visit.person)?.group;
    if (recipient === undefined || (index % CONSENTS_EVERY !== 0 && !isEnded)) return [];
    const at = sentAt.get(visit.visit) ?? Date.parse(world.options.to);
    let given: { patientId: string; consentId: string } | null = null;
    const call = async (now: Date) => ({ actor: await seated(deps.app, directory, COUNSELOR), now, requestId: 'demo' });
    const database = { db: deps.app, pipeline: deps.pipeline };
    const record = async (now: Date) => {
      const patientId = await patientAt(region, visit, TREATMENT_FACILITY);
      const recipientGroupId = idOf(directory.groups, recipient);
      const { id } = await recordConsent(database, await call(now), patientId, { recipientGroupId });
      given = { patientId, consentId: id };
    };
    const end = async (now: Date) => {
      if (given) await endConsent(database, await call(now), given);
    };
    return [{ at, run: record }, ...(isEnded ? [{ at: at + ENDED_AFTER, run: end }] : [])];
  });
}

interface Emergency {
  seat: Seat;
  /** The group for which the user works, at which the patient arrives. */
  at: string;
  /** Where the patient was before. */
  before: string;
  reason: string;
  isMedicalEmergency: boolean;
}

const EMERGENCIES: readonly Emergency[] = [
  {
    seat: { user: 'olu.bergstrom', team: 'mercy-navigators' },
    at: 'mercy',
    before: TREATMENT_FACILITY,
    reason: 'Unresponsive on arrival, pinpoint pupils. Need current medications and the last dose.',
    isMedicalEmergency: true,
  },
  {
    seat: { user: 'nell.vantongeren', team: 'brendan-care' },
    at: 'brendan',
    before: 'mercy',
    reason: 'Confused, no family reachable. Need allergies and the blood thinner from the last stay.',
    isMedicalEmergency: false,
  },
];

/** Each user opens the records of the first patient who arrives at the one facility after a visit to the other. */
function emergencyActs(region: PastRegion): PastAct[] {
  const { deps, world, directory, sentAt } = region;
  return EMERGENCIES.flatMap(({ seat, at: facility, before, reason, isMedicalEmergency }): PastAct[] => {
    const earlier = new Map(firstVisits(region, before).map(({ person, startedAt }) => [person, startedAt]));
    const arrival = world.truth.visits
      .filter((visit) => visit.facility === facility && visit.startedAt > (earlier.get(visit.person) ?? 'never'))
      .filter(({ status, person }) => status !== 'CANCELLED' && isCertain(world, person))
      .sort((one, other) => one.startedAt.localeCompare(other.startedAt))[0];
    if (!arrival) return [];
    const run = async (now: Date) => {
      const actor = await seated(deps.app, directory, seat);
      const { app: db, pipeline, publicUrl } = deps;
      const patientId = await patientAt(region, arrival, facility);
      const call = { actor, now, requestId: 'demo' };
      await openInEmergency({ db, pipeline, publicUrl }, call, patientId, { reason, isMedicalEmergency });
    };
    return [{ at: sentAt.get(arrival.visit) ?? Date.parse(world.options.to), run }];
  });
}

/** Whether the person is the same at every facility, without a review. */
const isCertain = (world: World, person: number): boolean =>
  world.truth.identities.every((known) => known.person !== person || known.identity === 'matched');

/** Returns the id of the page that a facility has about the patient of a visit of its own. */
async function patientAt({ deps, directory }: PastRegion, visit: VisitTruth, facility: string): Promise<string> {
  const { rows } = await deps.pipeline.query<{ id: string }>(sql`
    select r.id from source_patients s join roster_patients r on r.person_id = s.person_id and r.group_id = s.group_id
    where s.group_id = ${idOf(directory.groups, facility)} and s.record_number = ${visit.recordNumber} order by r.id limit 1`);
  if (rows[0] === undefined) throw new Error(`The demo's patient ${visit.recordNumber} is not listed`);
  return `${rows[0].id}_0`;
}

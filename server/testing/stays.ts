/** Stays with pings, for tests of the inbox over HTTP. All people are invented. */
import { AFTER_HEADER } from '#contract/constants.ts';
import type { EventCode } from '#contract/event-codes.ts';
import type { PatientResults } from '#contract/patients.ts';
import type { StandardRole } from '#contract/permissions.ts';
import { type Client, signIn, startApp } from './app.ts';
import { request } from './client.ts';
import { filtering } from './search.ts';

export interface Stay {
  patientId: string;
  rosterPatientId: string;
  encounter: { id: string; personId: string };
  eventIds: string[];
}

const at = (hour: number) => new Date(`2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`);

/** Starts an app with helpers to make teams and stays. */
export async function startStays() {
  const app = await startApp();
  const { make } = app;

  /** Adds a ping of a further event. */
  async function addEvent(groupId: string, of: Stay, code: EventCode): Promise<string> {
    const hour = 8 + of.eventIds.length;
    const { id: eventId } = await make.event({ encounterId: of.encounter.id, code, at: at(hour) });
    // As the pipeline does: one event of a person at a time, and again after a deadlock.
    await app.database.pipeline.transaction(
      async (tx) => {
        await tx.query('select from persons where id = $1 for no key update', [of.encounter.personId]);
        await tx.query('update pings set is_current = false where encounter_id = $1', [of.encounter.id]);
      },
      { retries: 3 },
    );
    const times = { event_at: at(hour), created_at: at(hour), is_current: true };
    const { encounter, rosterPatientId } = of;
    await make.ping({ groupId, encounter, eventId, rosterPatientId, ...times });
    of.eventIds.push(eventId);
    return eventId;
  }

  /** Creates a stay with these events, an hour apart, and a ping of each. */
  async function stay(groupId: string, codes: readonly EventCode[] = ['ADMIT']): Promise<Stay> {
    const encounter = await make.encounter();
    const { id: rosterPatientId } = await make.rosterPatient({ groupId, personId: encounter.personId });
    const made = { patientId: `${rosterPatientId}_${encounter.id}`, rosterPatientId, encounter, eventIds: [] };
    for (const code of codes) await addEvent(groupId, made, code);
    return made;
  }

  /** A team with so many users, signed in. */
  async function teamOf(users = 1, role: StandardRole = 'care coordinator') {
    const { id: organizationId } = await make.organization();
    const { id: groupId } = await make.group({ organizationId });
    const team = await make.team({ organizationId, groupIds: [groupId] });
    const member = async (as: StandardRole = role, of = team) => {
      const { id, username } = await make.user({ team: of, role: as });
      return { id, client: await signIn(app, username) };
    };
    const members: { id: string; client: Client }[] = [];
    for (let n = 0; n < users; n += 1) members.push(await member());
    const [first] = members as [(typeof members)[0]];
    return { organizationId, groupId, team, member, members, first };
  }

  return { app, make, stay, addEvent, teamOf };
}

/** Returns what the team has arranged about a stay. */
export const workOf = async (client: Client, { patientId }: Pick<Stay, 'patientId'>) => {
  const { card } = await client.call('GET /api/patients/:id', { params: { id: patientId } });
  if (!card) throw new Error('No card');
  return card.work;
};

/** Gives a stay to a user, from the version that the caller has just read unless another is given. Returns its outcome. */
export async function assign(client: Client, of: Stay, userId: string | null, version?: string) {
  const expectedVersion = version ?? (await workOf(client, of)).version;
  const body = { stays: [{ patientId: of.patientId, expectedVersion }], userId };
  const [outcome] = await client.call('POST /api/stays/assign', { body });
  if (!outcome) throw new Error('No outcome');
  return outcome;
}

/** Lets a stay wait, as `assign` gives it. `seen`: the events that the caller has seen. */
export async function snooze(
  client: Client,
  of: Stay,
  until: string | null,
  { version, seen = of.eventIds }: { version?: string; seen?: string[] } = {},
) {
  const expectedVersion = version ?? (await workOf(client, of)).version;
  const body = { stays: [{ patientId: of.patientId, expectedVersion, eventIdentifiers: [...seen] }], until };
  const [outcome] = await client.call('POST /api/stays/snooze', { body });
  if (!outcome) throw new Error('No outcome');
  return outcome;
}

/** Returns the ids of the rows of the inbox with these filters, sorted, as of everything committed so far. */
export async function listed(client: Client, filters: Parameters<typeof filtering>[0]) {
  const [path, init] = request('POST /api/pings', { body: filtering(filters) });
  const headers = { ...(init.headers as Record<string, string>), [AFTER_HEADER]: 'now' };
  const response = await client.fetch(path, { ...init, headers });
  const { patients } = (await response.json()) as PatientResults;
  return patients.map(({ id }) => id).toSorted((a, b) => a.localeCompare(b));
}

/**
 * Two people and the feed act on one stay at once. `TIDINGS_RACES=10000 vitest run --project integration worklist/races` runs more of
 * them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Actor } from '#server/people/access/actor.ts';
import { loadActor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { changeStatuses } from '#server/record/pings/change-status.ts';
import { type Stay, startStays } from '#server/testing/stays.ts';
import { loadPatients } from '#server/work/patients/load.ts';
import { assignStay, snoozeStay } from './stay-work.ts';

const RACES = Number(process.env['TIDINGS_RACES'] ?? 100);
const { app, make, stay, addEvent } = await startStays();
const { database, clock } = app;

const team = await make.team();
const groupId = team.groupIds[0] as string;
const actors = await Promise.all(
  ['Rosa', 'Nina'].map(async (firstName) => {
    const { id } = await make.user({ team, firstName });
    return (await loadActor(database.app, id, team.id)) as Actor;
  }),
);

type Kind = 'assign' | 'snooze' | 'snooze to a day' | 'resolve' | 'event';
interface Step {
  kind: Kind;
  /** Which of the two people. */
  by: number;
  /** Milliseconds before it begins. */
  after: number;
}
type Outcome = Step & { error: ApiError | null };

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Kind>('assign', 'snooze', 'snooze to a day', 'resolve', 'event'),
  by: fc.nat(1),
  after: fc.nat(6),
});

/** Everyone saw the stay as it was before the race. */
async function run(of: Stay, { kind, by, after }: Step): Promise<void> {
  await sleep(after);
  if (kind === 'event') return void (await addEvent(groupId, { ...of, eventIds: [...of.eventIds, 'n'] }, 'TRANSFER'));
  const actor = actors[by] as Actor;
  const { patientId, eventIds } = of;
  const change = { now: clock.now(), requestId: 'race' };
  const seen = { patientId, expectedVersion: '0' };
  await asActor(
    database.app,
    actor,
    'canManagePings',
    async (tx) => {
      if (kind === 'assign') await assignStay(tx, { ...seen, userId: actor.userId }, change);
      else if (kind === 'resolve') await resolve(tx, of, change);
      else {
        const until = kind === 'snooze' ? 'EVENT' : '2026-11-24';
        await snoozeStay(tx, { ...seen, eventIdentifiers: [...eventIds], until }, change);
      }
    },
    { retries: 3 },
  );
}

const resolve = (
  tx: Parameters<typeof assignStay>[0],
  { patientId, eventIds }: Stay,
  { now, requestId }: { now: Date; requestId: string },
) =>
  changeStatuses(
    tx,
    {
      patientId,
      eventIdentifiers: eventIds,
      expectedStatusIds: eventIds.map(() => '0'),
      status: 'RESOLVED',
      resolutions: ['NO_ACTION_NEEDED'],
    },
    now,
    requestId,
  );

async function raceOf(of: Stay, steps: readonly Step[]): Promise<Outcome[]> {
  const settled = await Promise.allSettled(steps.map((each) => run(of, each)));
  return settled.map((result, n) => {
    const error: unknown = result.status === 'rejected' ? result.reason : null;
    if (error !== null && !(error instanceof ApiError)) throw error;
    return { ...(steps[n] as Step), error };
  });
}

const nameOf = ({ by }: Step): string => (actors[by] as Actor).displayName;
const isWork = ({ kind }: Step): boolean => kind !== 'event' && kind !== 'resolve';
const isSnooze = ({ kind }: Step): boolean => kind.startsWith('snooze');
const succeeded = ({ error }: Outcome): boolean => error === null;

/** At most one change of each kind is saved, and everyone else is told who was first, or what happened first. */
function checkOutcomes(outcomes: readonly Outcome[]): void {
  const work = outcomes.filter(isWork);
  const [winner, ...more] = work.filter(succeeded);
  expect(more).toEqual([]);
  const isClosed = outcomes.some((each) => each.kind === 'resolve' && succeeded(each));
  const hasEvent = outcomes.some(({ kind }) => kind === 'event');
  for (const loser of work.filter(({ error }) => error !== null)) {
    const { key, standing, current } = loser.error as ApiError;
    if (key === 'PING_CHANGED_BY_OTHER')
      expect([isSnooze(loser), isClosed, current !== undefined]).toEqual([true, true, true]);
    else if (standing?.last) expect([key, standing.last.name]).toEqual(['CHANGED_BY_OTHER', winner && nameOf(winner)]);
    else expect([key, isSnooze(loser), hasEvent]).toEqual(['CHANGED_BY_OTHER', true, true]);
  }
  // Of several changes one is saved, unless none of them could be any more.
  if (!winner) expect(work.every(isSnooze) && (isClosed || hasEvent || work.length === 0)).toBe(true);
  const statuses = outcomes.filter(({ kind }) => kind === 'resolve');
  expect(statuses.filter(succeeded)).toHaveLength(Math.min(statuses.length, 1));
  const first = statuses.find(succeeded);
  for (const { error } of statuses.filter(({ error }) => error !== null))
    expect([error?.key, error?.current?.displayName]).toEqual(['PING_CHANGED_BY_OTHER', first && nameOf(first)]);
}

/** What is saved is what the winner was told; a new event has ended every wait, whichever was first. */
async function checkSaved(of: Stay, outcomes: readonly Outcome[]): Promise<void> {
  const winner = outcomes.find((each) => isWork(each) && succeeded(each));
  const key = { personId: of.encounter.personId, encounterId: of.encounter.id };
  const [patient] = await asActor(database.app, actors[0] as Actor, 'canViewPings', (tx) =>
    loadPatients(tx, [key], clock.now()),
  );
  const { owner, waiting } = patient?.card?.work ?? {};
  const isAwake =
    !winner ||
    winner.kind === 'assign' ||
    outcomes.some(({ kind }) => kind === 'event') ||
    patient?.card?.open.length === 0;
  expect(owner?.name ?? null).toBe(winner?.kind === 'assign' ? nameOf(winner) : null);
  expect(waiting === null).toBe(isAwake);
  const { rows } = await database.pipeline.query<{ by: string }>(sql`
    select c.display_name as by from stay_work_changes c join stay_work w on w.id = c.stay_work_id
    where w.encounter_id = ${of.encounter.id}`);
  expect(rows.map(({ by }) => by)).toEqual(winner ? [nameOf(winner)] : []);
}

test(
  'of two people and the feed on one stay, one change is saved, the other person is told, and no wait outlives an event',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
        const of = await stay(groupId);
        const outcomes = await raceOf(of, steps);
        checkOutcomes(outcomes);
        await checkSaved(of, outcomes);
      }),
      { numRuns: RACES, endOnFailure: true },
    );
  },
  RACES * 1000,
);

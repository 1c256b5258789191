import { CONFIRMABLE } from '#contract/waiver-conditions.ts';
import type { WaiverChange } from '#contract/waivers.ts';
import { asActor } from '#server/people/access/door.ts';
import { sql } from '#server/platform/database/sql.ts';
import { getWaiver, setWaiver } from '#server/work/waivers/waivers.ts';
import { type DemoDirectory, idOf } from './directory.ts';
import { type ActDeps, type Seat, seated } from './past-acts.ts';

const HOUR = 3_600_000;
const COORDINATOR: Seat = { user: 'rosa.lindgren', team: 'aco-coordination' };
const DIRECTOR: Seat = { user: 'desmond.achterberg', team: 'aco-coordination' };

interface Step {
  by: Seat;
  /** Hours from the admission. */
  hours: number;
  change: WaiverChange;
}

const asked: Step = {
  by: COORDINATOR,
  hours: -20,
  change: { status: 'PENDING', rule: 'MSSP', confirmed: ['MEDICARE', 'ASSIGNED'] },
};
const approved: Step = { by: DIRECTOR, hours: -3, change: { status: 'APPROVED', confirmed: [...CONFIRMABLE] } };
const refused: Step = { by: DIRECTOR, hours: -2, change: { status: 'NOT_APPROVED' } };
const underTeam: Step = {
  by: COORDINATOR,
  hours: -12,
  change: { status: 'PENDING', rule: 'TEAM', confirmed: ['MEDICARE', 'EPISODE'] },
};

/** What happened to the waivers of stays, by turns; nothing to many. */
const UNKNOWN: readonly (readonly Step[])[] = [
  [asked, approved],
  [asked],
  [asked, approved],
  [],
  [asked, refused],
  [underTeam],
];
const NOT_ELIGIBLE: readonly (readonly Step[])[] = [[], [asked, refused], [], [asked]];

/** Sets the three-day waivers of the newest nursing stays of Lakeshore ACO's patients, as its users do. A stay that has one is left as it is. */
export async function writeWaivers(
  { app, pipeline }: Omit<ActDeps, 'publicUrl'>,
  directory: DemoDirectory,
  now: Date,
): Promise<void> {
  const { rows } = await pipeline.query<{ patientId: string; encounterId: string; admittedAt: string }>(sql`
    select min(r.id) || '_' || e.id as "patientId", e.id as "encounterId", e.admitted_at as "admittedAt"
    from encounters e join roster_patients r on r.person_id = e.person_id
    where r.group_id = ${idOf(directory.groups, 'lakeshore-aco')} and r.left_at is null
      and e.setting = 'SNF' and e.status <> 'CANCELLED' and e.admitted_at is not null
    group by e.id order by e.admitted_at desc limit 40`);
  const reader = await seated(app, directory, COORDINATOR);
  const turns = { unknown: 0, other: 0 };
  for (const { admittedAt, ...ids } of rows) {
    const { eligibility, history } = await asActor(app, reader, 'canViewPatients', (tx) =>
      getWaiver(tx, ids, undefined, now),
    );
    const isUnknown = eligibility.answer === 'unknown';
    const steps = isUnknown
      ? UNKNOWN[turns.unknown++ % UNKNOWN.length]
      : NOT_ELIGIBLE[turns.other++ % NOT_ELIGIBLE.length];
    if (history.length > 0) continue;
    for (const { by, hours, change } of steps ?? []) {
      const actor = await seated(app, directory, by);
      const call = { now: new Date(Date.parse(admittedAt) + hours * HOUR), requestId: 'demo' };
      await asActor(app, actor, 'canUpdateThreeDayWaiver', (tx) => setWaiver(tx, ids, change, call));
    }
  }
}

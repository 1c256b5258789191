import type { ManagementStatus, Resolution } from '#contract/management-status.ts';
import { DAY } from './clock.ts';
import type { ExpectedPing } from './expected-pings.ts';
import { makeRandom, type Random } from './random.ts';
import type { WorldUser } from './region-types.ts';
import { expectedPings, type World } from './world.ts';

/** What a coordinator did with a ping of the past. */
export interface PastStatus {
  ping: ExpectedPing;
  /** Key of the user, who works in a team of the ping's group. */
  user: string;
  team: string;
  status: Exclude<ManagementStatus, 'NEW'>;
  /** Null if the ping is in progress or dismissed. */
  resolution: Exclude<Resolution, 'SYSTEM_RESOLVED'> | null;
  comment: string | null;
  /** Hours after the event. */
  hoursLater: number;
}

/** Most pings older than this are resolved. */
const FRESH = 5 * DAY;

const COMMENTS: Record<string, readonly string[]> = {
  CONTACTED_PATIENT: [
    'Spoke with daughter, medicines understood.',
    'Left a message, called back the same day.',
    'Feels better, no questions.',
  ],
  CONTACTED_FACILITY: ['Talked to the case manager on the unit.', 'Asked for the discharge summary.'],
  SCHEDULED_FOLLOWUP: ['Visit with the practice within seven days.', 'Ride arranged for the follow-up.'],
  BACK_ON_CENSUS: ['Returned to us, bed was held.'],
  NO_ACTION_NEEDED: ['Known to the team, plan unchanged.'],
  OTHER: ['Moved to the weekly conference.', 'Family asked to be called next week.'],
};

function resolutionFor(random: Random, ping: ExpectedPing): Exclude<Resolution, 'SYSTEM_RESOLVED'> {
  if (ping.code === 'DISCHARGE')
    return random.weighted([
      ['CONTACTED_PATIENT', 50],
      ['SCHEDULED_FOLLOWUP', 35],
      ['NO_ACTION_NEEDED', 15],
    ]);
  if (ping.code === 'RESUMED_SERVICES')
    return random.weighted([
      ['BACK_ON_CENSUS', 60],
      ['NO_ACTION_NEEDED', 40],
    ]);
  return random.weighted([
    ['CONTACTED_FACILITY', 40],
    ['NO_ACTION_NEEDED', 35],
    ['CONTACTED_PATIENT', 15],
    ['OTHER', 10],
  ]);
}

const canManage = (user: WorldUser, team: string) =>
  user.grants.some(
    (grant) =>
      grant.team === team &&
      (grant.role === 'care coordinator' || grant.role === 'clinician' || grant.role === 'administrator'),
  );

/** Returns the statuses set by the end of the world, in the order in which they were set. Pings without an entry are still NEW. */
export function pastStatuses(world: World): PastStatus[] {
  const { region, options } = world;
  const end = Date.parse(options.to);
  const statuses: PastStatus[] = [];
  for (const ping of expectedPings(world)) {
    const random = makeRandom(`${options.seed}/status/${ping.visit}/${ping.code}/${ping.at}/${ping.group}`);
    const age = end - Date.parse(ping.at);
    const status = random.weighted<ManagementStatus>(
      age > FRESH
        ? [
            ['RESOLVED', 78],
            ['DISMISSED', 14],
            ['IN_PROGRESS', 4],
            ['NEW', 4],
          ]
        : [
            ['RESOLVED', 14],
            ['DISMISSED', 4],
            ['IN_PROGRESS', 14],
            ['NEW', 68],
          ],
    );
    const hoursLater = Math.round(10 * Math.min(96, 0.5 + random.wait(14))) / 10;
    const teams = region.teams.filter((team) => team.groups.includes(ping.group));
    const workers = teams.flatMap((team) =>
      region.users
        .filter((user) => !user.isOperator && canManage(user, team.key))
        .map((user) => ({ user: user.key, team: team.key })),
    );
    if (status === 'NEW' || workers.length === 0 || hoursLater * 3_600_000 > age) continue;
    const resolution = status === 'RESOLVED' ? resolutionFor(random, ping) : null;
    const comment =
      resolution && random.chance(resolution === 'OTHER' ? 1 : 0.25)
        ? random.pick(COMMENTS[resolution] ?? ['Done.'])
        : null;
    statuses.push({ ping, ...random.pick(workers), status, resolution, comment, hoursLater });
  }
  const doneAt = ({ ping, hoursLater }: PastStatus) => Date.parse(ping.at) + hoursLater * 3_600_000;
  return statuses.sort((one, other) => doneAt(one) - doneAt(other));
}

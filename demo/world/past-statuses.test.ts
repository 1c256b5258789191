import { expect, test } from 'vitest';
import { pastStatuses } from './past-statuses.ts';
import { demoWorldOptions, expectedPings, makeWorld } from './world.ts';

const world = makeWorld(demoWorldOptions('2026-11-20T12:00:00Z'));
const end = Date.parse(world.options.to);
const statuses = pastStatuses(world);
const age = (at: string) => (end - Date.parse(at)) / 86_400_000;

test('nearly all pings older than five days have been worked on, and most newer ones are unresolved', () => {
  const pings = expectedPings(world);
  const share = (isAged: (days: number) => boolean) =>
    statuses.filter(({ ping }) => isAged(age(ping.at))).length / pings.filter((ping) => isAged(age(ping.at))).length;
  expect(share((days) => days > 5)).toBeGreaterThan(0.9);
  expect(share((days) => days <= 5)).toBeLessThan(0.5);
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set(['RESOLVED', 'DISMISSED', 'IN_PROGRESS']));
});

test('each status was set by a permitted user of a team of the group, after the event and before the end', () => {
  for (const { ping, user, team, hoursLater } of statuses) {
    const grant = world.region.users
      .find((candidate) => candidate.key === user)
      ?.grants.find((candidate) => candidate.team === team);
    expect(world.region.teams.find((candidate) => candidate.key === team)?.groups).toContain(ping.group);
    expect(['administrator', 'care coordinator', 'clinician']).toContain(grant?.role);
    expect(hoursLater).toBeGreaterThan(0);
    expect(Date.parse(ping.at) + hoursLater * 3_600_000).toBeLessThanOrEqual(end);
  }
});

test('only resolved pings have a resolution, and OTHER always has a comment', () => {
  for (const { status, resolution, comment } of statuses) {
    expect(resolution !== null).toBe(status === 'RESOLVED');
    if (resolution === 'OTHER') expect(comment).not.toBeNull();
  }
});

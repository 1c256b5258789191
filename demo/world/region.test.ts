import { expect, test } from 'vitest';
import { APPLICATION_EXPERIENCES } from '#contract/experiences.ts';
import { FACILITY_TYPES, GROUP_TYPES } from '#contract/groups.ts';
import { groupOf, makeRegion } from './region.ts';

const region = makeRegion();

test('six organizations have groups of all four types in two time zones', () => {
  expect(region.organizations).toHaveLength(6);
  expect(new Set(region.groups.map((group) => group.type))).toEqual(new Set(GROUP_TYPES));
  expect(new Set(region.groups.map((group) => group.timeZone)).size).toBe(2);
  for (const organization of region.organizations) {
    expect(region.groups.some((group) => group.organization === organization.key)).toBe(true);
  }
  for (const group of region.groups) expect(group.type === 'PROGRAM').toBe(group.facilityType === null);
  for (const group of region.groups) if (group.facilityType) expect(FACILITY_TYPES).toContain(group.facilityType);
});

test('teams work for groups of their own organization: some for several, some share one', () => {
  for (const team of region.teams) {
    for (const group of team.groups) expect(groupOf(region, group).organization).toBe(team.organization);
  }
  expect(region.teams.filter((team) => team.groups.length > 1).length).toBeGreaterThanOrEqual(2);
  expect(region.teams.filter((team) => team.groups.includes('lakeshore-aco'))).toHaveLength(2);
});

test('users have every experience and every role, and addresses that cannot receive email', () => {
  expect(new Set(region.users.map((user) => user.experience))).toEqual(new Set(APPLICATION_EXPERIENCES));
  const roles = region.users.flatMap((user) => user.grants.map((grant) => grant.role));
  expect(new Set(roles)).toEqual(new Set(['administrator', 'care coordinator', 'clinician', 'analyst', 'viewer']));
  expect(new Set(region.users.map((user) => user.email)).size).toBe(region.users.length);
  for (const user of region.users) {
    expect(user.email).toMatch(/^[a-z.]+@[a-z]+\.example$/);
    for (const grant of user.grants) expect(region.teams.map((team) => team.key)).toContain(grant.team);
  }
  expect(region.users.filter((user) => user.isShownOnStart).length).toBeGreaterThanOrEqual(3);
});

test('each automated facility has one feed, and manual ones have none', () => {
  const fed = region.feeds.flatMap((feed) => Object.values(feed.facilities));
  expect(new Set(fed).size).toBe(fed.length);
  expect(new Set(fed)).toEqual(new Set(region.groups.filter((group) => group.isAutomated).map((group) => group.key)));
});

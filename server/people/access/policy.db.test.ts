import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { join, sql } from '#server/platform/database/sql.ts';
import { actorWith } from '#server/testing/actors.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories, momentOf } from '#server/testing/factories.ts';
import { asActor } from './door.ts';
import { resolvePatient } from './patient.ts';
import { mayReadEncounter, mayReadListing, mayReadPing } from './policy.ts';

const { app, pipeline } = await testDatabase();
const make = factories(pipeline, () => new Date('2026-11-20T15:00:00Z'));

const FLAG: Permission = 'canViewPatients';

/**
 * A small world; people and groups are named by index. It says which group lists which person, who visited which facility, which group
 * was pinged about the visit and for which person, and who consented.
 */
interface World {
  /** Groups 0 and 1 are facilities, 2 and 3 programs. */
  part2: [boolean, boolean];
  held: boolean[];
  /** `opens`: from so many days ago. */
  listings: { group: number; person: number; left: boolean; opens: number }[];
  /** `ended`: so many days ago, or null while it is open. An event is over when it begins. */
  encounters: {
    facility: number;
    person: number;
    ended: number | null;
    isEvent: boolean;
    pinged: { group: number; person: number }[];
  }[];
  consents: { person: number; facility: number; recipient: number; ended: boolean }[];
}

const group = fc.nat({ max: 3 });
const facility = fc.nat({ max: 1 });
const person = fc.nat({ max: 1 });
const worlds: fc.Arbitrary<World> = fc.record({
  part2: fc.tuple(fc.boolean(), fc.constant(true)),
  held: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  listings: fc.uniqueArray(fc.record({ group, person, left: fc.boolean(), opens: fc.constantFrom(2, 20, 60) }), {
    maxLength: 6,
    selector: (listing) => `${listing.group} ${listing.person}`,
  }),
  encounters: fc.array(
    fc.record({
      facility,
      person,
      ended: fc.constantFrom(null, 1, 20, 40),
      isEvent: fc.boolean(),
      pinged: fc.array(fc.record({ group, person }), { maxLength: 2 }),
    }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  consents: fc.array(fc.record({ person, facility, recipient: group, ended: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  }),
});

type Pinged = World['encounters'][number]['pinged'];

/** A Part 2 facility's stay of a person whom a program lists, with a consent: rare among random worlds, so given as examples. */
const withConsent = (left: boolean, consent: World['consents'][number], pinged: Pinged = []): [World] => [
  {
    part2: [false, true],
    held: [false, false, true, false],
    listings: [{ group: 2, person: 0, left, opens: 20 }],
    encounters: [{ facility: 1, person: 0, ended: 20, isEvent: false, pinged }],
    consents: [consent],
  },
];
const consent = { person: 0, facility: 1, recipient: 2, ended: false };
const consentExamples: [World][] = [
  withConsent(false, consent),
  withConsent(true, consent),
  withConsent(false, { ...consent, ended: true }),
  withConsent(true, consent, [{ group: 2, person: 0 }]),
  withConsent(false, { ...consent, ended: true }, [{ group: 2, person: 0 }]),
  withConsent(false, { ...consent, person: 1 }),
  withConsent(false, { ...consent, facility: 0 }),
  withConsent(false, { ...consent, recipient: 3 }),
];

/** The same policy in plain code, without a database. */
const readable = {
  listing: (world: World, { group }: World['listings'][number]) => world.held[group] === true,
  encounter: (world: World, encounter: World['encounters'][number]) => {
    const mine = (group: number) => world.held[group] === true;
    if (mine(encounter.facility)) return true;
    const { ended } = encounter;
    const pinged = encounter.pinged.filter(({ group, person }) => mine(group) && person === encounter.person);
    const listsNow = world.listings.filter(
      (l) => mine(l.group) && l.person === encounter.person && !l.left && (ended === null || ended <= l.opens),
    );
    return [...pinged, ...listsNow].some((of) => discloses(world, encounter, of));
  },
  ping: (world: World, encounter: World['encounters'][number], of: Pinged[number]) =>
    world.held[of.group] === true && discloses(world, encounter, of),
};

/** Whether the encounter's facility may disclose what concerns the person to the group. */
const discloses = (world: World, { facility }: World['encounters'][number], of: Pinged[number]) =>
  !world.part2[facility as 0 | 1] ||
  world.consents.some(
    (consent) =>
      consent.person === of.person && consent.facility === facility && consent.recipient === of.group && !consent.ended,
  );

const daysAgo = (days: number): Date => new Date(Date.parse('2026-11-20T15:00:00Z') - days * 86_400_000);

const endedAt = (end: Date, isEvent: boolean) => {
  const status = 'FINISHED' as const;
  if (isEvent) return { status, admittedAt: momentOf(end) };
  return { status, admittedAt: momentOf(new Date('2026-01-01T00:00:00Z')), dischargedAt: momentOf(end) };
};

async function build(world: World) {
  const { id: organizationId } = await make.organization();
  const groups: string[] = [];
  for (const [index, type] of (['HOS', 'SNF', 'PROGRAM', 'PROGRAM'] as const).entries()) {
    const isPart2Facility = world.part2[index] ?? false;
    groups.push((await make.group({ organizationId, type, isPart2Facility })).id);
  }
  const persons = [(await make.person()).id, (await make.person()).id];
  const groupOf = (index: number) => groups[index] ?? '';
  const personOf = (index: number) => persons[index] ?? '';
  const list = (of: { group: number; person: number }, leftAt: Date | null, opens: number) =>
    make.rosterPatient({
      groupId: groupOf(of.group),
      personId: personOf(of.person),
      left_at: leftAt,
      opens_from: daysAgo(opens),
    });

  const listings: string[] = [];
  for (const listing of world.listings) {
    listings.push((await list(listing, listing.left ? new Date('2026-11-01T00:00:00Z') : null, listing.opens)).id);
  }
  const encounters: string[] = [];
  const pings: { id: string; isReadable: boolean }[] = [];
  for (const visit of world.encounters) {
    const { facility, person, ended, isEvent, pinged } = visit;
    const over = ended === null ? {} : endedAt(daysAgo(ended), isEvent);
    const encounter = await make.encounter({ groupId: groupOf(facility), personId: personOf(person), visit: over });
    encounters.push(encounter.id);
    const eventId = (await make.event({ encounterId: encounter.id })).id;
    for (const of of pinged) {
      // A ping needs a listing. This one has ended, so that it grants nothing by itself.
      const { id } = await list(of, new Date('2026-11-01T00:00:00Z'), 60);
      const ping = await make.ping({ groupId: groupOf(of.group), encounter, eventId, rosterPatientId: id });
      pings.push({ id: ping.id, isReadable: readable.ping(world, visit, of) });
    }
  }
  for (const { person, facility, recipient, ended } of world.consents) {
    const at = new Date('2026-10-01T00:00:00Z');
    await pipeline.query(sql`
      insert into consents (person_id, facility_group_id, recipient_group_id, given_at, ended_at)
      values (${personOf(person)}, ${groupOf(facility)}, ${groupOf(recipient)}, ${at}, ${ended ? at : null})`);
  }
  const flags = (index: number) => new Set<Permission>(world.held[index] ? [FLAG] : ['canViewPings']);
  const permissions = new Map(groups.map((id, index) => [id, flags(index)]));
  return { groups, persons, listings, encounters, pings, actor: actorWith(permissions, organizationId) };
}

describe('what a team may read', () => {
  test('is the same in SQL as in plain code, in every small world', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const built = await build(world);
        await asActor(app, built.actor, FLAG, async (tx) => {
          const listings = await tx.query<{ id: string }>(sql`
            select r.id from roster_patients r
            where r.id = any (${built.listings}::bigint[]) and ${mayReadListing(tx.groupIds)}`);
          const expectedListings = built.listings.filter((_, i) => readable.listing(world, at(world.listings, i)));
          expect(listings.rows.map(({ id }) => id).sort()).toEqual([...expectedListings].sort());

          const encounters = await tx.query<{ id: string }>(sql`
            select e.id from encounters e
            where ${join([sql`e.id = any (${built.encounters}::bigint[])`, mayReadEncounter(tx.groupIds)], ' and ')}`);
          const expectedEncounters = built.encounters.filter((_, i) =>
            readable.encounter(world, at(world.encounters, i)),
          );
          expect(encounters.rows.map(({ id }) => id).sort()).toEqual([...expectedEncounters].sort());

          const pings = await tx.query<{ id: string }>(sql`
            select p.id from pings p where p.id = any (${built.pings.map(({ id }) => id)}::bigint[]) and ${mayReadPing}`);
          const expectedPings = built.pings.filter(({ isReadable }) => isReadable).map(({ id }) => id);
          expect(pings.rows.map(({ id }) => id).sort()).toEqual(expectedPings.sort());

          for (const [l, listing] of world.listings.entries()) {
            for (const [e, encounter] of world.encounters.entries()) {
              const isOwn = encounter.person === listing.person && readable.encounter(world, encounter);
              const receivedPing =
                encounter.person !== listing.person &&
                encounter.pinged.some((of) => of.person === listing.person && readable.ping(world, encounter, of));
              const opens = readable.listing(world, listing) && (isOwn || receivedPing);
              const patient = resolvePatient(tx, `${built.listings[l]}_${built.encounters[e]}`);
              if (!opens) await expect(patient).rejects.toMatchObject({ key: 'NOT_FOUND' });
              else {
                const lists = [...world.listings, ...world.encounters.flatMap(({ pinged }) => pinged)].filter(
                  (of) => of.person === listing.person && world.held[of.group],
                );
                const groups = new Set(lists.map((of) => at(built.groups, of.group)));
                expect(await patient).toEqual({
                  rosterPatientId: built.listings[l],
                  personId: built.persons[listing.person],
                  encounterId: built.encounters[e],
                  groupIds: [...groups].sort((a, b) => Number(a) - Number(b)),
                });
              }
            }
          }
        });
      }),
      { numRuns: 60, examples: consentExamples },
    );
  });
});

const at = <T>(list: readonly T[], index: number): T => list[index] as T;

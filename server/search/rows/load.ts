import type { GroupsTransaction } from '#server/access/door.ts';
import { facilityFacts, readFacts } from './queries.ts';
import type { PersonFacts } from './story.ts';

/** What rows are made of, person by person, as it is now. The transaction is of the scope's groups. `all` as `readFacts`. */
export async function loadPersons(
  tx: GroupsTransaction,
  personIds: readonly string[],
  { all }: { all: boolean },
): Promise<PersonFacts[]> {
  const facts = await readFacts(tx, personIds, { all });
  const facilityIds = new Set([...facts.visits, ...facts.pings].map(({ facilityId }) => facilityId));
  const facilities = await facilityFacts(tx, [...facilityIds]);
  const listings = Map.groupBy(facts.listings, ({ personId }) => personId);
  const visits = Map.groupBy(facts.visits, ({ personId }) => personId);
  const events = Map.groupBy(facts.events, ({ encounterId }) => encounterId);
  const pings = Map.groupBy(facts.pings, ({ personId }) => personId);
  const consents = new Map<string, Set<string>>();
  for (const [personId, consent] of facts.consents)
    consents.set(personId, (consents.get(personId) ?? new Set()).add(consent));
  return personIds.map((personId) => ({
    personId,
    listings: listings.get(personId) ?? [],
    visits: visits.get(personId) ?? [],
    events,
    pings: pings.get(personId) ?? [],
    consents: consents.get(personId) ?? NONE,
    facilities,
  }));
}

const NONE: ReadonlySet<string> = new Set();

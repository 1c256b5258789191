import type { GroupsTransaction } from '#server/access/door.ts';
import {
  consentFacts,
  eventFacts,
  facilityFacts,
  listingFacts,
  pingFacts,
  visitFacts,
} from './queries.ts';
import { type PersonRows, type RowOptions, rowsOf } from './rows.ts';

export interface LoadOptions extends RowOptions {
  /** Rows of these persons may be there from before: also what is to be taken out is asked for. */
  isUpdate: boolean;
}

/** The rows of some persons, as they are now. The transaction is of the scope's groups. */
export async function loadRows(
  tx: GroupsTransaction,
  personIds: readonly string[],
  { isUpdate, ...options }: LoadOptions,
): Promise<PersonRows[]> {
  const listings = await listingFacts(tx, personIds);
  const visits = await visitFacts(tx, personIds);
  const events = await eventFacts(
    tx,
    visits.map(({ id }) => id),
  );
  const pings = await pingFacts(tx, personIds, { all: isUpdate || options.withEvents });
  const facilities = new Map(visits.map(({ facility }) => [facility.id, facility]));
  const others = pings.map(({ facilityId }) => facilityId).filter((id) => !facilities.has(id));
  for (const [id, facility] of await facilityFacts(tx, [...new Set(others)])) facilities.set(id, facility);
  const hasPart2 = [...facilities.values()].some(({ isPart2 }) => isPart2);
  const consents = hasPart2 ? await consentFacts(tx, personIds) : new Map<string, Set<string>>();
  const listingsBy = Map.groupBy(listings, ({ personId }) => personId);
  const visitsBy = Map.groupBy(visits, ({ personId }) => personId);
  const eventsBy = Map.groupBy(events, ({ encounterId }) => encounterId);
  const pingsBy = Map.groupBy(pings, ({ personId }) => personId);
  return personIds.map((personId) =>
    rowsOf(
      {
        personId,
        listings: listingsBy.get(personId) ?? [],
        visits: visitsBy.get(personId) ?? [],
        events: eventsBy,
        pings: pingsBy.get(personId) ?? [],
        consents: consents.get(personId) ?? NONE,
        facilities,
      },
      options,
    ),
  );
}

const NONE: ReadonlySet<string> = new Set();

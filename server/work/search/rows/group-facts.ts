import { type FactDocument, factsOf } from './row-sources.ts';
import type { PersonFacts } from './visible-history.ts';

/** Returns the facts of each person from the document that `readFacts` returned. */
export function factsByPerson(personIds: readonly string[], document: FactDocument): PersonFacts[] {
  const facts = factsOf(document);
  const facilities = new Map(facts.facilities.map((facility) => [facility.id, facility]));
  const listings = Map.groupBy(facts.listings, ({ personId }) => personId);
  const visits = Map.groupBy(facts.visits, ({ personId }) => personId);
  const events = Map.groupBy(facts.events, ({ encounterId }) => encounterId);
  const pings = Map.groupBy(facts.pings, ({ personId }) => personId);
  const tags = Map.groupBy(facts.tags, ({ personId }) => personId);
  const attempts = Map.groupBy(facts.attempts, ({ personId }) => personId);
  const work = new Map(facts.work.map((row) => [row.encounterId, row]));
  const documents = Map.groupBy(facts.documents, ({ personId }) => personId);
  const care = Map.groupBy(facts.care, ({ personId }) => personId);
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
    tags: tags.get(personId) ?? [],
    attempts: attempts.get(personId) ?? [],
    holidays: facts.holidays,
    riskRule: facts.riskRule,
    programs: facts.programs,
    work,
    documents: documents.get(personId) ?? [],
    care: care.get(personId) ?? [],
  }));
}

const NONE: ReadonlySet<string> = new Set();

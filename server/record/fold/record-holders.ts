/**
 * Separates people who share a record number (`number-holders.ts`). Each holder gets a record number of its own, and so is a source
 * patient of its own: 'M100', and 'M100 (patient 2)'.
 */
import { contradictsMerge, type Identity, identityOf } from '#server/record/scoring/contradiction.ts';
import { corrected } from './corrected-entries.ts';
import type { Fact } from './fold-input.ts';
import { foldDemographics } from './folded-demographics.ts';
import { type DecisionOn, type HeldMerge, heldMerges, withoutMerges } from './held-merges.ts';
import { type Holder, holdersOf, type Identify } from './number-holders.ts';
import { separateAuthorities } from './record-authorities.ts';
import { usableNumber } from './visit-identifiers.ts';
import { isOurs, NEVER_A_VISIT } from './visit-triggers.ts';

export interface FactsByHolder {
  /** The facts, with a record number per person. */
  facts: Fact[];
  /** Maps a record number, or one that this function returned before, to the current one. */
  nameOf(recordNumber: string): string;
  /** For each number with several holders: their record numbers, the one who had it first at the beginning. */
  shared: string[][];
  /** Merges that wait for a person. */
  held: HeldMerge[];
}

/** Returns the record number under which a fact is stored; undefined if it has not been folded yet. */
type StoredName = (fact: Fact) => string | undefined;

/** What is stored about the holders besides facts. */
export interface Stored {
  storedName?: StoredName;
  decisionOn?: DecisionOn;
}

/**
 * Separates first the patients of several authorities, then the holders of each number. `given`: all facts of one facility in a dossier,
 * and what others sent about its patients.
 * A holder keeps the record number under which its facts are stored, because links are attached to that. Which facts have a common
 * holder depends on the facts alone. Merges of holders who contradict each other are held unless a person confirmed them.
 */
export function separatePatients(
  given: readonly Fact[],
  { storedName = () => undefined, decisionOn = () => null }: Stored = {},
): FactsByHolder {
  const facts = corrected(given);
  const byAuthority = separateAuthorities(facts);
  const identify = remembered();
  const holders = new Map<string, NamedHolder[]>();
  const own = Map.groupBy(byAuthority.facts, (fact) => numberIn(numberOf(fact), isReference(fact)));
  for (const [number, ofNumber] of own) holders.set(number, namedHolders(number, ofNumber, identify, storedName));
  const nameOf = (recordNumber: string): string => {
    const named = byAuthority.nameOf(recordNumber);
    const number = byAuthority.nameOf(numberIn(named, true));
    const ofNumber = holders.get(number) ?? holders.get(named) ?? [];
    return (ofNumber.find(({ name }) => name === named) ?? ofNumber[0])?.name ?? number;
  };
  const all = [...holders.values()].flat();
  const separated = all.flatMap((holder) => holder.facts.map((fact) => renamed(fact, holder, holders)));
  const held = heldMerges(separated, new Map(all.map((holder) => [holder.name, holder])), decisionOn);
  const unmerged = withoutMerges(separated, held, (name) => numberIn(name, true));
  const applied = new Map(unmerged.map((fact) => [fact.id, fact]));
  const shared = [...holders.values()].map((ofNumber) => ofNumber.map(({ name }) => name));
  return {
    facts: facts.map((fact) => applied.get(fact.id) ?? fact),
    nameOf,
    shared: shared.filter((names) => names.length > 1),
    held,
  };
}

type NamedHolder = Holder & { name: string };

const numberOf = ({ adt }: Fact): string => adt.patient.recordNumber.trim();

const NAME = /^(?<number>.+) \(patient (?<index>\d+)\)$/s;
const nameFor = (number: string, index: number): string => (index === 1 ? number : `${number} (patient ${index})`);

/** Returns the record number within a name that this module gave. */
const numberIn = (name: string, isName: boolean): string => (isName ? NAME.exec(name)?.groups?.number : null) ?? name;

/** Whether a source patient's record number is the number, or the name of one of its holders. */
export const isHolderOf = (name: string, number: string): boolean => numberIn(name, true) === number;

/** Entries by staff for a listed patient, our own jobs, and what came by a link, mean the holder by its name and don't describe anyone. */
const isReference = ({ adt: { trigger, patient, link } }: Fact): boolean =>
  (isOurs(trigger) || link !== undefined) && !patient.name;

/** Names and birth dates repeat from message to message, so each is normalized once. */
function remembered(): Identify {
  const known = new Map<string, Identity>();
  return (facts) => {
    const { name, birthDate } = foldDemographics(facts).demographics;
    const key = JSON.stringify([name, birthDate]);
    const identity = known.get(key) ?? identityOf({ name, birthDate });
    known.set(key, identity);
    return identity;
  };
}

function namedHolders(
  number: string,
  facts: readonly Fact[],
  identify: Identify,
  storedName: StoredName,
): NamedHolder[] {
  const references = facts.filter(isReference);
  const describing = references.length === facts.length ? facts : facts.filter((fact) => !isReference(fact));
  const holders = nameHolders(number, holdersOf(describing, identify), storedName);
  if (describing === facts) return holders;
  for (const reference of references) {
    const visit = usableNumber(reference.adt.visit?.visitNumber);
    const holder =
      holders.find(({ facts: own }) => own.some((fact) => isOfVisit(fact, visit))) ??
      holders.find(({ name }) => name === numberOf(reference)) ??
      holders[0];
    holder?.facts.push(reference);
  }
  return holders;
}

/** Whether the fact shows that the visit is its patient's. */
const isOfVisit = ({ adt: { trigger, visit } }: Fact, number: string | null): boolean =>
  number !== null && !NEVER_A_VISIT.has(trigger) && usableNumber(visit?.visitNumber) === number;

/** Each holder keeps the smallest name under which facts of it are stored; a new one gets a name under which no fact is stored. */
function nameHolders(number: string, holders: readonly Holder[], storedName: StoredName): NamedHolder[] {
  const claims = holders.map(({ facts }) => {
    const names = new Set(facts.map(storedName));
    return [...names].flatMap((name) => (name && isHolderOf(name, number) ? indexIn(name) : [])).sort(ascending);
  });
  const taken = new Set<number>();
  const kept = claims.map((indexes) => {
    const index = indexes.find((each) => !taken.has(each));
    if (index !== undefined) taken.add(index);
    return index;
  });
  const used = new Set(claims.flat());
  return holders.map((holder, position) => {
    let index = kept[position];
    for (let free = 1; index === undefined; free++) if (!used.has(free)) index = free;
    used.add(index);
    return { ...holder, name: nameFor(number, index) };
  });
}

const indexIn = (name: string): number => Number(NAME.exec(name)?.groups?.index ?? 1);
const ascending = (a: number, b: number): number => a - b;

/** Gives a fact its holder's name, and a merge or move the name of the prior record number's holder. */
function renamed(fact: Fact, holder: NamedHolder, holders: ReadonlyMap<string, NamedHolder[]>): Fact {
  const { patient, merge } = fact.adt;
  const prior = merge?.priorRecordNumber ?? null;
  const priorName = prior === null ? null : (priorHolder(fact, holder, holders.get(prior.trim()) ?? [])?.name ?? prior);
  if (holder.name === numberOf(fact) && priorName === prior) return fact;
  return {
    ...fact,
    adt: {
      ...fact.adt,
      patient: { ...patient, recordNumber: holder.name },
      merge: merge && { ...merge, priorRecordNumber: priorName },
    },
  };
}

/** Returns whom a merge or move means by MRG-1: the holder with the visit, else the one who may be the surviving patient. */
function priorHolder(
  { adt: { merge } }: Fact,
  surviving: NamedHolder,
  ofPrior: readonly NamedHolder[],
): NamedHolder | undefined {
  if (ofPrior.length < 2) return ofPrior[0];
  const visit = usableNumber(merge?.priorVisitNumber);
  const withVisit = ofPrior.find(({ facts }) => facts.some((fact) => isOfVisit(fact, visit)));
  return withVisit ?? ofPrior.find(({ known }) => !contradictsMerge(known, surviving.known)) ?? ofPrior[0];
}

/**
 * One value of a record number may be two patients', where two authorities number by themselves (PID-3.4). It is told apart only where
 * messages name different authorities and nothing shows that these are one: a sender may write the same one in several ways, or change
 * how it writes it. What shows it: a visit number of both, agreeing demographics, or a merge of the number into itself.
 */

import type { Fact } from './fold-input.ts';
import { foldDemographics } from './folded-demographics.ts';
import { usableNumber } from './visit-identifiers.ts';
import { RECORD_MERGES } from './visit-triggers.ts';

export interface AuthorizedFacts {
  /** The facts, under record numbers that are one patient's: 'M100', and 'M100 (LAB)' for that of another authority. */
  facts: Fact[];
  /** A record number, as it may have been named before, to the one that it is now. */
  nameOf(recordNumber: string): string;
}

/** `facts`: all of one facility in a dossier. */
export function byAuthority(facts: readonly Fact[]): AuthorizedFacts {
  const authorities = new Map<string, Set<string>>();
  for (const { adt } of facts) {
    note(authorities, adt.patient.recordNumber, adt.patient.recordAuthority);
    note(authorities, adt.merge?.priorRecordNumber, adt.merge?.priorRecordAuthority);
  }
  const contested = [...authorities].filter(([, names]) => names.size > 1);
  if (contested.length === 0) return { facts: [...facts], nameOf: (recordNumber) => recordNumber };
  const names = new Map<string, string>();
  const visits = new Map<string, string>();
  for (const [value, ofValue] of contested) nameParties(value, [...ofValue].sort(), facts, names, visits);
  const nameOf = (value: string, authority?: string): string =>
    names.get(keyOf(value, authority)) ?? names.get(value.trim()) ?? value;
  return { facts: facts.map((fact) => renamed(fact, nameOf, visits)), nameOf };
}

const keyOf = (value: string, authority: string | undefined): string =>
  authority === undefined ? value.trim() : `${value.trim()} (${authority.trim().toUpperCase()})`;

function note(
  authorities: Map<string, Set<string>>,
  value: string | null | undefined,
  authority: string | undefined,
): void {
  if (!value || authority === undefined) return;
  const known = authorities.get(value.trim()) ?? new Set<string>();
  authorities.set(value.trim(), known.add(authority.trim().toUpperCase()));
}

/** Names the patients of one value, and the visit numbers by which a message without an authority is found to be of one of them. */
function nameParties(
  value: string,
  authorities: readonly string[],
  all: readonly Fact[],
  names: Map<string, string>,
  visits: Map<string, string>,
): void {
  const parties: Party[] = [];
  for (const authority of authorities) {
    const own = all.filter(({ adt }) => isOf(adt.patient.recordNumber, adt.patient.recordAuthority, value, authority));
    const party: Party = { authorities: [authority], facts: own };
    const same = parties.filter((other) => isSame(party, other, value, all));
    for (const other of same) {
      party.authorities.push(...other.authorities);
      party.facts.push(...other.facts);
      parties.splice(parties.indexOf(other), 1);
    }
    parties.push(party);
  }
  // Whose number was written first keeps it as it is.
  parties.sort((a, b) => (firstOf(a) < firstOf(b) ? -1 : 1));
  for (const [index, party] of parties.entries()) {
    const name = index === 0 ? value : keyOf(value, party.authorities.sort()[0]);
    for (const authority of party.authorities) names.set(keyOf(value, authority), name);
    for (const visit of visitsOf(party))
      if (!visits.has(visitKey(value, visit))) visits.set(visitKey(value, visit), name);
  }
}

interface Party {
  authorities: string[];
  facts: Fact[];
}

const isOf = (number: string | null | undefined, of: string | undefined, value: string, authority: string): boolean =>
  number?.trim() === value && of?.trim().toUpperCase() === authority;

const visitKey = (value: string, visit: string): string => JSON.stringify([value, visit]);
const visitsOf = ({ facts }: Party): Set<string> =>
  new Set(facts.flatMap(({ adt }) => usableNumber(adt.visit?.visitNumber) ?? []));

/** In the order in which they were written: MSH-7, then content. */
function firstOf({ authorities, facts }: Party): string {
  const keys = facts.map(({ adt }) => `${adt.sentAt?.instant ?? ''} ${adt.contentHash}`).sort();
  return keys[0] ?? `~${authorities[0]}`;
}

function isSame(a: Party, b: Party, value: string, all: readonly Fact[]): boolean {
  const visits = visitsOf(b);
  if ([...visitsOf(a)].some((visit) => visits.has(visit)) || agrees(a, b)) return true;
  return all.some(
    ({ adt: { trigger, patient, merge } }) =>
      RECORD_MERGES.has(trigger) &&
      [
        [a, b],
        [b, a],
      ].some(
        ([from, into]) =>
          from?.authorities.some((each) => isOf(merge?.priorRecordNumber, merge?.priorRecordAuthority, value, each)) &&
          into?.authorities.some((each) => isOf(patient.recordNumber, patient.recordAuthority, value, each)),
      ),
  );
}

/** The same birth date and a name in common, or both names where a birth date is not told. */
function agrees(a: Party, b: Party): boolean {
  const [x, y] = [foldDemographics(a.facts).demographics, foldDemographics(b.facts).demographics];
  if (!x.name || !y.name) return false;
  const family = isSameText(x.name.family, y.name.family);
  const given = isSameText(x.name.given, y.name.given);
  if (!x.birthDate || !y.birthDate) return family && given;
  return x.birthDate === y.birthDate && (family || given);
}

const isSameText = (a: string, b: string): boolean =>
  a.trim() !== '' && a.trim().toUpperCase() === b.trim().toUpperCase();

/** A message that names no authority is of the patient who has its visit, else of the one who keeps the number as it is. */
function renamed(
  fact: Fact,
  nameOf: (value: string, authority?: string) => string,
  visits: ReadonlyMap<string, string>,
): Fact {
  const { patient, merge, visit } = fact.adt;
  const number = usableNumber(visit?.visitNumber);
  const byVisit =
    patient.recordAuthority === undefined && number !== null
      ? visits.get(visitKey(patient.recordNumber.trim(), number))
      : undefined;
  const recordNumber = byVisit ?? nameOf(patient.recordNumber, patient.recordAuthority);
  const prior = merge?.priorRecordNumber ?? null;
  const priorRecordNumber = prior === null ? null : nameOf(prior, merge?.priorRecordAuthority);
  if (recordNumber === patient.recordNumber && priorRecordNumber === prior) return fact;
  return {
    ...fact,
    adt: { ...fact.adt, patient: { ...patient, recordNumber }, merge: merge && { ...merge, priorRecordNumber } },
  };
}

/**
 * Separates patients who share a record number because two authorities (PID-3.4) number independently. Different authorities alone
 * don't prove that: a sender may write one authority in several ways, or change how it writes it. They count as one if they share a
 * visit number, if their demographics agree, or if a merge joins the number with itself.
 */

import type { Fact } from './fold-input.ts';
import { foldDemographics } from './folded-demographics.ts';
import { usableNumber } from './visit-identifiers.ts';
import { RECORD_MERGES } from './visit-triggers.ts';

export interface FactsByPatient {
  /** The facts, with a record number per patient: 'M100', and 'M100 (LAB)' for the patient of another authority. */
  facts: Fact[];
  /** Maps a record number, or one that this function returned before, to the current one. */
  nameOf(recordNumber: string): string;
}

/** `facts`: all facts of one facility in a dossier. */
export function separateAuthorities(facts: readonly Fact[]): FactsByPatient {
  const authorities = new Map<string, Set<string>>();
  for (const { adt } of facts) {
    addAuthority(authorities, adt.patient.recordNumber, adt.patient.recordAuthority);
    addAuthority(authorities, adt.merge?.priorRecordNumber, adt.merge?.priorRecordAuthority);
  }
  const shared = [...authorities].filter(([, ofNumber]) => ofNumber.size > 1);
  if (shared.length === 0) return { facts: [...facts], nameOf: (recordNumber) => recordNumber };
  const names: PatientNames = { byAuthority: new Map(), byVisit: new Map() };
  for (const [number, ofNumber] of shared) namePatients(number, [...ofNumber].sort(), facts, names);
  const nameOf: NameOf = (number, authority) =>
    names.byAuthority.get(keyOf(number, authority)) ?? names.byAuthority.get(number.trim()) ?? number;
  return { facts: facts.map((fact) => renumbered(fact, nameOf, names)), nameOf };
}

type NameOf = (number: string, authority?: string) => string;

/** The record numbers that patients get, by number and authority, and by number and visit for messages without an authority. */
interface PatientNames {
  byAuthority: Map<string, string>;
  byVisit: Map<string, string>;
}

const keyOf = (number: string, authority: string | undefined): string =>
  authority === undefined ? number.trim() : `${number.trim()} (${authority.trim().toUpperCase()})`;

function addAuthority(
  authorities: Map<string, Set<string>>,
  number: string | null | undefined,
  authority: string | undefined,
): void {
  if (!number || authority === undefined) return;
  const known = authorities.get(number.trim()) ?? new Set<string>();
  authorities.set(number.trim(), known.add(authority.trim().toUpperCase()));
}

/** A patient with one of the record numbers, under all spellings of the authority. */
interface Patient {
  authorities: string[];
  facts: Fact[];
}

function namePatients(
  number: string,
  authorities: readonly string[],
  all: readonly Fact[],
  { byAuthority, byVisit }: PatientNames,
): void {
  const patients = patientsWith(number, authorities, all);
  // The patient whose number was written first keeps it unchanged.
  patients.sort((a, b) => (firstWritten(a) < firstWritten(b) ? -1 : 1));
  for (const [index, patient] of patients.entries()) {
    const name = index === 0 ? number : keyOf(number, patient.authorities.sort()[0]);
    for (const authority of patient.authorities) byAuthority.set(keyOf(number, authority), name);
    for (const visit of visitsOf(patient)) {
      const key = visitKey(number, visit);
      if (!byVisit.has(key)) byVisit.set(key, name);
    }
  }
}

function patientsWith(number: string, authorities: readonly string[], all: readonly Fact[]): Patient[] {
  const patients: Patient[] = [];
  for (const authority of authorities) {
    const own = all.filter(({ adt }) => isOf(adt.patient.recordNumber, adt.patient.recordAuthority, number, authority));
    const patient: Patient = { authorities: [authority], facts: own };
    const same = patients.filter((other) => isSamePatient(patient, other, number, all));
    for (const other of same) {
      patient.authorities.push(...other.authorities);
      patient.facts.push(...other.facts);
      patients.splice(patients.indexOf(other), 1);
    }
    patients.push(patient);
  }
  return patients;
}

const isOf = (
  itsNumber: string | null | undefined,
  itsAuthority: string | undefined,
  number: string,
  authority: string,
): boolean => itsNumber?.trim() === number && itsAuthority?.trim().toUpperCase() === authority;

const visitKey = (number: string, visit: string): string => JSON.stringify([number, visit]);
const visitsOf = ({ facts }: Patient): Set<string> =>
  new Set(facts.flatMap(({ adt }) => usableNumber(adt.visit?.visitNumber) ?? []));

/** Sorts patients by their first message: MSH-7, then content. */
function firstWritten({ authorities, facts }: Patient): string {
  const keys = facts.map(({ adt }) => `${adt.sentAt?.instant ?? ''} ${adt.contentHash}`).sort();
  return keys[0] ?? `~${authorities[0]}`;
}

function isSamePatient(a: Patient, b: Patient, number: string, all: readonly Fact[]): boolean {
  const visits = visitsOf(b);
  if ([...visitsOf(a)].some((visit) => visits.has(visit)) || demographicsAgree(a, b)) return true;
  return all.some(
    ({ adt: { trigger, patient, merge } }) =>
      RECORD_MERGES.has(trigger) &&
      [
        [a, b],
        [b, a],
      ].some(
        ([from, into]) =>
          from?.authorities.some((each) => isOf(merge?.priorRecordNumber, merge?.priorRecordAuthority, number, each)) &&
          into?.authorities.some((each) => isOf(patient.recordNumber, patient.recordAuthority, number, each)),
      ),
  );
}

/** The same birth date and a name in common; if a birth date is missing, both names. */
function demographicsAgree(a: Patient, b: Patient): boolean {
  const [x, y] = [foldDemographics(a.facts).demographics, foldDemographics(b.facts).demographics];
  if (!x.name || !y.name) return false;
  const family = isSameText(x.name.family, y.name.family);
  const given = isSameText(x.name.given, y.name.given);
  if (!x.birthDate || !y.birthDate) return family && given;
  return x.birthDate === y.birthDate && (family || given);
}

const isSameText = (a: string, b: string): boolean =>
  a.trim() !== '' && a.trim().toUpperCase() === b.trim().toUpperCase();

/** A message without an authority belongs to the patient with its visit number, else to the one who keeps the number unchanged. */
function renumbered(fact: Fact, nameOf: NameOf, { byVisit }: PatientNames): Fact {
  const { patient, merge, visit } = fact.adt;
  const number = usableNumber(visit?.visitNumber);
  const nameByVisit =
    patient.recordAuthority === undefined && number !== null
      ? byVisit.get(visitKey(patient.recordNumber.trim(), number))
      : undefined;
  const recordNumber = nameByVisit ?? nameOf(patient.recordNumber, patient.recordAuthority);
  const prior = merge?.priorRecordNumber ?? null;
  const priorRecordNumber = prior === null ? null : nameOf(prior, merge?.priorRecordAuthority);
  if (recordNumber === patient.recordNumber && priorRecordNumber === prior) return fact;
  return {
    ...fact,
    adt: { ...fact.adt, patient: { ...patient, recordNumber }, merge: merge && { ...merge, priorRecordNumber } },
  };
}

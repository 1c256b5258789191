/** The header of a clinical document (CDA R2 4.2): what it is, who wrote it and when, about whom and which stay. */
import type { DocumentHeader } from '#contract/clinical-documents.ts';
import { at, attribute, child, children, textOf } from './elements.ts';
import { documentTypeName } from './loinc-names.ts';
import { codedOf, identifiersOf, nameOf, participantOf, periodOf, timeOf } from './values.ts';
import type { Element } from './xml-tree.ts';

const MOST_AUTHORS = 20;

/** Returns the header. What it lacks is null. */
export function readHeader(document: Element): DocumentHeader {
  const type = child(document, 'code');
  const typeCode = attribute(type, 'code') ?? null;
  const typeName = documentTypeName(typeCode) ?? codedOf(type).text;
  return {
    id: identifiersOf(document)[0] ?? null,
    title: textOf(child(document, 'title')) ?? typeName ?? 'Clinical document',
    typeCode,
    type: typeName,
    writtenAt: timeOf(child(document, 'effectiveTime')),
    confidentiality: attribute(child(document, 'confidentialityCode'), 'code') ?? null,
    authors: children(document, 'author')
      .slice(0, MOST_AUTHORS)
      .map((author) => ({
        ...participantOf(child(author, 'assignedAuthor'), 'representedOrganization'),
        at: timeOf(child(author, 'time')),
      })),
    custodian: nameOf(at(document, 'custodian', 'assignedCustodian', 'representedCustodianOrganization')),
    related: children(document, 'relatedDocument').flatMap((each) => {
      const [id] = identifiersOf(child(each, 'parentDocument'));
      return id ? [{ relation: attribute(each, 'typeCode')?.slice(0, 10) ?? '', id }] : [];
    }),
    patient: patientIn(document),
    encounter: encounterOf(document),
  };
}

const SEXES: Readonly<Record<string, 'Male' | 'Female' | 'Other' | 'Unknown'>> = {
  M: 'Male',
  F: 'Female',
  UN: 'Other',
  O: 'Other',
  UNK: 'Unknown',
  U: 'Unknown',
};

/** Returns the first patient, who may be named several times: once for each record number. */
function patientIn(document: Element): DocumentHeader['patient'] {
  const [first = patientOf(undefined), ...others] = children(document, 'recordTarget').map((each) =>
    patientOf(child(each, 'patientRole')),
  );
  const isSame = ({ name, birthDate }: typeof first) =>
    birthDate === first.birthDate && name?.family === first.name?.family && name?.given === first.name?.given;
  return others.every(isSame) ? first : { ...first, isOneOfSeveral: true };
}

function patientOf(role: Element | undefined): DocumentHeader['patient'] {
  const patient = child(role, 'patient');
  const birth = timeOf(child(patient, 'birthTime'));
  return {
    identifiers: identifiersOf(role),
    name: legalName(patient),
    birthDate: birth !== null && birth.length >= 10 ? birth.slice(0, 10) : null,
    sex: SEXES[attribute(child(patient, 'administrativeGenderCode'), 'code')?.toUpperCase() ?? ''] ?? null,
    address: addressOf(role),
    phones: children(role, 'telecom')
      .flatMap((each) => {
        const value = attribute(each, 'value') ?? '';
        const number = /^(?:tel:)?([+\d().\s-]{7,30})$/i.exec(value)?.[1]?.trim();
        return number ? [number] : [];
      })
      .slice(0, 10),
  };
}

/** Returns the name in use: the one marked as legal (use="L"), else the first. Its parts may be what someone was called before, or is by friends. */
function legalName(patient: Element | undefined): DocumentHeader['patient']['name'] {
  const names = children(patient, 'name');
  const name = names.find((each) => tokens(each, 'use').includes('L')) ?? names[0];
  const [family] = partsOf(name, 'family', 'BR');
  const [given, ...middle] = partsOf(name, 'given', 'CL');
  if (family === undefined && given === undefined) return null;
  return {
    family: family ?? '',
    given: given ?? '',
    middle: middle.join(' ') || null,
    suffix: textOf(child(name, 'suffix')) ?? null,
  };
}

const tokens = (element: Element, name: string): string[] => attribute(element, name)?.split(/\s+/) ?? [];

/** Returns the parts of a name without those of a qualifier (HL7 EntityNamePartQualifier: BR at birth, CL called), unless there are no others. */
function partsOf(name: Element | undefined, part: string, qualifier: string): string[] {
  const all = children(name, part);
  const own = all.filter((each) => !tokens(each, 'qualifier').includes(qualifier));
  return (own.length > 0 ? own : all).flatMap((each) => textOf(each) ?? []);
}

/** Returns the first address that says anything and isn't a former or wrong one (useablePeriod, use="BAD"). */
function addressOf(role: Element | undefined): DocumentHeader['patient']['address'] {
  const address = children(role, 'addr').find(
    (each) =>
      textOf(each) !== undefined &&
      !tokens(each, 'use').includes('BAD') &&
      timeOf(at(each, 'useablePeriod', 'high')) === null,
  );
  if (address === undefined) return null;
  const [line1 = null, line2 = null] = children(address, 'streetAddressLine').flatMap((each) => textOf(each) ?? []);
  const part = (name: string) => textOf(child(address, name)) ?? null;
  return { line1, line2, city: part('city'), state: part('state'), zip: part('postalCode') };
}

function encounterOf(document: Element): DocumentHeader['encounter'] {
  const encounter = at(document, 'componentOf', 'encompassingEncounter');
  if (encounter === undefined) return null;
  const facility = at(encounter, 'location', 'healthCareFacility');
  return {
    identifiers: identifiersOf(encounter),
    when: periodOf(child(encounter, 'effectiveTime')),
    place: nameOf(child(facility, 'location')) ?? nameOf(child(facility, 'serviceProviderOrganization')),
  };
}

/** Coding, CodeableConcept and Identifier (FHIR R4, 2.24.0). */
import type { Identifier } from '#server/intake/hl7/adt-facts.ts';
import { list, type Node, object, prose, text } from './json.ts';

interface Code {
  code: string;
  system: string;
}

/** Returns the codings of an element: a CodeableConcept, a Coding, or a list of either (R5 made Encounter.class such a list). */
const codingsOf = (node: Node | undefined, name: string): Node[] =>
  list(node, name).flatMap((each) => (Object.hasOwn(each, 'coding') ? list(each, 'coding') : [each]));

/** Returns the codes of an element, in order. */
export const codesOf = (node: Node | undefined, name: string): Code[] =>
  codingsOf(node, name).flatMap((coding) => {
    const code = text(coding, 'code');
    return code === undefined ? [] : [{ code, system: text(coding, 'system') ?? '' }];
  });

/** Returns the first code. */
export const codeOf = (node: Node | undefined, name: string): string | undefined => codesOf(node, name)[0]?.code;

/** Returns what an element is called: its text, else what a code of it is called. */
export const wordsOf = (node: Node | undefined, name: string): string | undefined =>
  list(node, name).flatMap((each) => prose(each, 'text') ?? [])[0] ??
  codingsOf(node, name).flatMap((coding) => prose(coding, 'display') ?? [])[0];

/** The types (HL7 table 0203) of identifiers whose system says what they are. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['http://hl7.org/fhir/sid/us-ssn', 'SS'],
  ['2.16.840.1.113883.4.1', 'SS'],
  ['http://hl7.org/fhir/sid/us-mbi', 'MC'],
  ['http://hl7.org/fhir/sid/us-medicare', 'MC'],
  ['http://hl7.org/fhir/sid/us-npi', 'NPI'],
  ['2.16.840.1.113883.4.6', 'NPI'],
]);

/** Returns the identifiers of an element that are in use. The authority is the system, an OID without its prefix, as HL7 v2 writes it; else the assigner. */
export const identifiersOf = (node: Node | undefined, name = 'identifier'): Identifier[] =>
  list(node, name).flatMap((each) => {
    const value = text(each, 'value');
    if (value === undefined || text(each, 'use') === 'old') return [];
    const system = text(each, 'system')?.replace(/^urn:oid:/i, '');
    const authority = system ?? text(object(each, 'assigner'), 'display') ?? null;
    return [{ value, authority, type: TYPES.get(system ?? '') ?? codeOf(each, 'type') ?? null }];
  });

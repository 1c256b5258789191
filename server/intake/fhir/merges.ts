/** Which record numbers a message merges: Patient.link, and Linkage, by which converters of HL7 v2 write MRG (FHIR R4). */
import type { Identifier, MergeFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Bundle, Resource } from './bundle.ts';
import { identifiersOf } from './codes.ts';
import { list, type Node, object, text } from './json.ts';

/** A record that is merged into another one. A record is a Patient, or only its identifiers. */
export interface Merged {
  survivor: { patient: Resource | undefined; identifiers: Identifier[] };
  prior: Identifier[];
}

export const mergesOf = (bundle: Bundle): Merged[] => [
  ...bundle.resources.filter(({ type }) => type === 'Patient').flatMap((patient) => linksOf(bundle, patient)),
  ...bundle.resources.filter(({ type }) => type === 'Linkage').flatMap((linkage) => linkedBy(bundle, linkage)),
];

function linksOf(bundle: Bundle, patient: Resource): Merged[] {
  const own = { patient, identifiers: identifiersOf(patient.node) };
  return list(patient.node, 'link').flatMap((link) => {
    const other = recordAt(bundle, patient, link, 'other');
    const type = text(link, 'type');
    if (type === 'replaces') return [{ survivor: own, prior: other.identifiers }];
    return type === 'replaced-by' ? [{ survivor: other, prior: own.identifiers }] : [];
  });
}

/** Each source is followed by the records that it replaces. */
function linkedBy(bundle: Bundle, linkage: Resource): Merged[] {
  const merged: Merged[] = [];
  let survivor: Merged['survivor'] | undefined;
  for (const item of list(linkage.node, 'item')) {
    const record = recordAt(bundle, linkage, item, 'resource');
    if (text(item, 'type') === 'source') survivor = record;
    else if (text(item, 'type') === 'historical' && survivor) merged.push({ survivor, prior: record.identifiers });
  }
  return merged;
}

function recordAt(bundle: Bundle, from: Resource, node: Node, name: string): Merged['survivor'] {
  const [patient] = bundle.follow(from, name, node).filter(({ type }) => type === 'Patient');
  return { patient, identifiers: [...identifiersOf(patient?.node), ...identifiersOf(object(node, name))] };
}

/** Returns the merge as HL7 v2 has it in MRG. */
export const mergeFactsOf = ({ value, authority }: Identifier): MergeFacts => ({
  priorRecordNumber: value,
  ...(authority !== null && { priorRecordAuthority: authority }),
  priorAccountNumber: null,
  priorVisitNumber: null,
});

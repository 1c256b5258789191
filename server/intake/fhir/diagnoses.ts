/** Conditions of an Encounter → diagnoses (FHIR R4, 8.11 and 9.2). */
import type { Diagnosis } from '#server/intake/hl7/adt-facts.ts';
import type { Bundle, Resource } from './bundle.ts';
import { codesOf, wordsOf } from './codes.ts';
import { list, type Node, property } from './json.ts';
import { MOST_REPETITIONS } from './limits.ts';

/** Returns the diagnoses that the Encounter names, and those that name the Encounter; undefined if there are none. */
export function readDiagnoses(bundle: Bundle, encounter: Resource): Diagnosis[] | undefined {
  const named = list(encounter.node, 'diagnosis').flatMap((element) =>
    bundle.follow(encounter, 'condition', element).map((condition) => ({ element, condition })),
  );
  // R5: the condition is a CodeableReference, which may hold the code itself.
  const inside = list(encounter.node, 'diagnosis').flatMap((element) =>
    list(element, 'condition').flatMap((condition) => {
      const inner = bundle.follow(encounter, 'reference', condition).map((found) => ({ element, condition: found }));
      const concept = { ...encounter, type: 'Condition', node: { code: property(condition, 'concept') } };
      return inner.length > 0 || property(condition, 'concept') === undefined
        ? inner
        : [{ element, condition: concept }];
    }),
  );
  const known = new Set([...named, ...inside].map(({ condition }) => condition));
  const own = bundle.resources
    .filter((each) => each.type === 'Condition' && !known.has(each) && isOf(bundle, each, encounter))
    .map((condition) => ({ element: undefined, condition }));
  const diagnoses = [...named, ...inside, ...own].flatMap(
    ({ element, condition }) => diagnosisOf(condition.node, element) ?? [],
  );
  return diagnoses.length > 0 ? diagnoses.slice(0, MOST_REPETITIONS) : undefined;
}

/** R4 has `encounter`, STU3 had `context`. */
const isOf = (bundle: Bundle, condition: Resource, { node }: Resource): boolean =>
  ['encounter', 'context'].some((name) => bundle.follow(condition, name).some((each) => each.node === node));

const ICD_10_CM = 'http://hl7.org/fhir/sid/icd-10-cm';
/** What HL7 v2 calls code systems (table 0396): the rules about diagnoses know them by these names. */
const SYSTEMS: ReadonlyMap<string, string> = new Map([
  [ICD_10_CM, 'I10C'],
  ['http://hl7.org/fhir/sid/icd-10', 'I10'],
  ['http://hl7.org/fhir/sid/icd-9-cm', 'I9C'],
  ['http://snomed.info/sct', 'SCT'],
]);

/** Statuses of a Condition that isn't true. */
const NOT_TRUE = new Set(['entered-in-error', 'refuted']);

function diagnosisOf(condition: Node, element: Node | undefined): Diagnosis | null {
  if (codesOf(condition, 'verificationStatus').some(({ code }) => NOT_TRUE.has(code))) return null;
  const codes = codesOf(condition, 'code');
  const { code = '', system = '' } = codes.find((each) => each.system === ICD_10_CM) ?? codes[0] ?? {};
  const description = wordsOf(condition, 'code') ?? null;
  if (code === '' && description === null) return null;
  const rank = property(element, 'rank');
  return {
    code,
    description,
    type: typeOf(element),
    priority: typeof rank === 'number' && Number.isInteger(rank) && rank > 0 && rank < 1000 ? rank : null,
    codeSystem: (SYSTEMS.get(system) ?? system) || null,
  };
}

/** Value set diagnosis-role (R4: `use`, STU3: `role`) → DG1-6. */
function typeOf(element: Node | undefined): Diagnosis['type'] {
  const roles = [...codesOf(element, 'use'), ...codesOf(element, 'role')].map(({ code }) => code.toUpperCase());
  if (roles.includes('DD') || roles.includes('BILLING')) return 'F';
  return roles.includes('AD') ? 'A' : null;
}

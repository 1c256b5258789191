/** Coverage → payers and numbers of members (FHIR R4, 13.1). */
import type { Identifier, Payer } from '#server/intake/hl7/adt-facts.ts';
import { isSocialSecurityNumber } from '#server/intake/hl7/identifiers.ts';
import type { Bundle, Resource } from './bundle.ts';
import { codeOf, identifiersOf, wordsOf } from './codes.ts';
import { list, type Node, object, property, text } from './json.ts';
import { MOST_REPETITIONS } from './limits.ts';

/** Statuses of a Coverage that isn't in force. */
const NOT_IN_FORCE = new Set(['cancelled', 'draft', 'entered-in-error']);

/** Returns the payers of a patient in their order, and the members' numbers with whom issued them. Undefined payers: the message says nothing. */
export function readCoverage(
  bundle: Bundle,
  patient: Resource,
): { payers: Payer[] | undefined; memberIds: Identifier[] } {
  const coverages = bundle.resources
    .filter((each) => each.type === 'Coverage' && isOf(bundle, each, patient))
    .filter(({ node }) => !NOT_IN_FORCE.has(text(node, 'status') ?? ''))
    .toSorted((a, b) => orderOf(a.node) - orderOf(b.node))
    .slice(0, MOST_REPETITIONS);
  const read = coverages.map((coverage) => payerOf(bundle, coverage));
  return {
    payers: read.length > 0 ? read : undefined,
    memberIds: read.flatMap(({ memberId, code, company }) =>
      memberId === null ? [] : [{ value: memberId, authority: code ?? company, type: 'MB' }],
    ),
  };
}

/** One without a beneficiary is the only patient's. */
function isOf(bundle: Bundle, coverage: Resource, patient: Resource): boolean {
  if (object(coverage.node, 'beneficiary') === undefined) return true;
  return bundle.follow(coverage, 'beneficiary').some(({ node }) => node === patient.node);
}

const orderOf = (coverage: Node): number => {
  const order = property(coverage, 'order');
  return typeof order === 'number' ? order : 1000;
};

function payerOf(bundle: Bundle, coverage: Resource): Payer {
  const { node } = coverage;
  const element = object(node, 'insurer') ? 'insurer' : 'payor';
  const [payer] = bundle.follow(coverage, element);
  const reference = object(node, element);
  const plan = list(node, 'class').find((each) => codeOf(each, 'type') === 'plan');
  const planCode = text(plan, 'value');
  const type = codeOf(node, 'type');
  return {
    code: identifiersOf(payer?.node)[0]?.value ?? identifiersOf(reference)[0]?.value ?? null,
    company: text(payer?.node, 'name') ?? text(reference, 'display') ?? null,
    plan: text(plan, 'name') ?? wordsOf(node, 'type') ?? null,
    memberId: memberIdOf(node),
    ...(planCode && { planCode }),
    ...(type && { type }),
  };
}

/** R4 has a text, R5 identifiers; else an identifier of the Coverage that says that it is a member's. */
function memberIdOf(coverage: Node): string | null {
  const sent = text(coverage, 'subscriberId');
  const identifiers = [
    ...(sent === undefined ? identifiersOf(coverage, 'subscriberId') : [{ value: sent, authority: null, type: 'MB' }]),
    ...identifiersOf(coverage).filter(({ type }) => type === 'MB'),
  ];
  return identifiers.find((id) => !isSocialSecurityNumber(id, new Set()))?.value ?? null;
}

/** The coded entries of a section (C-CDA R2.1), each as the statements that it makes. */
import type { CodedEntry, EntryKind } from '#contract/clinical-documents.ts';
import { at, attribute, child, children } from './elements.ts';
import { interpretationOf, referenceRangeOf } from './interpretations.ts';
import { asNeededOf, doseOf, frequencyOf, productOf, statusOfMedication } from './medication-values.ts';
import { missingIn } from './null-flavors.ts';
import { negatedName, observedInWords, STATUS_CODES, statusOf } from './statuses.ts';
import {
  codedOf,
  nameOf,
  periodOf,
  quantityOf,
  type Referenced,
  referencedText,
  substanceOf,
  valueOf,
  wordsOf,
} from './values.ts';
import { wrappedKind } from './wrapped-acts.ts';
import type { Element } from './xml-tree.ts';

/** What is needed to read an entry: what its section is about, and the narrative that it refers to. */
export interface EntryContext {
  kind: EntryKind;
  referenced: Referenced;
}

/** Returns the statements of one `entry`; none if nothing in it is understood. */
export function readEntry(entry: Element, context: EntryContext): CodedEntry[] {
  const read = children(entry).flatMap((statement) => readStatement(statement, context, null));
  // What is not so is neither active nor completed.
  return read.map((each) => (each.isNegated ? { ...each, status: null } : each));
}

function readStatement(statement: Element, context: EntryContext, panel: string | null): CodedEntry[] {
  switch (statement.name) {
    case 'organizer':
      return organizer(statement, context);
    case 'act':
      return wrapped(statement, context) ?? concern(statement, context) ?? [simple(statement, context, panel)];
    case 'observation':
      return [observation(statement, context, panel)];
    case 'substanceAdministration':
      return [substance(statement, context)];
    case 'procedure':
    case 'encounter':
    case 'supply':
      return [simple(statement, context, panel)];
    default:
      return [];
  }
}

/** A panel of results, a set of vital signs, or what a relative has had. */
function organizer(element: Element, context: EntryContext): CodedEntry[] {
  const { text } = codedOf(child(element, 'code'), context.referenced);
  const relative = codedOf(at(element, 'subject', 'relatedSubject', 'code'), context.referenced).text;
  const panel = context.kind === 'result' ? text : relative;
  return children(element, 'component').flatMap((component) =>
    children(component).flatMap((statement) => readStatement(statement, context, panel)),
  );
}

/** The diagnoses or medications in an act that only says what they are; null for another act, and for one with nothing in it. */
function wrapped(act: Element, context: EntryContext): CodedEntry[] | null {
  const kind = wrappedKind(act);
  if (kind === null) return null;
  const within = { ...context, kind };
  if (kind === 'problem') return concern(act, within);
  const found = children(act, 'entryRelationship').flatMap((each) => children(each, 'substanceAdministration'));
  return found.length === 0 ? null : found.map((each) => substance(each, within));
}

/** Observations about a concern (LOINC, HL7): its severity, criticality, status, priority. */
const ABOUT_CONCERNS: ReadonlySet<string> = new Set(['SEV', '82606-5', '33999-4', '225773000']);

/** A problem or allergy concern: its observations, with the status of the concern. Null for another act. */
function concern(act: Element, context: EntryContext): CodedEntry[] | null {
  if (context.kind !== 'allergy' && context.kind !== 'problem') return null;
  const observations = children(act, 'entryRelationship')
    .flatMap((each) => children(each, 'observation'))
    .filter((each) => !ABOUT_CONCERNS.has(attribute(child(each, 'code'), 'code') ?? ''));
  if (observations.length === 0) return null;
  const status = STATUS_CODES[attribute(child(act, 'statusCode'), 'code')?.toLowerCase() ?? ''] ?? null;
  return observations.map((each) => {
    const read = observation(each, context, null);
    return { ...read, status: statusWithin(each, context.referenced) ?? status ?? read.status };
  });
}

function observation(element: Element, context: EntryContext, panel: string | null): CodedEntry {
  const { kind } = context;
  if (kind === 'allergy') return allergy(element, context);
  if (kind === 'problem') return problem(element, context);
  const { referenced } = context;
  const base = entryOf(element, context, panel);
  const value =
    children(element, 'value')
      .flatMap((each) => valueOf(each, referenced) ?? [])
      .join(', ') || null;
  if (base.isNegated) {
    // The whole statement is: a name and a value side by side would say the opposite.
    const stated = [base.name, value].filter((each) => each !== null).join(': ') || null;
    const { code } = codedOf(child(element, 'value'), referenced);
    return { ...base, name: negatedName('finding', stated, code?.code), missing: null };
  }
  // 'ASSERTION' is no question with a value: the value is what the author states.
  if (base.code?.code === 'ASSERTION') {
    const { code, missing } = codedOf(child(element, 'value'), referenced);
    return { ...base, name: value, code, missing: value === null ? (base.missing ?? missing) : null };
  }
  return {
    ...base,
    value,
    missing: base.missing ?? (value === null ? missingIn(child(element, 'value')) : null),
    interpretation: interpretationOf(child(element, 'interpretationCode'), referenced),
    referenceRange: referenceRangeOf(element, referenced),
  };
}

function allergy(element: Element, context: EntryContext): CodedEntry {
  const { referenced } = context;
  const base = entryOf(element, context, null);
  const substances = children(element, 'participant').map((each) => at(each, 'participantRole', 'playingEntity'));
  const entity = substances.find((each) => child(each, 'code') !== undefined) ?? substances.find(Boolean);
  const what = substanceOf(entity, referenced);
  const type = codedOf(child(element, 'value'), referenced);
  const named = what.text;
  const about = named === null ? type : what;
  return {
    ...base,
    name: base.isNegated
      ? negatedName('allergy', named ?? type.text, type.code?.code)
      : (named ?? type.text ?? base.name),
    code: about.code,
    missing: base.isNegated || named !== null ? null : (what.missing ?? base.missing),
    status: ofObserved(base),
    details: [
      ...labeled('Type', named === null || base.isNegated ? null : type.text),
      ...reactionsOf(element, referenced),
    ],
  };
}

/** Reactions with their severity (typeCode MFST), and the severity or criticality of the allergy itself. */
function reactionsOf(element: Element, referenced: Referenced): CodedEntry['details'] {
  return children(element, 'entryRelationship').flatMap((relation) => {
    const found = child(relation, 'observation');
    const value =
      valueOf(child(found, 'value'), referenced) ?? referencedText(child(found, 'text'), referenced) ?? null;
    const code = attribute(child(found, 'code'), 'code');
    if (attribute(relation, 'typeCode') === 'MFST') {
      const severity = children(found, 'entryRelationship').flatMap(
        (each) => valueOf(at(each, 'observation', 'value'), referenced) ?? [],
      );
      return labeled('Reaction', value === null ? null : [value, ...severity.slice(0, 1)].join(', '));
    }
    if (code === 'SEV') return labeled('Severity', value);
    return code === '82606-5' ? labeled('Criticality', value) : [];
  });
}

function problem(element: Element, context: EntryContext): CodedEntry {
  const { referenced } = context;
  const base = entryOf(element, context, null);
  const value = child(element, 'value');
  const what = codedOf(value, referenced);
  const name = wordsOf(what) ?? referencedText(child(element, 'text'), referenced) ?? what.text;
  return {
    ...base,
    name: base.isNegated ? negatedName('problem', name, what.code?.code) : name,
    code: what.code,
    missing: base.isNegated || name !== null ? null : (what.missing ?? base.missing),
    status: ofObserved(base),
  };
}

/** All observations of problems and allergies are completed, whatever became of what they observe. */
const ofObserved = ({ status }: CodedEntry): string | null => (status === 'Completed' ? null : status);

function substance(element: Element, context: EntryContext): CodedEntry {
  const { referenced } = context;
  const base = entryOf(element, context, null);
  const product = productOf(element, referenced);
  const name = product.text ?? referencedText(child(element, 'text'), referenced) ?? null;
  const isVaccine = context.kind === 'immunization';
  const kind = context.kind === 'other' ? 'medication' : context.kind;
  const reasons = children(element, 'entryRelationship').flatMap((each) =>
    attribute(each, 'typeCode') === 'RSON'
      ? (valueOf(at(each, 'observation', 'value'), referenced) ??
        codedOf(at(each, 'observation', 'code'), referenced).text ??
        [])
      : [],
  );
  return {
    ...base,
    kind,
    status:
      kind === 'medication' ? statusOfMedication(element, base.status, context.kind === 'medication') : base.status,
    name: base.isNegated ? negatedName(isVaccine ? 'immunization' : 'medication', name, product.code?.code) : name,
    code: product.code,
    missing: base.isNegated || name !== null ? null : (product.missing ?? base.missing),
    value:
      [
        doseOf(element, referenced),
        quantityOf(child(element, 'rateQuantity')),
        codedOf(child(element, 'routeCode'), referenced).text,
        frequencyOf(element),
        asNeededOf(element, referenced),
      ]
        .filter(Boolean)
        .join(', ') || null,
    details: [
      ...labeled('Reason', reasons[0] ?? null),
      ...labeled('Lot', attribute(child(product.material, 'lotNumberText'), 'value') ?? null),
    ],
  };
}

/** A procedure, encounter, supply or act: what, when, where. */
function simple(element: Element, context: EntryContext, panel: string | null): CodedEntry {
  const { referenced } = context;
  const base = entryOf(element, context, panel);
  const places = children(element, 'participant').flatMap(
    (each) => nameOf(at(each, 'participantRole', 'playingEntity')) ?? [],
  );
  const diagnoses = context.kind === 'encounter' ? diagnosesOf(element, referenced) : [];
  const name = base.name ?? productOf(element, referenced).text;
  return {
    ...base,
    name: base.isNegated ? negatedName('act', name, undefined) : name,
    missing: name === null && !base.isNegated ? base.missing : null,
    details: [...labeled('Place', places[0] ?? null), ...diagnoses],
  };
}

function diagnosesOf(element: Element, referenced: Referenced): CodedEntry['details'] {
  return children(element, 'entryRelationship').flatMap((relation) => {
    const observations = [child(relation, 'observation'), at(relation, 'act', 'entryRelationship', 'observation')];
    return observations.flatMap((each) => labeled('Diagnosis', valueOf(child(each, 'value'), referenced)));
  });
}

/** What all statements have: code, time, status, negation. */
function entryOf(element: Element, { kind, referenced }: EntryContext, panel: string | null): CodedEntry {
  const what = codedOf(child(element, 'code'), referenced);
  const name = what.text ?? referencedText(child(element, 'text'), referenced) ?? null;
  const isNegated = attribute(element, 'negationInd')?.toLowerCase() === 'true';
  return {
    kind,
    name,
    code: what.code,
    isNegated,
    missing: missingIn(element) ?? (name === null ? what.missing : null),
    status: statusWithin(element, referenced) ?? statusOf(element),
    when: whenOf(element),
    value: null,
    interpretation: null,
    referenceRange: null,
    details: [],
    panel,
  };
}

/** Returns the first effectiveTime that names a time; those of a medication may also say how often. */
function whenOf(element: Element): CodedEntry['when'] {
  for (const each of children(element, 'effectiveTime')) {
    const period = periodOf(each);
    if (period !== null) return period;
  }
  return null;
}

/** Returns the status that an observation of a status (LOINC 33999-4) within the statement names. */
function statusWithin(element: Element, referenced: Referenced): string | null {
  for (const each of children(element, 'entryRelationship')) {
    const found = child(each, 'observation');
    if (attribute(child(found, 'code'), 'code') === '33999-4')
      return observedInWords(valueOf(child(found, 'value'), referenced));
  }
  return null;
}

const labeled = (label: string, text: string | null): CodedEntry['details'] => (text === null ? [] : [{ label, text }]);

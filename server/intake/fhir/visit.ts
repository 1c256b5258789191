/** Encounter, and what it refers to → facts about a visit (FHIR R4, 8.11). */
import type { Setting } from '#contract/event-codes.ts';
import type { FeedSettings } from '#contract/feed-settings.ts';
import type { Moment, Provider, VisitFacts } from '#server/intake/hl7/adt-facts.ts';
import { statusOfDisposition } from '#server/intake/hl7/dispositions.ts';
import { isSocialSecurityNumber } from '#server/intake/hl7/identifiers.ts';
import { settingOf } from '#server/intake/hl7/visit-setting.ts';
import type { Bundle, Resource } from './bundle.ts';
import { codeOf, codesOf, identifiersOf, wordsOf } from './codes.ts';
import { readDiagnoses } from './diagnoses.ts';
import { list, type Node, object, text, texts } from './json.ts';
import { MOST_GATHERED } from './limits.ts';
import { locationOf, type placesOf, unitOf } from './places.ts';
import { type FhirContext, momentAt, startOf } from './times.ts';
import { hasEnded } from './trigger.ts';

/** HL7 v3 ActCode (ActEncounterCode) → setting. A class that a feed's class map names has the setting of the map. */
const SETTINGS: Readonly<Record<string, Setting>> = {
  IMP: 'INPATIENT',
  ACUTE: 'INPATIENT',
  NONAC: 'INPATIENT',
  OBSENC: 'OBSERVATION',
  EMER: 'EMERGENCY',
  AMB: 'OUTPATIENT',
  SS: 'OUTPATIENT',
  VR: 'OUTPATIENT',
  FLD: 'OUTPATIENT',
  HH: 'HHA',
};

/** What a visit is read from. */
interface VisitSource {
  bundle: Bundle;
  encounter: Resource;
  trigger: string;
  places: ReturnType<typeof placesOf>;
  facilityNames: readonly string[];
}

export function readVisit(
  source: VisitSource,
  settings: FeedSettings,
  context: FhirContext,
): Omit<VisitFacts, 'payers'> {
  const { bundle, encounter, trigger, places, facilityNames } = source;
  const { node } = encounter;
  const period = object(node, 'period') ?? object(node, 'actualPeriod');
  const stay = object(node, 'hospitalization') ?? object(node, 'admission');
  const classCode = classOf(node);
  const planned = momentAt(node, 'plannedStartDate', 'Encounter.plannedStartDate', context);
  const isOver = hasEnded(trigger, node);
  return {
    ...numbersOf(bundle, encounter),
    admittedAt: momentAt(period, 'start', 'Encounter.period.start', context) ?? planned,
    dischargedAt: isOver ? momentAt(period, 'end', 'Encounter.period.end', context) : undefined,
    setting: readSetting(source, classCode, settings, context),
    classCode,
    hospitalService: codeOf(node, 'serviceType'),
    patientType: codeOf(node, 'type'),
    location: places.now && locationOf(places.now, facilityNames, settings),
    priorLocation: places.before && locationOf(places.before, facilityNames, settings),
    attending: readAttending(bundle, encounter),
    admitSource: readAdmitSource(stay),
    disposition: readDisposition(stay, settings, context),
    dischargedTo: readDestination(bundle, encounter, stay),
    admissionType: codeOf(node, 'priority'),
    admitReason: wordsOf(node, 'reasonCode') ?? list(node, 'reason').flatMap(reasonIn)[0],
    expectedDischargeAt: momentAt(node, 'plannedEndDate', 'Encounter.plannedEndDate', context),
    diagnoses: readDiagnoses(bundle, encounter),
  };
}

/** R5: a reason has a value, each a CodeableReference. STU3: a reason is a CodeableConcept, as `reasonCode` is in R4. */
const reasonIn = (reason: Node): string[] => {
  const words =
    wordsOf({ reason }, 'reason') ?? list(reason, 'value').flatMap((value) => wordsOf(value, 'concept') ?? [])[0];
  return words === undefined ? [] : [words];
};

/** Numbers of the visit and of its account, by their types (HL7 table 0203). A server's own id is one that it keeps for the visit. */
function numbersOf(bundle: Bundle, encounter: Resource): Pick<VisitFacts, 'visitNumber' | 'accountNumber'> {
  const identifiers = identifiersOf(encounter.node).filter(
    (id) => !isSocialSecurityNumber(id, new Set()) && id.type !== 'MR',
  );
  const account = identifiers.find(({ type }) => type === 'AN');
  const visit = identifiers.find(({ type }) => type === 'VN') ?? identifiers.find((id) => id !== account);
  const [accounts] = bundle.follow(encounter, 'account').map(({ node }) => identifiersOf(node)[0]);
  const isKept = /^https?:/.test(encounter.fullUrl);
  return {
    visitNumber: visit?.value ?? (account === undefined && isKept ? text(encounter.node, 'id') : undefined),
    accountNumber: (account ?? accounts)?.value,
  };
}

/** Returns the class as sent. That of a planned visit is P, by which HL7 v2 knows it (table 0004). */
function classOf(encounter: Node): string | undefined {
  const codes = codesOf(encounter, 'class').map(({ code }) => code);
  const known = codes.find((code) => Object.hasOwn(SETTINGS, code.toUpperCase()));
  const code = known ?? codes[0];
  return code?.toUpperCase() === 'PRENC' ? 'P' : code;
}

function readSetting(
  { encounter, trigger, places }: VisitSource,
  classCode: string | undefined,
  settings: FeedSettings,
  { warn }: FhirContext,
): Setting | undefined {
  const upper = (code: string | undefined) => code?.toUpperCase();
  const sent = {
    trigger,
    unit: unitOf(places.now),
    patientClass: upper(classCode),
    hospitalService: upper(codeOf(encounter.node, 'serviceType')),
    patientType: upper(codeOf(encounter.node, 'type')),
  };
  return settingOf(sent, settings, (patientClass) => {
    const known = Object.hasOwn(SETTINGS, patientClass) ? SETTINGS[patientClass] : undefined;
    if (known === undefined)
      warn("Encounter.class has no setting, and isn't in the feed's class map (setting unknown)");
    return known ?? 'UNKNOWN';
  });
}

/** Returns when the class that the Encounter has now began, if its history says so: when an ED patient became an inpatient. */
export function classSince(encounter: Node, context: FhirContext): Moment | undefined {
  const now = codeOf(encounter, 'class');
  const history = list(encounter, 'classHistory', MOST_GATHERED);
  const current = history.findLast(
    (each) => codeOf(each, 'class') === now && text(object(each, 'period'), 'end') === undefined,
  );
  return history.length < 2 ? undefined : startOf(current, 'Encounter.classHistory', context);
}

/** Returns the attending doctor (ATND), else who mainly performs (PPRF), else the first participant without a role. */
function readAttending(bundle: Bundle, encounter: Resource): Provider | undefined {
  const all = list(encounter.node, 'participant', MOST_GATHERED);
  const present = all.filter((each) => text(object(each, 'period'), 'end') === undefined);
  const participants = present.length > 0 ? present : all;
  const withRole = (role: string) =>
    participants.find((each) => codesOf(each, 'type').some(({ code }) => code.toUpperCase() === role));
  const chosen =
    withRole('ATND') ?? withRole('PPRF') ?? participants.find((each) => codesOf(each, 'type').length === 0);
  if (chosen === undefined) return undefined;
  const element = object(chosen, 'individual') ? 'individual' : 'actor';
  const [found] = bundle.follow(encounter, element, chosen);
  const [doctor = found] = found?.type === 'PractitionerRole' ? bundle.follow(found, 'practitioner') : [];
  return providerOf(doctor?.node, object(chosen, element));
}

function providerOf(practitioner: Node | undefined, reference: Node | undefined): Provider | undefined {
  const identifiers = [...identifiersOf(practitioner), ...identifiersOf(reference)];
  const npi = identifiers.find(({ type, value }) => type === 'NPI' && /^\d{10}$/.test(value));
  const name = list(practitioner, 'name').find((each) => text(each, 'use') !== 'old');
  const family = text(name, 'family') ?? text(name, 'text') ?? text(reference, 'display') ?? '';
  const [given = ''] = texts(name, 'given');
  if (family === '' && identifiers.length === 0) return undefined;
  return { npi: npi?.value ?? null, localId: identifiers.find((id) => id !== npi)?.value ?? null, family, given };
}

/** Value set encounter-admit-source → UB-04 point of origin, as HL7 v2 has it in PV1-14. The others have no such code. */
const ADMIT_SOURCES: Readonly<Record<string, string>> = {
  'hosp-trans': '4',
  emd: '7',
  outp: '2',
  nursing: '5',
  rehab: '6',
};

function readAdmitSource(stay: Node | undefined): string | undefined {
  const codes = codesOf(stay, 'admitSource').map(({ code }) => code);
  const known = codes.find((code) => Object.hasOwn(ADMIT_SOURCES, code.toLowerCase()));
  return known === undefined ? (wordsOf(stay, 'admitSource') ?? codes[0]) : ADMIT_SOURCES[known.toLowerCase()];
}

/**
 * Value set discharge-disposition → UB-04 patient discharge status. `hosp` (hospice, 50 or 51) and `oth` have none, and are shown in the
 * sender's words.
 */
const DISPOSITIONS: Readonly<Record<string, string>> = {
  home: '01',
  'alt-home': '01',
  'other-hcf': '70',
  long: '04',
  aadvice: '07',
  exp: '20',
  psy: '65',
  rehab: '62',
  snf: '03',
};
const DISPOSITION_SYSTEM = /^https?:\/\/(?:terminology\.)?hl7\.org\/.*discharge-disposition$/;

/** Returns a code, or the text as sent if its meaning is unknown. The feed's map decides first. */
function readDisposition(
  stay: Node | undefined,
  { dispositionMap }: FeedSettings,
  { warn }: FhirContext,
): string | undefined {
  const codes = codesOf(stay, 'dischargeDisposition');
  const words = wordsOf(stay, 'dischargeDisposition');
  const sent = [...codes.map(({ code }) => code), ...(words === undefined ? [] : [words])];
  if (sent.length === 0) return undefined;
  const mapped = codes.map(({ code }) => code.toUpperCase()).find((code) => Object.hasOwn(dispositionMap, code));
  if (mapped !== undefined) return dispositionMap[mapped];
  const standard = codes.find(
    ({ code, system }) => DISPOSITION_SYSTEM.test(system) && Object.hasOwn(DISPOSITIONS, code),
  );
  if (standard !== undefined) return DISPOSITIONS[standard.code];
  const status = sent.map((each) => statusOfDisposition(each, dispositionMap)).find((found) => found !== null);
  if (status === undefined) warn('Encounter.hospitalization.dischargeDisposition has no UB-04 code (shown as sent)');
  return status ?? words ?? sent[0];
}

function readDestination(bundle: Bundle, encounter: Resource, stay: Node | undefined): string | undefined {
  const [place] = bundle.follow(encounter, 'destination', stay);
  return text(place?.node, 'name') ?? text(object(stay, 'destination'), 'display');
}

/** Reads PV1, PV2, DG1, DRG, IN1 and PID-18 into facts about a visit (HL7 v2.5.1, 3.4.3, 3.4.4 and 6.5). */
import type { Setting } from '#contract/event-codes.ts';
import type { FeedSettings } from '#contract/feed-settings.ts';
import type { Diagnosis, Location, Payer, Provider, VisitFacts } from './adt-facts.ts';
import { readDisposition } from './dispositions.ts';
import {
  designatorOf,
  isDeleted,
  momentOf,
  type ReadingContext,
  textOf,
  type Update,
  valueOf,
} from './field-values.ts';
import { isSocialSecurityNumber, readIdentifiers, readMemberIds } from './identifiers.ts';
import type { Segment } from './message.ts';
import { settingOf } from './visit-setting.ts';

/** The segments of one patient's visit in a message. */
export interface VisitSegments {
  pid: Segment;
  /** The Social Security numbers in PID (`knownSsns`). */
  ssns: ReadonlySet<string>;
  pv1: Segment | undefined;
  pv2: Segment | undefined;
  dg1: readonly Segment[];
  drg: Segment | undefined;
  in1: readonly Segment[];
}

/** Returns null if the message has neither PV1 nor an account number, hence no visit. */
export function readVisit(
  trigger: string,
  segments: VisitSegments,
  settings: FeedSettings,
  context: ReadingContext,
): VisitFacts | null {
  const { pid, ssns, pv2, dg1, drg, in1 } = segments;
  const number = (segment: Segment, field: number) => visitIdentifier(segment, field, ssns, context);
  const accountNumber = number(pid, 18);
  const pv1 = segments.pv1 !== undefined && !isPlaceholderSegment(segments.pv1) ? segments.pv1 : undefined;
  if (pv1 === undefined) return accountNumber === undefined ? null : { accountNumber };
  return {
    visitNumber: number(pv1, 19),
    accountNumber,
    alternateVisitId: number(pv1, 50),
    admittedAt: momentOf(pv1, 44, context),
    dischargedAt: momentOf(pv1, 45, context),
    setting: readSetting(trigger, pv1, settings, context),
    classCode: textOf(pv1, 2) ?? undefined,
    hospitalService: textOf(pv1, 10) ?? undefined,
    patientType: textOf(pv1, 18) ?? undefined,
    servicingFacility: designatorOf(pv1, 39) ?? undefined,
    location: readLocation(pv1, 3, settings),
    priorLocation: readLocation(pv1, 6, settings),
    attending: readProvider(pv1, 7),
    admitSource: textOf(pv1, 14),
    disposition: readDisposition(pv1, settings, context),
    dischargedTo: isDeleted(pv1, 37) ? null : (designatorOf(pv1, 37) ?? undefined),
    admissionType: textOf(pv1, 4),
    admitReason: pv2 && (textOf(pv2, 3, 2) ?? textOf(pv2, 3, 1)),
    expectedDischargeAt: pv2 && momentOf(pv2, 9, context),
    estimatedDays: pv2 && readDays(pv2, 10, context),
    diagnoses: dg1.length > 0 ? dg1.flatMap((segment) => readDiagnosis(segment) ?? []) : undefined,
    drg: readDrg(drg, dg1),
    payers: in1.length > 0 ? in1.flatMap((segment) => readPayer(segment, ssns) ?? []) : undefined,
  };
}

/**
 * Some HL7 versions require a PV1 in messages about a person; it then has class N (not applicable) and no visit number. Systems of nursing
 * facilities send that for stays as well, but with the time of admission or discharge.
 */
function isPlaceholderSegment(pv1: Segment): boolean {
  return textOf(pv1, 2) === 'N' && [19, 44, 45].every((field) => textOf(pv1, field) == null);
}

function visitIdentifier(
  segment: Segment,
  field: number,
  ssns: ReadonlySet<string>,
  context: ReadingContext,
): string | undefined {
  const identifier = readIdentifiers(segment, field)[0];
  if (identifier === undefined) return undefined;
  if (!isSocialSecurityNumber(identifier, ssns)) return identifier.value;
  context.warn(`${segment.name}-${field} holds a Social Security number and was ignored`);
  return undefined;
}

/** Returns whole days. A number (NM) can have a sign and decimals. Anything else is undefined, with a warning. */
function readDays(segment: Segment, field: number, { warn }: ReadingContext): Update<number> {
  const sent = textOf(segment, field);
  if (sent == null) return sent;
  if (/^\+?\d{1,4}(\.\d*)?$/.test(sent)) return Math.round(Number(sent));
  warn(`${segment.name}-${field} isn't a number of days`);
  return undefined;
}

function readSetting(
  trigger: string,
  pv1: Segment,
  settings: FeedSettings,
  { warn }: ReadingContext,
): Setting | undefined {
  const value = (field: number) => textOf(pv1, field)?.toUpperCase();
  const [patientClass, hospitalService, patientType] = [value(2), value(10), value(18)];
  const unit = designatorOf(pv1, 3, 1)?.toUpperCase();
  return settingOf({ trigger, unit, patientClass, hospitalService, patientType }, settings, () => {
    warn("PV1-2 isn't in the feed's class map (setting unknown)");
    return 'UNKNOWN';
  });
}

function readLocation(pv1: Segment, field: number, { locationMap }: FeedSettings): Update<Location> {
  if (isDeleted(pv1, field)) return null;
  const pointOfCare = designatorOf(pv1, field, 1);
  const location = {
    pointOfCare: locationMap[pointOfCare?.toUpperCase() ?? '']?.unit ?? pointOfCare,
    room: designatorOf(pv1, field, 2),
    bed: designatorOf(pv1, field, 3),
    facility: designatorOf(pv1, field, 4),
  };
  return Object.values(location).some((part) => part !== null) ? location : undefined;
}

/** Returns the first doctor of an XCN field. The NPI can be in any repetition, because senders repeat a doctor for each identifier. */
function readProvider(pv1: Segment, field: number): Update<Provider> {
  if (isDeleted(pv1, field)) return null;
  const repetitions = [...pv1.repetitions(field).keys()];
  const part = (component: number, repetition: number) => textOf(pv1, field, component, repetition) ?? '';
  const first = repetitions.find((r) => part(1, r) !== '' || part(2, r) !== '');
  if (first === undefined) return undefined;
  const npi = repetitions.find((r) =>
    isNationalProvider(
      part(1, r),
      [9, 10, 13].map((c) => part(c, r)),
    ),
  );
  const local = repetitions.find((r) => r !== npi && part(1, r) !== '');
  return {
    npi: npi === undefined ? null : part(1, npi),
    localId: local === undefined ? null : part(1, local),
    family: valueOf(pv1.subcomponent(field, 2, 1, first)),
    given: part(3, first),
  };
}

function isNationalProvider(id: string, qualifiers: readonly string[]): boolean {
  if (!/^[12]\d{9}$/.test(id)) return false;
  return qualifiers.some((qualifier) => qualifier.toUpperCase().includes('NPI')) || hasProviderCheckDigit(id);
}

/** The Luhn check digit of an NPI includes the prefix 80840 (CMS). */
function hasProviderCheckDigit(id: string): boolean {
  const sum = Array.from(`80840${id}`)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/** Names of ICD-10-CM in DG1-3.3, DG1-3.6 and DG1-2 (HL7 table 0396, and what senders write instead). */
const ICD_10 = /^(I10C?|10|ICD-?10(-?CM)?|2\.16\.840\.1\.113883\.6\.90)$/i;

/**
 * Reads the code with its text and system from DG1-3, or the alternate ones (components 4 to 6) if there is no other code, or if only
 * they are in ICD-10-CM, from which the rules about diagnoses are read.
 */
function readDiagnosis(dg1: Segment): Diagnosis | null {
  const part = (component: number) => textOf(dg1, 3, component) ?? '';
  const method = textOf(dg1, 2) ?? '';
  const first = { code: part(1), text: part(2), system: part(3) || method };
  const alternate = { code: part(4), text: part(5), system: part(6) || (first.code === '' ? method : '') };
  const filled = [first, alternate].filter(({ code }) => code !== '');
  const chosen = filled.find(({ system }) => ICD_10.test(system)) ?? filled[0] ?? first;
  const description = chosen.text || first.text || alternate.text || (textOf(dg1, 4) ?? '');
  if (chosen.code === '' && description === '') return null;
  const type = textOf(dg1, 6)?.charAt(0).toUpperCase();
  const priority = textOf(dg1, 15) ?? '';
  return {
    code: chosen.code,
    description: description || null,
    type: type === 'A' || type === 'W' || type === 'F' ? type : null,
    priority: /^\d{1,3}$/.test(priority) ? Number(priority) : null,
    codeSystem: chosen.system || null,
  };
}

/** Reads DRG-1, or DG1-8 of the first diagnosis that has it, where versions before 2.7 have it too (6.5.2.8, 6.5.3.1). */
function readDrg(drg: Segment | undefined, dg1: readonly Segment[]): Update<string> {
  const sent = drg && textOf(drg, 1);
  if (sent !== undefined) return sent;
  return dg1.map((segment) => textOf(segment, 8)).find((code) => code !== undefined);
}

function readPayer(in1: Segment, ssns: ReadonlySet<string>): Payer | null {
  const payer = {
    code: textOf(in1, 3) ?? null,
    company: textOf(in1, 4) ?? null,
    plan: textOf(in1, 2, 2) ?? textOf(in1, 2) ?? null,
    memberId: readMemberIds(in1, ssns)[0]?.value ?? null,
  };
  const planCode = textOf(in1, 2, 2) == null ? null : textOf(in1, 2);
  const type = textOf(in1, 15);
  return Object.values(payer).some((part) => part !== null)
    ? { ...payer, ...(planCode && { planCode }), ...(type && { type }) }
    : null;
}

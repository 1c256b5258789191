/** Facts for tests that read like a story: `fact('A03', '10:00', { disposition: '01' })`. */
import { createHash } from 'node:crypto';
import type { EventCode, Setting } from '#contract/event-codes.ts';
import type { AdtFacts, MergeFacts, Moment, PatientFacts, VisitFacts } from '#server/intake/hl7/adt-facts.ts';
import { disbelieveFuture } from '#server/intake/hl7/future-times.ts';
import { foldFacilities } from '#server/record/fold/fold.ts';
import type { Fact, FoldFacility } from '#server/record/fold/fold-input.ts';
import type { FoldedVisit } from '#server/record/fold/folded-visit.ts';
import { separatePatients } from '#server/record/fold/record-holders.ts';

export const HOSPITAL: FoldFacility = { id: '1', groupType: 'HOS', facilityType: 'HOS', registrationIsVisit: false };
export const NURSING: FoldFacility = { id: '2', groupType: 'SNF', facilityType: 'SNF', registrationIsVisit: false };
export const HOME_HEALTH: FoldFacility = {
  id: '3',
  groupType: 'ADMITTING',
  facilityType: 'HHA',
  registrationIsVisit: false,
};
export const URGENT_CARE: FoldFacility = {
  id: '4',
  groupType: 'ADMITTING',
  facilityType: 'URGENT_CARE',
  registrationIsVisit: false,
};

/** Parses '09:30', '09:30:15', '3 09:30' (day 3) or '3' (a day without a time), in UTC. */
export function moment(text: string): Moment {
  const [, day = '1', time] = /^(?:(\d+)(?: |$))?(\d\d:\d\d(?::\d\d)?)?$/.exec(text) ?? [];
  const localDate = `2026-03-${day.padStart(2, '0')}`;
  const [hours = '00', minutes = '00', seconds = '00'] = time?.split(':') ?? [];
  const precision = time === undefined ? 'day' : time.length > 5 ? 'second' : 'minute';
  const isMidnight = time !== undefined && /^00:00(:00)?$/.test(time);
  const instant = `${localDate}T${hours}:${minutes}:${seconds}Z`;
  return { instant, localDate, precision, ...(isMidnight && { isMidnight }) };
}

export interface FactDetails extends Omit<VisitFacts, 'admittedAt' | 'dischargedAt' | 'location'> {
  /** PV1-45 is deleted. */
  dischargedAt?: null;
  record?: string;
  visit?: string | null;
  account?: string;
  /** PV1-44 */
  admitted?: string;
  /** PV1-45 */
  discharged?: string;
  /** EVN-6 */
  occurred?: string;
  /** EVN-2; the fact's time by default. */
  recorded?: string | null;
  /** MSH-7; the fact's time by default. */
  sent?: string | null;
  control?: string;
  /** When the message arrived. Times after it are not credible. */
  received?: string;
  unit?: string;
  room?: string;
  class?: Setting;
  merge?: Partial<MergeFacts>;
  patient?: Partial<PatientFacts>;
  manual?: EventCode;
  /** A message about the person: no PV1. */
  noVisit?: boolean;
}

const optional = (text: string | null | undefined): Moment | null => (text ? moment(text) : null);

/** Returns a fact of record number M100 and visit V100 by default. Equal facts have equal ids and hashes. */
export function fact(trigger: string, time: string, details: FactDetails = {}): Fact {
  const {
    record = 'M100',
    visit = 'V100',
    account,
    admitted,
    discharged,
    occurred,
    recorded = time,
    sent = time,
  } = details;
  const { control = time, received, unit, room, class: setting, merge, patient, manual, noVisit, ...fields } = details;
  const location =
    unit === undefined ? undefined : { pointOfCare: unit, room: room ?? null, bed: null, facility: null };
  const visitFacts: VisitFacts = { ...fields };
  for (const own of ['record', 'visit', 'account', 'admitted', 'discharged', 'occurred', 'recorded', 'sent']) {
    delete visitFacts[own as keyof VisitFacts];
  }
  if (visit !== null) visitFacts.visitNumber = visit;
  if (account !== undefined) visitFacts.accountNumber = account;
  if (admitted) visitFacts.admittedAt = moment(admitted);
  if (discharged) visitFacts.dischargedAt = moment(discharged);
  if (location) visitFacts.location = location;
  if (setting) visitFacts.setting = setting;
  const contentHash = createHash('sha256')
    .update(JSON.stringify([trigger, time, details]))
    .digest('hex');
  const adt: AdtFacts = {
    trigger,
    controlId: control,
    sentAt: optional(sent),
    recordedAt: optional(recorded),
    occurredAt: optional(occurred),
    facilityIdentifier: 'GENERAL',
    patient: { recordNumber: record, identifiers: [], ...patient },
    visit: noVisit ? null : visitFacts,
    merge: merge ? { priorRecordNumber: null, priorAccountNumber: null, priorVisitNumber: null, ...merge } : null,
    contentHash,
  };
  return {
    id: String(Number.parseInt(contentHash.slice(0, 12), 16)),
    ...(manual ? { manualCode: manual } : {}),
    adt: received ? disbelieveFuture(adt, moment(received).instant, 'UTC') : adt,
  };
}

/** Folds a dossier of a single facility. */
export const foldDossier = (facts: readonly Fact[], facility: FoldFacility): FoldedVisit[] =>
  foldFacilities([{ groupId: '', facility, facts: separatePatients(facts).facts }]).map(
    ({ groupId: _, ...visit }) => visit,
  );

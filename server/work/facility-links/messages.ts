/**
 * An answer as a message like any other, and the message that takes it back. Both are made from what is stored alone, so that one that
 * is stored again after a failure is a duplicate.
 */
import { createHash } from 'node:crypto';
import type { LinkDestination } from '#contract/facility-link-words.ts';
import type { LinkAnswer } from '#contract/facility-links.ts';
import { hashOfUpload, type UploadInMessage } from '#server/intake/documents/read-upload.ts';
import type { AdtFacts, Moment, PatientFacts, VisitFacts } from '#server/intake/hl7/adt-facts.ts';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import type { ManualEntry } from '#server/intake/messages/read-message.ts';
import { instantOfLocal, localDateOf } from '#server/platform/calendar/time-zone.ts';

/** UB-04 patient discharge status; a place that has none is told in words. */
const DISPOSITIONS: Record<LinkDestination, Pick<VisitFacts, 'disposition' | 'dischargedTo'>> = {
  HOME: { disposition: '01' },
  HOME_HEALTH: { disposition: '06' },
  SNF: { disposition: '03' },
  HOSPITAL: { disposition: '02' },
  // Whether at home (50) or at a facility (51) was not asked.
  HOSPICE: { dischargedTo: 'Hospice' },
  AMA: { disposition: '07' },
  DIED: { disposition: '20' },
  OTHER: { dischargedTo: 'Other' },
};

/** An answered link with the stay that it is about. */
export interface Answered extends About {
  answer: LinkAnswer;
}

/** A link by which a file was uploaded, with the stay that it is about. */
export interface Uploaded extends About {
  contactName: string;
  /** Null once its message is stored. */
  file: Buffer | null;
  /** As the facility reported them. */
  patient: Pick<PatientFacts, 'name' | 'birthDate'>;
  /** Whether the stay had ended when it was uploaded. */
  hasEnded: boolean;
}

interface About {
  id: string;
  /** Whose team made the link. */
  organization: string;
  about: string;
  answeredAt: Date;
  groupId: string;
  timeZone: string;
  recordNumber: string;
  visitNumber: string | null;
}

type Message = Parameters<MessageStore['receive']>[0];

/** Returns when the patient left, in the facility's time; null if still there. */
export function dischargeIn({ date, time, stillHere }: LinkAnswer, timeZone: string): Moment | null {
  if (stillHere || !date) return null;
  const instant = instantOfLocal(Date.parse(`${date}T${time ?? '00:00'}:00Z`), timeZone);
  return { instant: seconds(new Date(instant)), localDate: date, precision: time ? 'minute' : 'day' };
}

const seconds = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;
const momentOf = (at: Date, timeZone: string): Moment => ({
  instant: seconds(at),
  localDate: localDateOf(at.getTime(), timeZone),
  precision: 'second',
});

const controlIdOf = (linkId: string): string => `LINK-${linkId}`;

/** Returns the answer as a message. */
export function answerMessage(link: Answered): Message {
  const { answer, timeZone, answeredAt } = link;
  const dischargedAt = dischargeIn(answer, timeZone);
  const went = answer.destination ? DISPOSITIONS[answer.destination] : {};
  const controlId = controlIdOf(link.id);
  const reported = dischargedAt && { dischargedAt, disposition: null, dischargedTo: null, ...went };
  const adt = factsOf(link, { controlId, at: answeredAt, name: answer.contactName, visit: reported ?? {} });
  return messageOf(link, adt, { receivedAt: answeredAt, type: dischargedAt ? 'DISCHARGE' : 'STILL_THERE' });
}

/** Returns the message by which the team takes the answer back. */
export function retractionMessage(link: Answered, by: { userId: string; name: string; at: Date }): Message {
  const controlId = `${controlIdOf(link.id)}-BACK`;
  const adt = factsOf(link, { controlId, at: by.at, name: by.name, visit: {} });
  const retraction = { ...adt, retracts: [controlIdOf(link.id)] };
  return { ...messageOf(link, retraction, { receivedAt: by.at, type: 'RETRACT' }), enteredBy: by.userId };
}

/** Returns the uploaded file as a message. */
export function uploadMessage(link: Uploaded): Message {
  const at = { at: link.answeredAt, name: link.contactName };
  return documentMessage(link, { ...at, controlId: controlIdOf(link.id), type: 'DOCUMENT', file: link.file });
}

/** Returns the message by which the team takes the upload back. */
export function uploadRetraction(link: Uploaded, by: { userId: string; name: string; at: Date }): Message {
  const { at, name } = by;
  const controlId = `${controlIdOf(link.id)}-BACK`;
  return { ...documentMessage(link, { at, name, controlId, type: 'RETRACT', file: null }), enteredBy: by.userId };
}

/** `file`: null takes the document back. */
function documentMessage(
  link: Uploaded,
  { at, name, controlId, type, file }: { at: Date; name: string; controlId: string; type: string; file: Buffer | null },
): Message {
  const { id, timeZone, patient, hasEnded, organization } = link;
  const facts = factsOf(link, { controlId, at, name, visit: {} });
  const adt: AdtFacts = {
    ...facts,
    trigger: 'DOCUMENT',
    occurredAt: null,
    visit: null,
    contentHash: hashOfUpload(controlId, file),
    ...(file === null && { retracts: [controlIdOf(id)] }),
  };
  const base64 = file?.toString('base64') ?? null;
  const upload = {
    number: `${controlIdOf(id)}@tidings`,
    uploadedBy: name,
    uploadedFor: organization,
    hasEnded,
    timeZone,
    patient,
    file: base64,
  };
  return messageOf(link, adt, { receivedAt: at, type }, upload);
}

interface Reported {
  controlId: string;
  at: Date;
  name: string;
  visit: VisitFacts;
}

function factsOf(
  { id, about, organization, groupId, timeZone, recordNumber, visitNumber }: About,
  { controlId, at, name, visit }: Reported,
): AdtFacts {
  const sentAt = momentOf(at, timeZone);
  return {
    trigger: 'LINK',
    controlId,
    sentAt,
    recordedAt: null,
    occurredAt: sentAt,
    facilityIdentifier: groupId,
    patient: { recordNumber, identifiers: [] },
    visit: { ...(visitNumber !== null && { visitNumber }), ...visit },
    merge: null,
    link: { id, name, about, organization },
    contentHash: createHash('sha256')
      .update(JSON.stringify([controlId, sentAt.instant, visit]))
      .digest('hex'),
  };
}

function messageOf(
  link: About,
  adt: AdtFacts,
  { receivedAt, type }: { receivedAt: Date; type: string },
  upload?: UploadInMessage,
): Message {
  const { groupId, recordNumber } = link;
  const entry: ManualEntry = { groupId, adt, ...(upload && { upload }) };
  return {
    source: 'LINK',
    raw: Buffer.from(JSON.stringify(entry)),
    receivedAt,
    remote: null,
    sendingApplication: 'TIDINGS',
    sendingFacility: groupId,
    controlId: adt.controlId,
    messageType: `LINK^${type}`,
    patientKey: recordNumber,
  };
}

import { openSender, type Sender } from '#demo/live-feed.ts';
import { type MdmParts, mdm } from '#server/testing/documents.ts';
import type { TestPerson } from '#server/testing/hospital.ts';
import { type Fields, withFields } from '#server/testing/patient-story.ts';
import type { Person } from './people.ts';
import { runningServer } from './start-server.ts';

/** What a message says besides the patient's details. */
export interface MessageDetails {
  /** PV1-19. By default the person's first visit. */
  visit?: string;
  /** PV1-2 */
  patientClass?: 'E' | 'I' | 'O';
  /** PV1-18 */
  patientType?: string;
  /** When it happened. By default now. */
  at?: Date;
  /** PV1-44 */
  admittedAt?: Date;
  /** PV2-9 for a date, PV2-10 for a number of days. */
  expected?: Date | number;
  /** PV1-36, UB-04 */
  disposition?: string;
  /** MSH-4 and PV1-3.4. By default the hospital's own. */
  identifier?: string;
  /** Fields that are written as they are here, such as { 'PV1-45': '' }. A segment that the message doesn't have is added. */
  fields?: Fields;
}

/** A hospital with an interface engine that is connected over MLLP. */
export interface Hospital {
  name: string;
  groupId: string;
  /** Sends an ADT message with this trigger, and returns its MSH-10 once it is accepted. Throws for any acknowledgment but AA. */
  send: (trigger: string, person: Person, details?: MessageDetails) => Promise<string>;
  /** Sends an MDM message with a document (`mdm` of server/testing/documents.ts). Throws for any acknowledgment but AA. */
  sendDocument: (trigger: string, person: Person, parts: DocumentParts) => Promise<void>;
  close: () => void;
}

/** The person, and what follows from the hospital, are filled in. */
type DocumentParts = Omit<MdmParts, 'facility' | 'record' | 'person'>;

/** Returns a person as documents for tests name them. */
export const described = ({ family, given, birthDate, sex, zip }: Person): TestPerson => ({
  family,
  given,
  birthDate,
  sex: sex.slice(0, 1) as TestPerson['sex'],
  zip,
});

let sent = 0;

/** Returns a time as HL7 writes it, in UTC. */
export const instant = (date: Date): string => `${date.toISOString().replace(/\D/g, '').slice(0, 14)}+0000`;
/** Joins the fields of a segment, given by their numbers. */
const fields = (values: Record<number, string>, last: number): string =>
  Array.from({ length: last }, (_, index) => values[index + 1] ?? '').join('|');

/** Returns an ADT message in HL7 v2.5.1. */
function adt(
  trigger: string,
  person: Person,
  details: MessageDetails,
  application: string,
  identifier: string,
  controlId: string,
) {
  const { visit = `V${person.recordNumber}`, patientClass = 'I', at = new Date(), disposition = '' } = details;
  const now = instant(new Date());
  const pid = {
    3: `${person.recordNumber}^^^${identifier}^MR`,
    5: `${person.family}^${person.given}`,
    7: person.birthDate.replaceAll('-', ''),
    8: person.sex.slice(0, 1),
    11: person.street && `${person.street}^^Alder Bay^NY^${person.zip}`,
    13: person.phone,
  };
  const admitted = details.admittedAt ?? (trigger === 'A03' ? undefined : at);
  const pv1 = {
    2: patientClass,
    3: `3W^12^A^${identifier}`,
    18: details.patientType ?? '',
    19: visit,
    36: disposition,
    44: admitted ? instant(admitted) : '',
    45: trigger === 'A03' ? instant(at) : '',
  };
  const { expected } = details;
  const pv2: Record<number, string> =
    expected instanceof Date ? { 9: instant(expected) } : { 10: String(expected ?? '') };
  const segments = [
    `MSH|^~\\&|${application}|${identifier}|TIDINGS|TIDINGS|${now}||ADT^${trigger}|${controlId}|P|2.5.1`,
    `EVN|${trigger}|${now}||||${instant(at)}`,
    `PID|${fields(pid, 13)}`,
    `PV1|${fields(pv1, 45)}`,
    `PV2|${fields(pv2, 10)}`,
    'DG1|1||I50.9^Heart failure, unspecified^I10|||W',
  ];
  const written = new Set(segments.map((segment) => segment.slice(0, 3)));
  const added = Object.keys(details.fields ?? {})
    .map((name) => name.slice(0, 3))
    .filter((name) => !written.has(name));
  return withFields([...segments, ...new Set(added), ''].join('\r'), details.fields ?? {});
}

/** Connects an interface engine that sends as `application` (MSH-3) and `identifier` (MSH-4). */
export async function connectHospital(of: {
  name: string;
  groupId: string;
  application: string;
  identifier: string;
}): Promise<Hospital> {
  const sender: Sender = await openSender('127.0.0.1', runningServer().mllpPort);
  return {
    name: of.name,
    groupId: of.groupId,
    send: async (trigger, person, details = {}) => {
      const controlId = `${of.identifier}-${++sent}`;
      const text = adt(trigger, person, details, of.application, details.identifier ?? of.identifier, controlId);
      const ack = (await sender.send(Buffer.from(text))).toString();
      if (!ack.includes(`MSA|AA|${controlId}`)) throw new Error(`The message was not accepted: ${ack}`);
      return controlId;
    },
    sendDocument: async (trigger, person, parts) => {
      const who = { facility: of.identifier, record: person.recordNumber, person: described(person) };
      const text = mdm(trigger, { visit: `V${person.recordNumber}`, sentAt: instant(new Date()), ...who, ...parts });
      const ack = (await sender.send(Buffer.from(text.replace('TESTADT', of.application)))).toString();
      if (!ack.includes('MSA|AA|')) throw new Error(`The document was not accepted: ${ack}`);
    },
    close: () => sender.close(),
  };
}

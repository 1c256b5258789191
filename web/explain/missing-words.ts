/** Why there is no ping, in words. Pure; `at` writes an instant with its zone. */
import { EVENT_LABELS } from '#contract/event-codes.ts';
import type { MissingPingFinding } from '#contract/missing-pings.ts';
import { zoned } from './zoned.ts';

type At = (value: string) => string;
type Words = (finding: Named, at: At) => string;

/** A finding with words for what it may leave out. */
interface Named extends Omit<MissingPingFinding, 'groupName' | 'facilityName'> {
  list: string;
  facility: string;
  /** "Admitted at Mercy General, 11/20/2026 09:00 AM ET" */
  what: string;
  when: string;
  messages: string;
}

const WORDS: Record<MissingPingFinding['code'], Words> = {
  PING_SENT: ({ what, list, when }) => `${what}: there is a ping. It was sent for ${list} ${when}.`,
  PING_LATE: ({ what, list, when }) =>
    `${what}: the ping was sent for ${list} ${when}, more than 72 hours after the event. It is marked late.`,
  PING_RESOLVED: ({ what, when }) => `${what}: the ping was resolved or dismissed ${when}.`,
  PING_SYSTEM_RESOLVED: ({ what, when, detail }) =>
    `${what}: Tidings resolved the ping ${when}${detail ? `. ${detail}` : '.'}`,
  PING_RETRACTED: ({ what, when }) =>
    `${what}: the ping, sent ${when}, was retracted because the facility canceled the event.`,
  PING_MOVED: ({ when }) => `A ping sent ${when} was retracted, because its visit is matched to someone else now.`,
  OWN_FACILITY: ({ what, facility }) =>
    `${what}: the facility that sends an event gets no ping of it. ${facility} sent this one.`,
  CANCELED_FIRST: ({ what }) => `${what}: the facility canceled the event before a ping was sent.`,
  BACKFILL: ({ what }) => `${what}: it came from a historical feed. Visits are recorded, no pings are sent.`,
  INFERRED: ({ what }) =>
    `${what}: no message reported it. It was inferred from a later message, more than 24 hours later or after the stay.`,
  EVENT_BEFORE_LISTING: ({ what, list, when }) => `${what}: the patient joined ${list} after that, ${when}.`,
  EVENT_AFTER_LEAVING: ({ what, list, when }) => `${what}: the patient had left ${list} before that, ${when}.`,
  NO_CONSENT: ({ what, list }) => `${what}: held back, because no consent for ${list} is on file (42 CFR Part 2).`,
  NOT_SENT: ({ what, list, when }) =>
    `${what}: ${list} opens visits from ${when} on, or the event changed after it was sent.`,
  LEFT_LIST: ({ list, when }) => `The patient left ${list} ${when}.`,
  NOT_LISTED_YET: ({ list, when }) => `The patient joined ${list} only ${when}.`,
  PLACEHOLDER_NAME: ({ list }) =>
    `${list} has a name that hospitals write when they don't know the patient's, such as "Unknown" or one that begins with ZZ. Records aren't matched by it. Correct the name where the list comes from.`,
  IN_REVIEW: ({ list, when }) =>
    `A match for ${list} has been waiting for review since ${when}. Until someone decides, only the facility sees the visit.`,
  OTHER_RECORD: ({ list }) => `${list} has a record with the same name and birth date that belongs to someone else.`,
  NO_NEW_EVENT: ({ facility, when, detail }) =>
    `${facility} sent a message about this patient, received ${when}. ${detail ?? 'It brought no event'}.`,
  QUARANTINED: ({ facility, messages, detail }) => `${messages} from ${facility}'s feed in quarantine. ${detail ?? ''}`,
  NOT_ACTED_ON: ({ facility, messages, detail }) => `${messages} from ${facility}'s feed not acted on. ${detail ?? ''}`,
  DUPLICATE: ({ facility, messages }) => `${messages} from ${facility}'s feed received twice. The copy brings no ping.`,
  PENDING: ({ facility, messages }) => `${messages} from ${facility}'s feed waiting to be processed.`,
  FEED_PAUSED: ({ facility, when }) =>
    `${facility}'s feed has been paused since ${when}. Its messages wait until it is resumed.`,
  NO_MESSAGE: ({ facility }) => `No message from ${facility} was received that day.`,
  NO_MESSAGE_OF_PATIENT: ({ facility, messages }) => `${messages} from ${facility} that day, none about this patient.`,
  NO_ENTRY: ({ facility }) => `No one at ${facility} entered an event about this patient that day.`,
  NOTHING: () => 'No message about this patient matched your list on this day.',
};

/** Returns one finding as sentences. */
export function findingInWords(finding: MissingPingFinding, at: At): string {
  const { groupName, facilityName, event, date, count, ...rest } = finding;
  const facility = facilityName ?? 'The facility';
  const counted = count === null ? 'Messages' : count === 1 ? '1 message' : `${count.toLocaleString('en-US')} messages`;
  const where = facilityName ? ` at ${facilityName}` : '';
  const named: Named = {
    ...rest,
    event,
    date,
    count,
    list: groupName ?? 'your list',
    facility,
    what: event ? `${EVENT_LABELS[event.code]}${where}, ${zoned(event.date, event.timeZone)}` : facility,
    when: date ? at(date) : '',
    messages: counted,
  };
  return WORDS[finding.code](named, at).trim();
}

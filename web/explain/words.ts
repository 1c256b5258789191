/** An explanation in words. Pure; `at` writes an instant with its zone. */
import type { ExplainedMessage, ExplainedRecipient, PingExplanation } from '#contract/explanations.ts';
import type { Ping } from '#contract/pings.ts';
import { RELATIONSHIP_LABELS } from '#contract/relationships.ts';
import { reportedByLink } from '../patient/as-reported.ts';
import { eventPhrase } from '../patient/phrases.ts';

type At = (value: string) => string;

/** What each event is called within a sentence. */
const EVENT_NOUNS: Record<Ping['status'], string> = {
  ADMIT: 'an admission',
  PRESENTED: 'an arrival in the emergency department',
  VISIT: 'a visit',
  DISCHARGE: 'a discharge',
  DECEASED: 'a death',
  TRANSFER: 'a transfer',
  CLOSED: 'the end of an emergency visit',
  PAYOR_CHANGE: 'a change of payer',
  MEDICAL_LEAVE_OF_ABSENCE: 'a medical leave of absence',
  RESUMED_SERVICES: 'resumed services',
  ENDED_SERVICES: 'the end of services',
  STARTED_HHA_SERVICES: 'the start of home health services',
  ENDED_HHA_SERVICES: 'the end of home health services',
};

/** Returns who sent the event and when: "Mercy General sent an admission (A01) at …, received …. It happened …." */
export function messageSentences({ ping, messages, receivedDate, isMoved }: PingExplanation, at: At): string[] {
  const { name } = ping.facility;
  const what = EVENT_NOUNS[ping.status];
  if (isMoved) return [`${name} sent ${what}. The visit belongs to another patient now, so it isn't shown here.`];
  const first = messages.find(({ role }) => role === 'REPORTED');
  const happened = `It happened ${at(ping.eventDate)}.`;
  if (ping.inferred)
    return [
      `No message from ${name} reported ${what}. It was inferred from a later message, received ${at(receivedDate)}.`,
      happened,
    ];
  if (first?.source === 'STAFF')
    return [`${first.enteredBy ?? `Someone at ${name}`} entered ${what} by hand, ${at(receivedDate)}.`, happened];
  if (first?.source === 'SYSTEM')
    return ['No discharge was sent for 48 hours, so Tidings closed the emergency visit.', happened];
  const byLink = ping.reportedByLink && reportedByLink(ping.reportedByLink);
  if (first?.source === 'LINK')
    return [`${name} has not sent ${what}. ${byLink ?? 'It was reported by a link, and taken back'}.`, happened];
  const trigger = first?.trigger ? ` (${first.trigger})` : '';
  const sent = first?.sentDate ? ` ${at(first.sentDate)}` : '';
  return [
    `${name} sent ${what}${trigger}${sent}, received ${at(receivedDate)}.`,
    ping.datedByReceipt ? 'The message has no usable time, so the time of receipt counts.' : happened,
    ...(byLink ? [`Where the patient went was not in the message. ${byLink}.`] : []),
    ...(ping.late ? ['It came more than 72 hours after the event, so the ping is marked late.'] : []),
  ];
}

/** Returns how the facility's record and the list's patient came to be one person. */
export function matchSentence({ match, ping, isMoved }: PingExplanation, at: At): string {
  const { name } = ping.facility;
  const by = match?.by ? ` by ${match.by}` : '';
  if (isMoved && match?.how === 'UNDONE')
    return `This match was taken back ${at(match.date)}${by}. The ping was retracted.`;
  if (isMoved)
    return match
      ? `This visit was matched to someone else ${at(match.date)}${by}. The ping was retracted.`
      : 'This visit is matched to someone else now. The ping was retracted.';
  if (!match) return `${name} lists this patient under a record number that your list's patient has too.`;
  const when = at(match.date);
  switch (match.how) {
    case 'AUTOMATIC':
      return `${name}'s record and your list's patient were matched automatically ${when}: only one person matched, and nothing contradicted it.`;
    case 'DECIDED':
      return `${match.by ?? 'A reviewer'} decided in a match review ${when} that ${name}'s record and your list's patient are one person.`;
    case 'MERGED':
      return `${name} merged this record into another one of the same patient ${when}.`;
    case 'UNDONE':
      return `An earlier match was undone ${when}.`;
    case 'FIRST':
      return `The record was new ${when}. It was matched with your list's patient.`;
  }
}

const OPENED: Record<NonNullable<ExplainedRecipient['opening']>['how'], string> = {
  ROSTER: 'a roster that was uploaded',
  MANUAL: 'an entry by hand',
  FEED: "the facility's own feed",
  REVIEW: 'a match review',
  PART2_LIFTED: "the end of a facility's 42 CFR Part 2 mark",
};

/** Returns why a group of the team got the ping: its listing, and what opened visits of other organizations to it. */
export function recipientSentences(recipient: ExplainedRecipient, teamName: string, at: At): string[] {
  const { groupName, groupType, listedDate, leftDate, relationship, opening, consentDate } = recipient;
  const list = groupType === 'PROGRAM' ? 'list' : 'own list of patients';
  return [
    `${teamName} works for ${groupName}. The patient ${leftDate ? `was on its ${list} from ${at(listedDate)} to ${at(leftDate)}` : `has been on its ${list} since ${at(listedDate)}`}.`,
    ...(relationship ? [`Attested relationship: ${RELATIONSHIP_LABELS[relationship]}.`] : []),
    ...(opening
      ? [
          `Visits elsewhere from ${at(opening.from)} on were opened ${at(opening.date)} by ${OPENED[opening.how]}${opening.by ? ` (${opening.by})` : ''}.`,
        ]
      : []),
    ...(consentDate ? [`A consent for ${groupName} has been on file since ${at(consentDate)} (42 CFR Part 2).`] : []),
  ];
}

const SENT: Record<ExplainedRecipient['sentBecause'], string> = {
  MESSAGE: 'with the message',
  JOINED: 'when the patient joined the list during the stay',
  CONSENT: 'when a consent was recorded',
  MATCH: 'when the records were matched',
  OTHER: 'after the message was processed again',
};

/** Returns when the ping was in the inbox of a group's teams, and why then. */
export const noticeSentence = ({ groupName, sentDate, sentBecause }: ExplainedRecipient, at: At): string =>
  `In the inbox for ${groupName} since ${at(sentDate)}, ${SENT[sentBecause]}.`;

/** Returns what happened to the event after it was reported, oldest first; none if nothing did. */
export function correctionSentences({ messages, ping }: PingExplanation, at: At): string[] {
  const later = messages
    .filter(({ role }) => role !== 'REPORTED')
    .map((message) => `${at(message.receivedDate)}: ${correction(message)}`);
  const before = ping.was
    ? [`Before, it was: ${eventPhrase({ ...ping, ...ping.was })}, ${at(ping.was.eventDate)}.`]
    : [];
  const amended = ping.state === 'AMENDED' && later.length === 0 ? ['Details changed after the ping was sent.'] : [];
  const canceled = ping.state === 'CANCELLED' ? ['The ping is retracted.'] : [];
  return [...later, ...amended, ...before, ...canceled];
}

const correction = ({ role, source, trigger, enteredBy }: ExplainedMessage): string => {
  const who = source === 'STAFF' ? (enteredBy ?? 'staff of the facility') : null;
  const what =
    source === 'LINK' ? 'an answer by link' : who ? `an entry by ${who}` : `a message${trigger ? ` (${trigger})` : ''}`;
  return role === 'CANCELED' ? `${what} canceled it.` : `${what} updated it.`;
};

/** What someone did with a patient's record, in words, for the page and the file. Without zod: the browser loads it as it is. */
import type { AccessKind, PatientAccess } from './accesses.ts';

const KIND_WORDS: Record<AccessKind, string> = {
  opened: 'Opened the patient',
  'visits-read': 'Read the visits',
  'care-team-read': 'Read the care team',
  'instructions-read': 'Read the care instructions',
  'form-read': 'Opened a form',
  'documents-listed': 'Listed the documents',
  'document-read': 'Opened a document',
  'document-downloaded': 'Downloaded a document',
  'contacts-read': 'Read the contact attempts',
  'follow-ups-read': 'Read what is due after discharges',
  'tags-read': 'Read the tags',
  'work-read': 'Read who has taken a visit',
  'consents-read': 'Read the consents',
  'waiver-read': 'Read a three-day waiver',
  'history-read': 'Read the history of a ping',
  explained: 'Read why there is a ping or none, or the evidence about a discharge',
  'looked-up': 'Looked up before an admission: programs, care team, instructions and visits',
  'left-for-exchange': 'Went to a health information exchange',
  printed: 'Printed',
  exported: 'Exported to a file',
  found: 'Found by search',
  listed: 'Listed on a page',
  similar: 'Shown in a warning about similar names',
  entered: 'Added the patient by hand',
  'details-changed': 'Changed the patient’s details',
  'event-entered': 'Added an event',
  'event-changed': 'Changed an event',
  'event-deleted': 'Deleted an event',
  'visit-deleted': 'Deleted a visit',
  'status-changed': 'Changed the status of a ping',
  'work-changed': 'Changed who has taken a visit, or whether it waits',
  'care-team-changed': 'Changed the care team',
  'instructions-changed': 'Changed the care instructions',
  'form-changed': 'Uploaded or removed a form',
  'contact-recorded': 'Recorded a contact attempt',
  'contact-removed': 'Removed a contact attempt',
  tagged: 'Changed the tags',
  'waiver-changed': 'Changed a three-day waiver',
  'consent-recorded': 'Recorded a consent',
  'consent-ended': 'Ended a consent',
  'links-read': 'Read the links to the facility',
  'link-sent': 'Created a link for the facility',
  'link-revoked': 'Revoked a link for the facility, or took its answer back',
  'link-ended': 'A link for the facility expired',
  'link-opened': 'Opened a link: name, birth date, facility and admission',
  'link-refused': 'Typed a wrong birth date for a link',
  'link-answered': 'Answered a link',
  audited: 'Looked up who has seen the patient',
  readable: 'Made visits elsewhere readable',
  message: 'Read a message of the feed',
  replayed: 'Replayed a message of the feed',
  previewed: 'Previewed a message about the patient',
  matched: 'Read or decided who the patient is',
  refused: 'Was refused access',
  emergency: 'Opened visits elsewhere in an emergency',
};

const HOW: Record<NonNullable<PatientAccess['opening']>['how'], string> = {
  ROSTER: 'a roster lists the patient',
  MANUAL: 'the patient was added by hand',
  FEED: 'the facility’s own feed names the patient',
  REVIEW: 'a match was confirmed in review',
  PART2_LIFTED: 'the facility’s 42 CFR Part 2 mark was removed',
};

/** Returns who acted; a feed and someone with a link have no name, and a removed account only its id. */
export function accessor({ by, kind }: Pick<PatientAccess, 'by' | 'kind'>): string {
  if (by !== null) return by.name ?? `ID ${by.id}`;
  if (kind === 'link-ended') return 'Tidings';
  return kind.startsWith('link-') ? 'Someone with a link' : 'Feed';
}

/** Returns what was done. `day`: writes an instant as a day. */
export function accessInWords(
  access: Pick<PatientAccess, 'kind' | 'isBackground' | 'opening' | 'date' | 'firstDate' | 'times'>,
  day: (instant: string) => string,
): string {
  const { kind, isBackground, opening, times } = access;
  const words = times > 1 ? `${KIND_WORDS[kind]}, ${times} times within ${minutesOf(access)}` : KIND_WORDS[kind];
  if (opening === null) return isBackground ? `${words}, by an open page that refreshed itself` : words;
  const visits = opening.visits === 1 ? '1 visit' : `${opening.visits} visits`;
  const place = opening.how === 'PART2_LIFTED' ? 'another facility' : 'other organizations';
  return `${words}: ${visits} at ${place} since ${day(opening.from)}, because ${HOW[opening.how]}`;
}

function minutesOf({ date, firstDate }: Pick<PatientAccess, 'date' | 'firstDate'>): string {
  const minutes = Math.max(1, Math.ceil((Date.parse(date) - Date.parse(firstDate)) / 60_000));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

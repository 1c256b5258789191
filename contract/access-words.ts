/** What someone did with a patient's record, in words, for the page and the file. Without zod: the browser loads it as it is. */
import type { AccessKind, PatientAccess } from './accesses.ts';

const KIND_WORDS: Record<AccessKind, string> = {
  opened: 'Opened',
  found: 'Found by search',
  listed: 'Listed on a page',
  similar: 'Shown in a warning about similar names',
  entered: 'Added the patient by hand',
  changed: 'Changed something about the patient',
  audited: 'Looked up who has seen the patient',
  readable: 'Made visits elsewhere readable',
  message: 'Read a message of the feed',
  replayed: 'Replayed a message of the feed',
  previewed: 'Previewed a message about the patient',
  matched: 'Read or decided who the patient is',
  refused: 'Was refused access',
  emergency: 'Opened visits elsewhere in an emergency',
  consent: 'Read, recorded or ended a consent',
};

const HOW: Record<NonNullable<PatientAccess['opening']>['how'], string> = {
  ROSTER: 'a roster lists the patient',
  MANUAL: 'the patient was added by hand',
  FEED: 'the facility’s own feed names the patient',
  REVIEW: 'a match was confirmed in review',
  PART2_LIFTED: 'the facility’s 42 CFR Part 2 mark was removed',
};

/** Returns who acted; a feed has no name, and a removed account only its id. */
export const accessor = ({ by }: Pick<PatientAccess, 'by'>): string =>
  by === null ? 'Feed' : (by.name ?? `ID ${by.id}`);

/** Returns what was done. `day`: writes an instant as a day. */
export function accessInWords(
  { kind, isBackground, opening }: Pick<PatientAccess, 'kind' | 'isBackground' | 'opening'>,
  day: (instant: string) => string,
): string {
  const words = KIND_WORDS[kind];
  if (opening === null) return isBackground ? `${words}, by an open page that refreshed itself` : words;
  const visits = opening.visits === 1 ? '1 visit' : `${opening.visits} visits`;
  const place = opening.how === 'PART2_LIFTED' ? 'another facility' : 'other organizations';
  return `${words}: ${visits} at ${place} since ${day(opening.from)}, because ${HOW[opening.how]}`;
}

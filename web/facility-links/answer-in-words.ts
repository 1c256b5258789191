import { LINK_DESTINATION_LABELS } from '#contract/facility-link-words.ts';
import type { LinkAnswer, LinkUpload } from '#contract/facility-links.ts';
import { KINDS, sizeInWords } from '../documents/document-words.ts';
import { formatDate } from '../ui/format/date.ts';

/** Returns what the facility answered: "Discharged 11/19/2026 at 14:30 to Home". */
export const answerInWords = ({ stillHere, date, time, destination }: LinkAnswer): string => {
  if (stillHere || !date) return 'Still there';
  const when = `${formatDate(date)}${time ? ` at ${time}` : ''}`;
  if (destination === 'DIED') return `Died ${when}`;
  if (!destination) return `Discharged ${when}`;
  const label = LINK_DESTINATION_LABELS[destination];
  return destination === 'AMA' || destination === 'OTHER'
    ? `Discharged ${when}: ${label.toLowerCase()}`
    : `Discharged ${when} to ${label.toLowerCase()}`;
};

/** Returns what was uploaded: "Discharge summary uploaded (PDF, 120 kB)". */
export const uploadInWords = ({ kind, size }: LinkUpload): string =>
  `Discharge summary uploaded (${KINDS[kind]}, ${sizeInWords(size)})`;

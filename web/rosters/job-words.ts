/** What an upload is called on its page. */
import type { RosterEncoding, RosterJob, RosterJobStatus } from '#contract/rosters.ts';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCircleCheck,
  IconCircleHalf2,
  IconCircleX,
  IconHandStop,
} from '../ui/icons.ts';
import type { StatusLook } from '../ui/status-badge.tsx';

export const count = (number: number): string => number.toLocaleString('en-US');

export const people = (number: number): string => (number === 1 ? '1 person' : `${count(number)} people`);

const inOneList = new Intl.ListFormat('en-US');

/** Returns columns with how many people lose their value there: "SSN Last 4 (531 people) and Medicare ID (1 person)". */
export const columnsCleared = (columns: readonly [string, number][]): string =>
  inOneList.format(columns.map(([column, number]) => `${column} (${people(number)})`));

const LOOKS = {
  RECEIVED: { label: 'Received', color: 'marine', Icon: IconCircleHalf2 },
  VALIDATING: { label: 'Checking', color: 'marine', Icon: IconCircleHalf2 },
  AWAITING_CONFIRMATION: { label: 'Waiting for your confirmation', color: 'held', Icon: IconHandStop },
  APPLYING: { label: 'Applying', color: 'marine', Icon: IconCircleHalf2 },
  DONE: { label: 'Done', color: 'positive', Icon: IconCircleCheck },
  FAILED: { label: 'Failed', color: 'critical', Icon: IconAlertTriangle },
  CANCELLED: { label: 'Canceled', color: 'gray', Icon: IconCircleX },
} as const satisfies Record<RosterJobStatus, StatusLook>;

/** Returns how the status of an upload looks. */
export const lookOf = ({ status, waitsFor, undoneBy, undoes }: RosterJob): StatusLook => {
  if (undoneBy !== null && status === 'DONE') return { label: 'Undone', color: 'gray', Icon: IconArrowBackUp };
  if (undoes !== null && status === 'APPLYING') return { ...LOOKS.APPLYING, label: 'Undoing' };
  return waitsFor === 'OPERATOR' ? { ...LOOKS.AWAITING_CONFIRMATION, label: 'Waiting for approval' } : LOOKS[status];
};

export const ENCODING_WORDS: Record<RosterEncoding, string> = {
  UTF_8: 'UTF-8',
  UTF_16: 'UTF-16',
  WINDOWS_1252: 'Windows-1252',
  UTF_8_AND_WINDOWS_1252: 'UTF-8 and Windows-1252',
};

/** More than this part of a roster, and the removals are typed to confirm them. */
const FEW = 0.05;

/** Returns which part of the roster the upload removes, 0 to 1. */
export const partRemoved = ({ statistics, listedBefore }: RosterJob): number =>
  listedBefore === 0 ? 0 : statistics.removed / listedBefore;

/** Whether the number of removals has to be typed: they are many, or one of the rows could be about any of them. */
export const removesMany = (job: RosterJob): boolean =>
  job.statistics.removed > 0 && (job.waitsFor === 'CONFIRMATION' || partRemoved(job) > FEW);

/** Whether what the upload would change is not known yet. */
export const isUnchecked = ({ status }: RosterJob): boolean => status === 'RECEIVED' || status === 'VALIDATING';

/** Whether a canceled upload got as far as its numbers. */
export const wasChecked = ({ statistics, totalErrorRows }: RosterJob): boolean =>
  totalErrorRows > 0 || Object.values(statistics).some((rows) => rows > 0);

/** Returns a part as "under 1 %" or "12 %". */
export const percent = (part: number): string => (part < 0.01 ? 'under 1%' : `${Math.round(part * 100)}%`);

/** Returns what the upload is doing now, and which part of it is done: 0 to 100, or null if that is not known. */
export const progressOf = (job: RosterJob): { words: string; value: number | null } => {
  const { created, updated } = job.statistics;
  const toMatch = created + updated;
  if (job.status !== 'APPLYING' || job.appliedAt === null) {
    if (job.undoes !== null) return { words: 'Restoring the earlier list', value: null };
    const rows = job.totalRows === 1 ? '1 row' : `${count(job.totalRows)} rows`;
    if (job.status === 'RECEIVED') return { words: `${rows} received, waiting to be checked`, value: null };
    return { words: job.status === 'APPLYING' ? 'Replacing the roster' : `Checking ${rows}`, value: null };
  }
  return {
    words: `${count(job.matchedRows)} of ${count(toMatch)} new and changed rows matched with people`,
    value: toMatch === 0 ? 100 : (job.matchedRows / toMatch) * 100,
  };
};

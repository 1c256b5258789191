import { counted } from '#contract/counted.ts';
import { EVENT_LABELS } from '#contract/event-codes.ts';
import { EXPORT_FAILURES } from '#contract/export-fields.ts';
import type { ExportJob } from '#contract/exports.ts';
import type { Facet } from '#contract/facets.ts';
import { CURRENT_STAYS_ONLY, facetInWords, hiddenPatients } from '../filters/criteria-words.ts';

/** Returns what limits an export: its groups, events and filters. */
export const limitsInWords = ({ limits: { groups, statuses, list } }: ExportJob): string => {
  const { names, count } = groups;
  const filters = [
    list?.filterName && `Saved filter “${list.filterName}”`,
    statuses.length > 0 && `Events: ${statuses.map((code) => EVENT_LABELS[code]).join(', ')}`,
    list?.openPatientsOnly && CURRENT_STAYS_ONLY,
    list?.hasText && 'A name or identifier',
    list?.hasBirthDate && 'A date of birth',
    ...Object.entries(list?.preferenceMap ?? {}).map(([facet, values]) => facetInWords(facet as Facet, values, 5)),
    Boolean(list?.hidden) && hiddenPatients(list?.hidden ?? 0),
  ].filter(Boolean);
  const whose = count > names.length ? counted(count, 'group', 'groups') : names.join(', ');
  return [whose, ...(list && filters.length === 0 ? ['No filters'] : filters)].join(' · ');
};

/** Returns what an export does now, or did. */
export const stateOf = ({ inProgress, started, failed, failure, rows, total }: ExportJob): string => {
  if (failed) return EXPORT_FAILURES[failure ?? 'ERROR'];
  if (!inProgress) return counted(rows, 'row', 'rows');
  if (!started) return 'Waiting to start';
  if (total !== null) return `${rows.toLocaleString('en-US')} of ${counted(total, 'row', 'rows')}`;
  return `${counted(rows, 'row', 'rows')} so far`;
};

const UNITS = ['bytes', 'KB', 'MB', 'GB'];

/** Returns "12 KB", "1.4 MB". */
export const sizeOf = (bytes: number): string => {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1000)));
  const size = bytes / 1000 ** unit;
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
};

/** The lists of the inbox. The codes are in URLs and in the preferences of users. Without zod: the browser loads it with the first page. */
import { ALL_RESOLVED_LABEL, isOpen, MANAGEMENT_STATUS_LABELS, type ManagementStatus } from './management-status.ts';

interface ListDefinition {
  label: string;
  /** The statuses of the stays that it lists. */
  statuses: readonly ManagementStatus[];
}

const ofStatus = (status: ManagementStatus): ListDefinition => ({
  label: MANAGEMENT_STATUS_LABELS[status],
  statuses: [status],
});

/** NEEDS_ACTION: unresolved stays, and those in progress with something due, the most urgent first. ALL_RESOLVED: resolved and dismissed ones. */
export const INBOX_LISTS = {
  NEEDS_ACTION: { label: 'Needs action', statuses: ['NEW', 'IN_PROGRESS'] },
  NEW: ofStatus('NEW'),
  IN_PROGRESS: ofStatus('IN_PROGRESS'),
  ALL_RESOLVED: { label: ALL_RESOLVED_LABEL, statuses: ['RESOLVED', 'DISMISSED'] },
  RESOLVED: ofStatus('RESOLVED'),
  DISMISSED: ofStatus('DISMISSED'),
} as const satisfies Record<string, ListDefinition>;
export type InboxListCode = keyof typeof INBOX_LISTS;
export const INBOX_LIST_CODES = Object.keys(INBOX_LISTS) as [InboxListCode, ...InboxListCode[]];

/** Whether a stay with this status can be in the list. */
export const listsStatus = (list: InboxListCode, status: ManagementStatus): boolean =>
  (INBOX_LISTS[list].statuses as readonly ManagementStatus[]).includes(status);

/** Whether the list is one of open stays. */
export const isOpenList = (list: InboxListCode): boolean => INBOX_LISTS[list].statuses.every(isOpen);

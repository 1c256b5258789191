import { INBOX_LISTS, type InboxListCode, isOpenList } from '#contract/inbox-lists.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { Select } from '../ui/select.tsx';
import { useWidth } from '../ui/use-width.ts';
import { type Counts, unfilteredCount } from './counts.ts';

const BAR = ['NEEDS_ACTION', 'NEW', 'IN_PROGRESS', 'ALL_RESOLVED'] as const satisfies InboxListCode[];
const CLOSED = ['ALL_RESOLVED', 'RESOLVED', 'DISMISSED'] as const satisfies InboxListCode[];
const ALL = [...BAR, 'RESOLVED', 'DISMISSED'] as const satisfies InboxListCode[];

interface Props {
  code: InboxListCode;
  counts: Counts | undefined;
  choose: (code: InboxListCode) => void;
}

const labelOf = (code: InboxListCode, counts?: Counts): string => {
  const count = unfilteredCount(code, counts);
  return count === null ? INBOX_LISTS[code].label : `${INBOX_LISTS[code].label} ${count}`;
};

/** The lists of the inbox: side by side, or on a phone in a menu. */
export const ListChoice = ({ code, counts, choose }: Props) => {
  const width = useWidth();
  if (width === 'narrow')
    return (
      <Select
        aria-label="List"
        value={code}
        onChange={({ currentTarget }) => choose(currentTarget.value as InboxListCode)}
        data={ALL.map((value) => ({ value, label: labelOf(value, counts) }))}
      />
    );
  return (
    <ChoiceBar
      label="List"
      value={isOpenList(code) ? code : 'ALL_RESOLVED'}
      choose={choose}
      choices={BAR.map((value) => ({ value, label: labelOf(value, counts) }))}
    />
  );
};

/** Within the closed pings: all of them, or those with one status. */
export const ClosedAs = ({ code, choose }: Omit<Props, 'counts'>) => (
  <Select
    aria-label="Closed as"
    value={code}
    onChange={({ currentTarget }) => choose(currentTarget.value as InboxListCode)}
    data={CLOSED.map((value) => ({ value, label: labelOf(value) }))}
  />
);

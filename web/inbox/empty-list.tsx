import { INBOX_LISTS, type InboxListCode } from '#contract/inbox-lists.ts';
import { isSubset, type ListFilters } from '../filters/use-filters.ts';
import { NobodyListed } from '../lists/nobody-listed.tsx';
import { useUnfilteredCount } from '../lists/unfiltered-count.ts';
import { IconCircleCheck, IconInbox } from '../ui/icons.ts';
import { Empty } from '../ui/states.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import type { Counts } from './counts.ts';

const loadNothingMatches = () => import('../lists/nothing-matches.tsx').then((file) => file.NothingMatches);
const EMPTY_TITLES: Record<InboxListCode, string> = {
  NEEDS_ACTION: 'Nothing needs action.',
  ALL_RESOLVED: 'No resolved or dismissed pings yet.',
  NEW: 'No unresolved pings.',
  IN_PROGRESS: 'No pings in progress.',
  RESOLVED: 'No resolved pings yet.',
  DISMISSED: 'No dismissed pings yet.',
};

interface Props {
  code: InboxListCode;
  filters: ListFilters;
  counts: Counts | undefined;
}

/** Why a list has no rows, and what to do about it. */
export const EmptyList = ({ code, filters, counts }: Props) => {
  const subset = isSubset(filters);
  const NothingMatches = useLoaded(loadNothingMatches, subset);
  const isFirst = code === 'NEW' && counts?.open === 0 && counts.resolved === 0;
  const patients = useUnfilteredCount(isFirst);
  if (subset)
    return (
      NothingMatches && (
        <NothingMatches
          what="pings"
          filters={filters}
          elsewhere={`Only the list ${INBOX_LISTS[code].label} was searched. Other lists may have matches.`}
        />
      )
    );
  if (isFirst && patients === 0) return <NobodyListed>What happens to them appears here automatically.</NobodyListed>;
  if (code === 'NEW' && counts && !isFirst) {
    const underway = counts.new === null ? 0 : counts.open - counts.new;
    return (
      <Empty icon={<IconCircleCheck size={24} stroke={1.75} aria-hidden />} title="No new pings to review.">
        {[underway ? `${underway} in progress` : null, `${counts.resolved} resolved or dismissed`]
          .filter(Boolean)
          .join(', ')}
        . New pings appear here automatically.
      </Empty>
    );
  }
  return (
    <Empty icon={<IconInbox size={24} stroke={1.75} aria-hidden />} title={EMPTY_TITLES[code]}>
      {code === 'NEW' &&
        'When a hospital or facility reports an event for someone on your rosters, it appears here automatically.'}
    </Empty>
  );
};

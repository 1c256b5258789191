import { useQuery } from '@tanstack/react-query';
import { INBOX_LISTS, type InboxListCode } from '#contract/inbox-lists.ts';
import { isSubset, type ListFilters } from '../filters/use-filters.ts';
import { NobodyListed } from '../lists/nobody-listed.tsx';
import { useUnfilteredQuery } from '../lists/unfiltered-count.ts';
import { IconCircleCheck, IconInbox } from '../ui/icons.ts';
import { Empty } from '../ui/states.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { countsQuery } from './counts.ts';

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
}

/** Why a list has no rows, and what to do about it. */
export const EmptyList = ({ code, filters }: Props) => {
  const subset = isSubset(filters);
  const NothingMatches = useLoaded(loadNothingMatches, subset);
  const isNew = code === 'NEW';
  const { data: counts, isLoading } = useQuery({ ...countsQuery, enabled: isNew });
  const isFirst = isNew && counts?.open === 0 && counts.resolved === 0;
  const patients = useUnfilteredQuery(isFirst);
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
  // Another reason would show for a moment before the right one.
  if ((isNew && isLoading) || patients.isLoading) return null;
  if (isFirst && patients.data === 0)
    return <NobodyListed>What happens to them appears here automatically.</NobodyListed>;
  if (isNew && counts && !isFirst) {
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
      {isNew &&
        'When a hospital or facility reports an event for someone on your rosters, it appears here automatically.'}
    </Empty>
  );
};

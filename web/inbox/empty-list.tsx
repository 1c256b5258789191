import { MANAGEMENT_STATUS_LABELS, type ManagementStatus } from '#contract/management-status.ts';
import { isSubset, type ListFilters } from '../filters/use-filters.ts';
import { IconCircleCheck, IconInbox } from '../ui/icons.ts';
import { Empty } from '../ui/states.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import type { Counts } from './counts.ts';
import { type InboxSearch, statusOf } from './inbox-search.ts';

const loadNothingMatches = () => import('../lists/nothing-matches.tsx').then((file) => file.NothingMatches);
const EMPTY_TITLES: Record<ManagementStatus, string> = {
  NEW: 'No unresolved pings.',
  IN_PROGRESS: 'No pings in progress.',
  RESOLVED: 'No resolved pings yet.',
  DISMISSED: 'No dismissed pings yet.',
};

interface Props {
  search: InboxSearch;
  filters: ListFilters;
  counts: Counts | undefined;
}

/** Why a list has no rows, and what to do about it. */
export const EmptyList = ({ search, filters, counts }: Props) => {
  const status = statusOf(search);
  const subset = isSubset(filters);
  const NothingMatches = useLoaded(loadNothingMatches, subset);
  if (subset)
    return (
      NothingMatches && (
        <NothingMatches
          what="pings"
          filters={filters}
          elsewhere={`Only ${MANAGEMENT_STATUS_LABELS[status]} pings were searched. Other lists may have matches.`}
        />
      )
    );
  if (status === 'NEW' && counts && counts.open + counts.resolved > 0) {
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
    <Empty icon={<IconInbox size={24} stroke={1.75} aria-hidden />} title={EMPTY_TITLES[status]}>
      {status === 'NEW' &&
        'When a hospital or facility reports an event for someone on your rosters, it appears here automatically.'}
    </Empty>
  );
};

import { ActionIcon, SegmentedControl, Text, Title } from '@mantine/core';
import { MANAGEMENT_STATUS_LABELS, MANAGEMENT_STATUSES, type ManagementStatus } from '#contract/management-status.ts';
import type { SortKey } from '#contract/search.ts';
import { useSession } from '../session/session.ts';
import { IconRefresh, IconX } from '../ui/icons.ts';
import { Select } from '../ui/select.tsx';
import type { Counts } from './counts.ts';
import classes from './inbox.module.css';
import { type InboxSearch, orderOf, SORTS, statusOf } from './inbox-search.ts';

const countOf = (status: ManagementStatus, counts: Counts | undefined): number | null => {
  if (!counts || counts.new === null) return null;
  return status === 'NEW' ? counts.new : status === 'IN_PROGRESS' ? counts.open - counts.new : null;
};

const KEYS = Object.keys(SORTS) as SortKey[];
/** Each sort in both orders, its default first. */
const ORDERS = KEYS.flatMap((key) => {
  const { label, ascending, descending, largestFirst } = SORTS[key];
  const both = [
    { value: `${key} ASC`, label: `${label}, ${ascending}` },
    { value: `${key} DESC`, label: `${label}, ${descending}` },
  ];
  return largestFirst ? both.toReversed() : both;
});

/** The part of the URL for one of them; defaults are left out. */
const sortOf = (value: string): Pick<InboxSearch, 'sort' | 'order'> => {
  const sort = KEYS.find((key) => value.startsWith(`${key} `));
  const order = value.endsWith('ASC') ? 'ASC' : 'DESC';
  return {
    sort: sort === 'PING_ENCOUNTER_DATE' ? undefined : sort,
    order: order === orderOf({ sort }) ? undefined : order,
  };
};

interface Props {
  search: InboxSearch;
  counts: Counts | undefined;
  /** Rows of the list; null while unknown. */
  total: number | null;
  refreshing: boolean;
  choose: (search: Partial<InboxSearch>) => void;
  refresh: () => void;
}

/** Title with counts, the lists, the order and the filter. */
export const ListHeader = ({ search, counts, total, refreshing, choose, refresh }: Props) => {
  const { team } = useSession();
  const groups = Object.values(team.groups).sort((a, b) => a.name.localeCompare(b.name));
  const group = search.group ? team.groups[search.group] : undefined;
  const status = statusOf(search);
  return (
    <div className={classes.head}>
      <div className={classes.titleLine}>
        <Title order={1}>Pings</Title>
        <Text c="dimmed" span className="tabular">
          {[
            counts?.new == null ? null : `${counts.new} new of ${counts.open} open`,
            counts && counts.new === null ? `${counts.open} open` : null,
            team.name,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <ActionIcon
          className={classes.refresh}
          title="Refresh the list"
          aria-label="Refresh the list"
          loading={refreshing}
          onClick={refresh}
        >
          <IconRefresh size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      </div>
      <SegmentedControl
        className={classes.lists}
        aria-label="List"
        size="xs"
        value={status}
        onChange={(value) => choose({ status: value === 'NEW' ? undefined : value, p: undefined, sel: undefined })}
        data={MANAGEMENT_STATUSES.map((value) => {
          const count = countOf(value, counts);
          return {
            value,
            label: count === null ? MANAGEMENT_STATUS_LABELS[value] : `${MANAGEMENT_STATUS_LABELS[value]} ${count}`,
          };
        })}
      />
      <div className={classes.tools}>
        {groups.length > 1 && (
          <Select
            aria-label="Group"
            value={search.group ?? ''}
            onChange={({ currentTarget }) =>
              choose({ group: currentTarget.value || undefined, p: undefined, sel: undefined })
            }
            data={[{ value: '', label: 'All groups' }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        )}
        <Select
          aria-label="Sort by"
          value={`${search.sort ?? 'PING_ENCOUNTER_DATE'} ${orderOf(search)}`}
          onChange={({ currentTarget }) => choose({ ...sortOf(currentTarget.value), p: undefined })}
          data={ORDERS}
        />
      </div>
      {group && (
        <p className={classes.subset}>
          <span className={classes.filter}>
            Group: {group.name}
            <button
              type="button"
              aria-label={`Remove the filter Group: ${group.name}`}
              onClick={() => choose({ group: undefined, p: undefined })}
            >
              <IconX size={14} aria-hidden />
            </button>
          </span>
          <span>
            {total === null ? 'Only this group is shown.' : `${total} in this group; other groups are hidden.`}
          </span>
        </p>
      )}
    </div>
  );
};

import { ActionIcon, NativeSelect, SegmentedControl, Text, Title } from '@mantine/core';
import { MANAGEMENT_STATUS_LABELS, MANAGEMENT_STATUSES, type ManagementStatus } from '#contract/management-status.ts';
import { useSession } from '../session/session.ts';
import { IconRefresh, IconX } from '../ui/icons.ts';
import type { Counts } from './counts.ts';
import classes from './inbox.module.css';
import { type InboxSearch, orderOf, SORTS, statusOf } from './inbox-search.ts';

const countOf = (status: ManagementStatus, counts: Counts | undefined): number | null => {
  if (!counts || counts.new === null) return null;
  return status === 'NEW' ? counts.new : status === 'IN_PROGRESS' ? counts.open - counts.new : null;
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
  const sort = search.sort ?? 'PING_ENCOUNTER_DATE';
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
        onChange={(value) =>
          choose({ status: value === 'NEW' ? undefined : (value as ManagementStatus), p: undefined, sel: undefined })
        }
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
          <NativeSelect
            size="xs"
            aria-label="Group"
            value={search.group ?? ''}
            onChange={({ currentTarget }) =>
              choose({ group: currentTarget.value || undefined, p: undefined, sel: undefined })
            }
            data={[{ value: '', label: 'All groups' }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        )}
        <NativeSelect
          size="xs"
          aria-label="Sort by"
          value={sort}
          onChange={({ currentTarget }) => {
            const key = currentTarget.value as keyof typeof SORTS;
            choose({ sort: key === 'PING_ENCOUNTER_DATE' ? undefined : key, order: undefined, p: undefined });
          }}
          data={Object.entries(SORTS).map(([value, { label }]) => ({ value, label }))}
        />
        <NativeSelect
          size="xs"
          aria-label="Order"
          value={orderOf(search)}
          onChange={({ currentTarget }) => {
            const order = currentTarget.value as 'ASC' | 'DESC';
            choose({ order: order === orderOf({ sort }) ? undefined : order, p: undefined });
          }}
          data={[
            {
              value: 'DESC',
              label: SORTS[sort].descending && sort !== 'LENGTH_OF_STAY' ? 'Newest first' : 'Descending',
            },
            { value: 'ASC', label: SORTS[sort].descending && sort !== 'LENGTH_OF_STAY' ? 'Oldest first' : 'Ascending' },
          ]}
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

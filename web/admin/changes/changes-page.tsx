import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AdminChange } from '#contract/admin-changes.ts';
import { authorWords, entryWords, MOST_CHANGES_EXPORTED } from '#contract/audit-log-words.ts';
import { counted } from '#contract/counted.ts';
import { pathOf } from '../../api/call.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { useNavigate, useSearch } from '../../router/hooks.ts';
import { useSession } from '../../session/session.ts';
import { CardTable } from '../../ui/card-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty } from '../../ui/states.tsx';
import adminClasses from '../admin.module.css';
import { AdminPage } from '../admin-page.tsx';
import { changesQuery } from '../admin-queries.ts';
import { type Directory, useDirectory } from '../directory/use-directory.ts';
import { organizationColumn } from '../organization.ts';
import { detailOf } from './change-detail.ts';
import classes from './changes.module.css';
import { ChangesFilters } from './changes-filters.tsx';
import { type ChangesFilter, changesSearch, filtersOf, only } from './changes-search.ts';

const Description = ({ change, directory }: { change: AdminChange; directory: Directory | undefined }) => (
  <>
    <span>{entryWords(change)}</span>
    {directory &&
      detailOf(change, directory).map((line) => (
        <div key={line} className={adminClasses.dim}>
          {line}
        </div>
      ))}
  </>
);

/** '12 entries match 2 filters', 'More than 10,000 entries'. */
const countWords = (total: number, hasMore: boolean, filters: number): string => {
  const entries = `${hasMore ? 'More than ' : ''}${counted(total, 'entry', 'entries')}`;
  if (filters === 0) return entries;
  return `${entries} ${total === 1 ? 'matches' : 'match'} ${counted(filters, 'filter')}`;
};

/** How many entries there are, and the file with them. */
const Head = ({ filter, words, clear }: { filter: ChangesFilter; words: string; clear: (() => void) | null }) => {
  const { team } = useSession();
  return (
    <div className={classes.head}>
      <Text size="sm" c="dimmed" className="tabular" aria-live="polite">
        {words}
        {clear && (
          <Button size="compact-xs" variant="subtle" ml="sm" onClick={clear}>
            Clear all
          </Button>
        )}
      </Text>
      <Text size="sm" c="dimmed">
        <Anchor
          size="sm"
          underline="always"
          href={pathOf('GET /api/admin/changes.csv', { query: { teamId: team.id, ...filtersOf(filter) } })}
          download
        >
          Download as CSV
        </Anchor>{' '}
        (newest {MOST_CHANGES_EXPORTED.toLocaleString('en-US')} entries at most)
      </Text>
    </div>
  );
};

const NoEntries = ({ clear }: { clear: (() => void) | null }) =>
  clear ? (
    <Empty
      title="No entries match."
      action={
        <Button size="xs" variant="default" onClick={clear}>
          Clear all
        </Button>
      }
    >
      Choose other days, or another person or kind.
    </Empty>
  ) : (
    <Empty title="No entries yet." />
  );

const Entries = ({ changes }: { changes: AdminChange[] }) => {
  const directory = useDirectory();
  return (
    <CardTable
      label="Audit log"
      rows={changes}
      columns={[
        ['When', ({ date }) => <DateTime value={date} />, { width: '16%' }],
        ['Who', authorWords, { width: '16%' }],
        ['What', (change) => <Description change={change} directory={directory.data} />],
        ...organizationColumn(changes),
        ['IP address', ({ address }) => address ?? 'Not recorded', { width: '12%' }],
      ]}
    />
  );
};

/** The audit log: who changed what in accounts and in everything that is administered, who signed in, and who was refused. */
export const ChangesPage = () => {
  const search = changesSearch(useSearch());
  const { p = 1, ...filter } = search;
  const navigate = useNavigate();
  const go = (to: Parameters<typeof only>[0], replace = false): void =>
    void navigate({ to: '.', search: only(to), replace });
  const filters = Object.keys(filtersOf(filter)).length;
  const clear = filters > 0 ? () => go({}, true) : null;
  const query = useQuery(changesQuery({ ...filtersOf(filter), pageNumber: p }));
  return (
    <AdminPage
      title="Audit log"
      lead="Who changed what in accounts, teams, groups, roles, connections and feeds, who signed in, and who was refused. Kept for six years. Read-only."
    >
      {/* Another filter starts at the first page. */}
      <ChangesFilters filter={filter} change={(part) => go({ ...filter, ...part }, true)} />
      <Loaded query={query} what="audit log">
        {({ changes, total, numPages, hasMore }) => (
          <>
            <Head filter={filter} words={countWords(total, hasMore, filters)} clear={clear} />
            {changes.length === 0 ? <NoEntries clear={clear} /> : <Entries changes={changes} />}
            <div className={adminClasses.foot}>
              <Text size="sm" c="dimmed">
                {hasMore && p === numPages && 'For older entries, choose an earlier last day.'}
              </Text>
              <Pager page={p} pages={numPages} go={(page) => go({ ...filter, p: page })} />
            </div>
          </>
        )}
      </Loaded>
    </AdminPage>
  );
};

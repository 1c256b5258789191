import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AdminChange } from '#contract/admin-changes.ts';
import { CHANGE_WORDS } from '#contract/change-words.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { formatDateTime } from '../../ui/format/date.ts';
import { Pager } from '../../ui/pager.tsx';
import { Empty } from '../../ui/states.tsx';
import classes from '../admin.module.css';
import { AdminPage } from '../admin-page.tsx';
import { changesQuery, userQuery } from '../admin-queries.ts';
import { type Directory, useDirectory } from '../directory/use-directory.ts';
import { detailOf, subjectWords } from './change-detail.ts';
import type { ChangesSearch } from './changes-search.ts';

/** The person or connection that made the change. */
const authorOf = ({ by, through }: AdminChange): string =>
  by?.name ?? (through ? `Single sign-on: ${through.name ?? `ID ${through.id}`}` : 'Emailed link');

const Description = ({ change, directory }: { change: AdminChange; directory: Directory | undefined }) => {
  return (
    <>
      <span>
        {CHANGE_WORDS[change.action]} {subjectWords(change)}
      </span>
      {directory &&
        detailOf(change, directory).map((line) => (
          <div key={line} className={classes.dim}>
            {line}
          </div>
        ))}
    </>
  );
};

/** The account that the audit log is limited to. */
const UserFilter = ({ id, clear }: { id: string; clear: () => void }) => {
  const { data } = useQuery(userQuery(id));
  return (
    <Text size="sm">
      Only changes to {data ? `the account of ${data.firstName} ${data.lastName}` : 'one account'}.
      <Button size="compact-xs" variant="subtle" ml="sm" onClick={clear}>
        Show all changes
      </Button>
    </Text>
  );
};

/** The audit log: who changed what and when, in accounts and in everything that is administered. */
export const ChangesPage = () => {
  const { user, p = 1 } = useSearch({ strict: false }) as ChangesSearch;
  const navigate = useNavigate();
  const go = (search: ChangesSearch): void => void navigate({ to: '.', search });
  const query = useQuery(changesQuery({ ...(user ? { userId: String(user) } : {}), pageNumber: p }));
  const directory = useDirectory();
  return (
    <AdminPage
      title="Audit log"
      lead="Who changed what in accounts, teams, groups, roles, connections and feeds. Read-only."
    >
      {user && <UserFilter id={String(user)} clear={() => go({})} />}
      <Loaded query={query} what="audit log">
        {({ changes, numPages }) =>
          changes.length === 0 ? (
            <Empty title="No changes yet." />
          ) : (
            <>
              <CardTable
                label="Audit log"
                rows={changes}
                columns={[
                  ['When', ({ date }) => <time dateTime={date}>{formatDateTime(date)}</time>],
                  ['Who', authorOf],
                  ['What', (change) => <Description change={change} directory={directory.data} />],
                ]}
              />
              <div className={classes.foot}>
                <span />
                <Pager
                  page={p}
                  pages={numPages}
                  go={(page) => go({ ...(user ? { user } : {}), ...(page > 1 ? { p: page } : {}) })}
                />
              </div>
            </>
          )
        }
      </Loaded>
    </AdminPage>
  );
};

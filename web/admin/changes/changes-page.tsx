import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type AdminChange, CHANGE_WORDS } from '#contract/admin-changes.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { formatDateTime } from '../../ui/format/date.ts';
import { Pager } from '../../ui/pager.tsx';
import { Empty } from '../../ui/states.tsx';
import classes from '../admin.module.css';
import { AdminPage } from '../admin-page.tsx';
import { changesQuery, userQuery } from '../admin-queries.ts';
import { type Directory, useDirectory } from '../use-directory.ts';
import { detailOf } from './change-detail.ts';
import type { ChangesSearch } from './changes-search.ts';

const none = (): void => {};

/** Whoever or whatever did it, in words. */
const whoOf = ({ by, through }: AdminChange): string =>
  by?.name ?? (through ? `The connection ${through.name ?? `No. ${through.id}`}` : 'By a mailed link');

const What = ({ change, directory }: { change: AdminChange; directory: Directory | undefined }) => {
  const { action, by, subject } = change;
  const own = by !== null && by.id === subject.id && !action.includes('.add');
  return (
    <>
      <span>
        {CHANGE_WORDS[action]} {own ? 'himself or herself' : (subject.name ?? `No. ${subject.id ?? 'unknown'}`)}
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

/** Of which account the changes are shown, where they are not all. */
const OfUser = ({ id, all }: { id: string; all: () => void }) => {
  const { data } = useQuery(userQuery(id));
  return (
    <Text size="sm">
      What was done to {data ? `the account of ${data.firstName} ${data.lastName}` : 'one account'}.
      <Button size="compact-xs" variant="subtle" ml="sm" onClick={all}>
        Show all changes
      </Button>
    </Text>
  );
};

/** Who changed what and when, in accounts and in all that is administered. */
export const ChangesPage = () => {
  const { user, p = 1 } = useSearch({ strict: false }) as ChangesSearch;
  const navigate = useNavigate();
  const go = (search: ChangesSearch): void => void navigate({ to: '.', search });
  const query = useQuery(changesQuery({ ...(user ? { userId: String(user) } : {}), pageNumber: p }));
  const directory = useDirectory();
  return (
    <AdminPage
      title="Changes"
      lead="Who changed what in accounts, teams, groups, roles, connections and feeds. Nothing here can be changed."
      message={null}
      close={none}
    >
      {user && <OfUser id={String(user)} all={() => go({})} />}
      <Loaded query={query} what="changes">
        {({ changes, numPages }) =>
          changes.length === 0 ? (
            <Empty title="Nothing has been changed yet." />
          ) : (
            <>
              <CardTable
                label="Changes"
                rows={changes}
                columns={[
                  ['When', ({ date }) => <time dateTime={date}>{formatDateTime(date)}</time>],
                  ['Who', whoOf],
                  ['What', (change) => <What change={change} directory={directory.data} />],
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

import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { counted } from '#contract/counted.ts';
import { REPORT_PERIODS, SECOND_FACTORS, USER_COLUMNS } from '#contract/report-words.ts';
import type { ReportedUser } from '#contract/reports.ts';
import { USER_STATUSES } from '#contract/user-statuses.ts';
import { AdminPage } from '../admin/admin-page.tsx';
import { roleName } from '../admin/labels.ts';
import { organizationColumn } from '../admin/organization.ts';
import { PageFoot } from '../admin/paging/page-foot.tsx';
import { UserStatusBadge } from '../admin/users/user-status-badge.tsx';
import { pathOf } from '../api/call.ts';
import { Loaded } from '../forms/loaded.tsx';
import { oneOf } from '../router/search-values.ts';
import { useSession } from '../session/session.ts';
import { CardTable } from '../ui/card-table.tsx';
import { DateTime } from '../ui/date-time.tsx';
import { formatDate } from '../ui/format/date.ts';
import { NamesCell } from '../ui/names-cell.tsx';
import { Choice, OfUserFilters, ReportFilters, ReportHead } from './report-filters.tsx';
import { NoRows, UserLink } from './report-parts.tsx';
import { userReportQuery } from './report-queries.ts';
import { dayIn, ofUserIn, sortIn } from './report-search.ts';
import classes from './reports.module.css';
import { useReport } from './use-report.ts';

const KEYS = ['team', 'group', 'role', 'status', 'factor', 'signedIn', 'day', 'days'] as const;
const SIGNED_IN = ['never', 'before', 'after'] as const;

const read = (raw: Record<string, unknown>) => ({
  ...ofUserIn(raw, USER_STATUSES),
  status: oneOf(raw['status'], USER_STATUSES),
  secondFactor: oneOf(raw['factor'], Object.keys(SECOND_FACTORS) as (keyof typeof SECOND_FACTORS)[]),
  lastSignIn: oneOf(raw['signedIn'], SIGNED_IN),
  lastSignInDay: dayIn(raw['day']),
  days: oneOf(raw['days'], REPORT_PERIODS),
  ...sortIn(raw, USER_COLUMNS),
});

const useUserReport = () => useReport(KEYS, read);
type UsersReport = ReturnType<typeof useUserReport>;

const Filters = ({ report }: { report: UsersReport }) => {
  const signedIn = report.text('signedIn');
  return (
    <ReportFilters report={report} columns={USER_COLUMNS} sort="name">
      <OfUserFilters report={report} />
      <Choice
        report={report}
        name="signedIn"
        label="Last sign-in"
        all="Any time"
        choices={[
          ['never', 'Never'],
          ['before', 'Before a day'],
          ['after', 'On or after a day'],
        ]}
      />
      {(signedIn === 'before' || signedIn === 'after') && (
        <TextInput
          type="date"
          label="Day of the last sign-in"
          value={report.text('day')}
          onChange={({ currentTarget }) => report.set({ day: currentTarget.value })}
        />
      )}
      <Choice
        report={report}
        name="factor"
        label="Two-step verification"
        all="All"
        choices={Object.entries(SECOND_FACTORS)}
      />
      <Choice
        report={report}
        name="days"
        label="Count sign-ins in"
        standard="30"
        choices={REPORT_PERIODS.map((days) => [String(days), `The last ${days} days`])}
      />
    </ReportFilters>
  );
};

/** When the account was created, invited and activated. */
const AccountDates = ({ user }: { user: ReportedUser }) => (
  <dl className={classes.dates}>
    <dt>Created</dt>
    <dd>{formatDate(user.createdDate)}</dd>
    <dt>Invited</dt>
    <dd>{user.invitedDate ? formatDate(user.invitedDate) : 'No email'}</dd>
    <dt>Activated</dt>
    <dd>{user.activatedDate ? formatDate(user.activatedDate) : 'Not yet'}</dd>
  </dl>
);

/** The last sign-in, and how many there were in the period of the report. */
const SignIns = ({ user: { lastSignInDate, signIns } }: { user: ReportedUser }) => (
  <>
    {lastSignInDate ? <DateTime value={lastSignInDate} /> : 'Never'}
    {lastSignInDate && <div className={classes.dim}>{counted(signIns, 'sign-in', 'sign-ins')}</div>}
  </>
);

const UserRows = ({ users }: { users: ReportedUser[] }) => (
  <CardTable
    label="Users"
    rows={users}
    columns={[
      [
        'Name',
        (user) => <UserLink user={user} more={[user.username, user.title].filter(Boolean).join(' · ')} />,
        { width: '15%' },
      ],
      ...organizationColumn(users),
      ['Status', ({ status }) => <UserStatusBadge status={status} />, { width: '9%' }],
      ['Teams', ({ teams }) => <NamesCell names={teams} one="team" many="teams" />, { width: '10%' }],
      ['Groups', ({ groups }) => <NamesCell names={groups} one="group" many="groups" />, { width: '10%' }],
      ['Roles', ({ roles }) => <NamesCell names={roles.map(roleName)} one="role" many="roles" />, { width: '11%' }],
      ['Last sign-in', (user) => <SignIns user={user} />, { width: '10%' }],
      ['Last active', ({ lastActiveDate: date }) => (date ? <DateTime value={date} /> : 'Never'), { width: '10%' }],
      ['Two-step verification', ({ secondFactor }) => SECOND_FACTORS[secondFactor], { width: '10%' }],
      ['Account', (user) => <AccountDates user={user} />, { width: '14%' }],
    ]}
  />
);

/** The report of the users. */
export const UserReport = () => {
  const { team } = useSession();
  const report = useUserReport();
  const query = useQuery(userReportQuery(report.parameters));
  const { pageNumber: _, pageSize: __, ...filters } = report.parameters;
  const file = pathOf('GET /api/reports/users.csv', { query: { ...filters, teamId: team.id } });
  return (
    <AdminPage title="User report" lead="Who has an account, with which access, and when they were last here.">
      <Filters report={report} />
      <Loaded query={query} what="report">
        {({ users, total }) => (
          <>
            <ReportHead report={report} total={total} one="user" many="users" file={file} />
            {users.length === 0 ? <NoRows title="No users match." report={report} /> : <UserRows users={users} />}
            <PageFoot paging={report.paging} total={total} />
          </>
        )}
      </Loaded>
    </AdminPage>
  );
};

import { Badge, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import { PERMISSION_WORDS } from '#contract/permission-words.ts';
import { PERMISSION_FLAGS } from '#contract/permissions.ts';
import { ACCESS_COLUMNS, DORMANT_AFTER_DAYS, DORMANT_REASONS, USE_SOURCES } from '#contract/report-words.ts';
import type { ReviewedAccess } from '#contract/reports.ts';
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
import { formatDateTime } from '../ui/format/date.ts';
import { Choice, OfUserFilters, ReportFilters, ReportHead } from './report-filters.tsx';
import { NoRows, UserLink } from './report-parts.tsx';
import { accessReviewQuery } from './report-queries.ts';
import { ofUserIn, sortIn } from './report-search.ts';
import classes from './reports.module.css';
import { useReport } from './use-report.ts';

const KEYS = ['team', 'group', 'role', 'status', 'permission', 'dormant'] as const;

const read = (raw: Record<string, unknown>) => ({
  ...ofUserIn(raw, USER_STATUSES),
  status: oneOf(raw['status'], USER_STATUSES),
  permission: oneOf(raw['permission'], PERMISSION_FLAGS),
  dormant: oneOf(raw['dormant'], ['true'] as const),
  ...sortIn(raw, ACCESS_COLUMNS),
});

const useAccessReview = () => useReport(KEYS, read);

const sentence = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1);

const Filters = ({ report }: { report: ReturnType<typeof useAccessReview> }) => (
  <>
    <ReportFilters report={report} columns={ACCESS_COLUMNS} sort="name">
      <OfUserFilters report={report} />
      <Choice
        report={report}
        name="permission"
        label="Permission"
        all="All permissions"
        choices={PERMISSION_FLAGS.map((flag) => [flag, sentence(PERMISSION_WORDS[flag].action)])}
      />
    </ReportFilters>
    <Checkbox
      my="xs"
      label="Dormant only"
      checked={report.text('dormant') === 'true'}
      onChange={({ currentTarget }) => report.set({ dormant: currentTarget.checked ? 'true' : '' })}
    />
  </>
);

const lastUseOf = ({ isRecorded, lastUsedDate, source }: ReviewedAccess['permissions'][number]): string => {
  if (!isRecorded) return 'use not recorded';
  return lastUsedDate && source ? `${formatDateTime(lastUsedDate)}, by ${USE_SOURCES[source]}` : 'never used';
};

/** '18 permissions', which open with the last use of each. */
const Permissions = ({ access: { permissions, neverUsed } }: { access: ReviewedAccess }) => {
  const [open, setOpen] = useState(false);
  const unrecorded = permissions.filter(({ isRecorded }) => !isRecorded).length;
  const label = counted(permissions.length, 'permission', 'permissions');
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {label}
        {neverUsed > 0 && `, ${neverUsed} never used`}
        {unrecorded > 0 && `, use of ${unrecorded} not recorded`}
      </summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
        <ul tabIndex={0} aria-label={label} className={classes.rights}>
          {permissions.map((permission) => (
            <li key={permission.flag}>
              {sentence(PERMISSION_WORDS[permission.flag].action)}: {lastUseOf(permission)}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
};

const Dormant = ({ reasons }: { reasons: ReviewedAccess['dormant'] }) =>
  reasons.length === 0 ? (
    'No'
  ) : (
    <>
      <Badge component="span" color="caution">
        Dormant
      </Badge>
      <ul className={classes.reasons}>
        {reasons.map((reason) => (
          <li key={reason}>{DORMANT_REASONS[reason]}</li>
        ))}
      </ul>
    </>
  );

const AccessRows = ({ accesses }: { accesses: ReviewedAccess[] }) => (
  <CardTable
    label="Access"
    rows={accesses}
    columns={[
      ['Name', ({ user }) => <UserLink user={user} more={user.username} />, { width: '15%' }],
      ...organizationColumn(accesses),
      ['Status', ({ status }) => <UserStatusBadge status={status} />, { width: '10%' }],
      ['Team', ({ team }) => team.name, { width: '11%' }],
      ['Group', ({ group }) => group.name, { width: '11%' }],
      ['Role', ({ role }) => roleName(role.name), { width: '11%' }],
      ['Permissions', (access) => <Permissions access={access} />, { width: '14%' }],
      ['Last sign-in', ({ lastSignInDate: date }) => (date ? <DateTime value={date} /> : 'Never'), { width: '10%' }],
      ['Last used', ({ lastUsedDate: date }) => (date ? <DateTime value={date} /> : 'Never'), { width: '10%' }],
      ['Dormant', ({ dormant }) => <Dormant reasons={dormant} />, { width: '14%' }],
    ]}
  />
);

/** Who may do what, when they last did, and what is dormant. */
export const AccessReview = () => {
  const { team } = useSession();
  const report = useAccessReview();
  const query = useQuery(accessReviewQuery(report.parameters));
  const { pageNumber: _, pageSize: __, ...filters } = report.parameters;
  const file = pathOf('GET /api/reports/access-review.csv', { query: { ...filters, teamId: team.id } });
  return (
    <AdminPage
      title="Access review"
      lead={`Who may do what, and when they last did it. Last use counts requests and page views on that team, across all its groups. Some permissions only change what other pages show, so their use isn't recorded. Access is dormant if the person hasn't signed in for ${DORMANT_AFTER_DAYS} days, or first signed in at least ${DORMANT_AFTER_DAYS} days ago and never used any of its permissions. If they never signed in, the days count from when the account was created. To end access, open the user.`}
    >
      <Filters report={report} />
      <Loaded query={query} what="report">
        {({ accesses, total }) => (
          <>
            <ReportHead report={report} total={total} one="row" many="rows" file={file} />
            {accesses.length === 0 ? (
              <NoRows title="No access matches." report={report} />
            ) : (
              <AccessRows accesses={accesses} />
            )}
            <PageFoot paging={report.paging} total={total} />
          </>
        )}
      </Loaded>
    </AdminPage>
  );
};

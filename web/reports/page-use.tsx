import { useQuery } from '@tanstack/react-query';
import { PAGE_COLUMNS, PAGE_GROUPINGS, type PageGrouping, pageName, REPORT_PERIODS } from '#contract/report-words.ts';
import type { ReportedPage } from '#contract/reports.ts';
import classes from '../admin/admin.module.css';
import { AdminPage } from '../admin/admin-page.tsx';
import { PageFoot } from '../admin/paging/page-foot.tsx';
import { pathOf } from '../api/call.ts';
import { Loaded } from '../forms/loaded.tsx';
import { idIn, oneOf } from '../router/search-values.ts';
import { useSession } from '../session/session.ts';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import { DateTime } from '../ui/date-time.tsx';
import { Choice, ReportFilters, ReportHead } from './report-filters.tsx';
import { NoRows } from './report-parts.tsx';
import { pageReportQuery } from './report-queries.ts';
import { sortIn } from './report-search.ts';
import { useReport } from './use-report.ts';

const KEYS = ['by', 'team', 'page', 'use', 'days'] as const;

const read = (raw: Record<string, unknown>) => ({
  by: oneOf(raw['by'], Object.keys(PAGE_GROUPINGS) as PageGrouping[]),
  ofTeamId: idIn(raw['team']),
  page: typeof raw['page'] === 'string' ? raw['page'].slice(0, 100) : undefined,
  use: oneOf(raw['use'], ['used', 'unused'] as const),
  days: oneOf(raw['days'], REPORT_PERIODS),
  ...sortIn(raw, PAGE_COLUMNS),
});

const usePageReport = () => useReport(KEYS, read);

const Filters = ({
  report,
  teams,
  locations,
}: {
  report: ReturnType<typeof usePageReport>;
  teams: readonly { id: string; name: string }[];
  locations: readonly string[];
}) => (
  <ReportFilters report={report} columns={PAGE_COLUMNS} sort="uses" order="desc">
    <Choice report={report} name="by" label="Show" standard="page" choices={Object.entries(PAGE_GROUPINGS)} />
    <Choice
      report={report}
      name="days"
      label="Period"
      standard="30"
      choices={REPORT_PERIODS.map((days) => [String(days), `The last ${days} days`])}
    />
    <Choice
      report={report}
      name="page"
      label="Page"
      all="All pages"
      choices={locations.map((location) => [location, pageName(location)])}
    />
    <Choice
      report={report}
      name="use"
      label="Use"
      all="Opened or not"
      choices={[
        ['used', 'Opened'],
        ['unused', 'Not opened by anyone'],
      ]}
    />
    <Choice
      report={report}
      name="team"
      label="Team"
      all="All teams"
      choices={teams.map(({ id, name }) => [id, name])}
    />
  </ReportFilters>
);

const NUMBER = { width: '14%', align: 'right' } as const;

const columnsOf = (by: PageGrouping): TableColumn<ReportedPage>[] => [
  ['Page', ({ page }) => <strong>{pageName(page)}</strong>, { width: '24%' }],
  ...(by === 'user'
    ? [
        [
          'User',
          ({ user, uses }: ReportedPage) =>
            user ? (
              <>
                {user.name}
                <div className={classes.dim}>{user.username}</div>
              </>
            ) : uses === 0 ? (
              'No one'
            ) : (
              ''
            ),
        ] as const,
      ]
    : []),
  ...(by === 'page'
    ? []
    : [['Team', ({ team, uses }: ReportedPage) => team?.name ?? (uses === 0 ? 'No team' : 'Not recorded')] as const]),
  ...(by === 'user' ? [] : [['Users', ({ users }: ReportedPage) => users.toLocaleString('en-US'), NUMBER] as const]),
  ['Times opened', ({ uses }) => uses.toLocaleString('en-US'), NUMBER],
  ['Last opened', ({ lastUsedDate: date }) => (date ? <DateTime value={date} /> : 'Not in this period')],
];

/** The route audit report: which pages were opened, and which by no one. */
export const PageUse = () => {
  const { team } = useSession();
  const report = usePageReport();
  const query = useQuery(pageReportQuery(report.parameters));
  const { pageNumber: _, pageSize: __, ...filters } = report.parameters;
  const file = pathOf('GET /api/reports/route-audit.csv', { query: { ...filters, teamId: team.id } });
  const { by = 'page' } = report.filters;
  return (
    <AdminPage
      title="Page use"
      lead="Which pages people in your organization opened. Only visits to pages are counted, not the patients on them. Pages that no one opened are listed with 0."
    >
      <Filters report={report} teams={query.data?.teams ?? []} locations={query.data?.locations ?? []} />
      <Loaded query={query} what="report">
        {({ pages, total }) => (
          <>
            <ReportHead report={report} total={total} one="row" many="rows" file={file} />
            {pages.length === 0 ? (
              <NoRows title="No pages match." report={report} />
            ) : (
              <CardTable label="Page use" rows={pages} columns={columnsOf(by)} />
            )}
            <PageFoot paging={report.paging} total={total} />
          </>
        )}
      </Loaded>
    </AdminPage>
  );
};

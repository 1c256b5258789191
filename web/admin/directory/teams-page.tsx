import { useQuery } from '@tanstack/react-query';
import type { AdminTeam, DirectoryGroup } from '#contract/admin.ts';
import { GROUP_TYPE_LABELS } from '#contract/groups.ts';
import { call } from '../../api/call.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { CardTable, type TableColumn } from '../../ui/card-table.tsx';
import { NamesCell } from '../../ui/names-cell.tsx';
import { Empty } from '../../ui/states.tsx';
import { AddButton } from '../add-button.tsx';
import { AdminPage } from '../admin-page.tsx';
import { directoryQuery, teamsQuery } from '../admin-queries.ts';
import { Opener } from '../opener.tsx';
import { organizationColumn } from '../organization.ts';
import { PagedList } from '../paging/paged-list.tsx';
import { usePaging } from '../paging/use-paging.ts';
import { useEditedPage } from '../use-edited-list.ts';
import { TeamDrawer } from './team-drawer.tsx';
import { nameOf } from './use-directory.ts';

const columns = (
  shown: readonly AdminTeam[],
  groups: readonly DirectoryGroup[],
  edit: (team: AdminTeam) => void,
): TableColumn<AdminTeam>[] => [
  ['Name', (team) => <Opener name={team.name} open={() => edit(team)} />, { width: '24%' }],
  ...organizationColumn(shown),
  ['Abbreviation', ({ abbreviation }) => abbreviation, { width: '11%' }],
  ['Type', ({ type }) => GROUP_TYPE_LABELS[type], { width: '17%' }],
  [
    'Groups',
    ({ groupIds }) => <NamesCell names={groupIds.map((id) => nameOf(groups, id))} one="group" many="groups" />,
  ],
  ['Members', ({ memberCount }) => memberCount.toLocaleString('en-US'), { width: '9%', align: 'right' }],
];

/** Teams, with the groups of each. */
export const TeamsPage = () => {
  const paging = usePaging();
  const {
    list: teams,
    editing,
    form,
  } = useEditedPage(teamsQuery(paging.filters), {
    entries: (answer) => answer.teams,
    load: (id) => call('GET /api/admin/teams/:id', { params: { id } }),
    changes: [['admin-teams'], directoryQuery.queryKey],
  });
  const directory = useQuery(directoryQuery);
  const groups = directory.data?.groups;
  return (
    <AdminPage
      title="Teams"
      lead="People work in teams. A team follows the patients of its groups."
      message={editing.message}
      dismissMessage={editing.dismissMessage}
      action={<AddButton label="Add team" ready={groups !== undefined} add={() => editing.edit('new')} />}
    >
      <Loaded query={teams} what="teams">
        {({ teams: shown, total }) =>
          total === 0 && !paging.query ? (
            <Empty title="No teams yet.">Add groups first, then create a team for them.</Empty>
          ) : (
            <PagedList paging={paging} total={total} one="team" many="teams">
              <CardTable label="Teams" rows={shown} columns={columns(shown, groups ?? [], editing.edit)} />
            </PagedList>
          )
        }
      </Loaded>
      {form && groups && <TeamDrawer key={form.key} team={form.entry} groups={groups} {...form.handlers} />}
    </AdminPage>
  );
};

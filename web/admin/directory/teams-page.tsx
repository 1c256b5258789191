import { useQuery } from '@tanstack/react-query';
import { GROUP_TYPE_LABELS } from '#contract/groups.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { AddButton } from '../add-button.tsx';
import { AdminPage } from '../admin-page.tsx';
import { groupsQuery, teamsQuery } from '../admin-queries.ts';
import { Opener } from '../opener.tsx';
import { organizationColumn } from '../organization.ts';
import { useEditedList } from '../use-edited-list.ts';
import { TeamDrawer } from './team-drawer.tsx';
import { nameOf } from './use-directory.ts';

/** Teams, with the groups of each. */
export const TeamsPage = () => {
  const { list: teams, editing, form } = useEditedList(teamsQuery);
  const groups = useQuery(groupsQuery);
  return (
    <AdminPage
      title="Teams"
      lead="People work in teams. A team follows the patients of its groups."
      message={editing.message}
      dismissMessage={editing.dismissMessage}
      action={<AddButton label="Add team" ready={groups.data !== undefined} add={() => editing.edit('new')} />}
    >
      <Loaded query={teams} what="teams">
        {(all) =>
          all.length === 0 ? (
            <Empty title="No teams yet.">Add groups first, then create a team for them.</Empty>
          ) : (
            <CardTable
              label="Teams"
              rows={all}
              columns={[
                ['Name', (team) => <Opener name={team.name} open={() => editing.edit(team)} />],
                ...organizationColumn(all),
                ['Abbreviation', ({ abbreviation }) => abbreviation],
                ['Type', ({ type }) => GROUP_TYPE_LABELS[type]],
                ['Groups', ({ groupIds }) => groupIds.map((id) => nameOf(groups.data ?? [], id)).join(', ')],
                ['Members', ({ memberCount }) => memberCount.toLocaleString('en-US')],
              ]}
            />
          )
        }
      </Loaded>
      {form && groups.data && <TeamDrawer key={form.key} team={form.entry} groups={groups.data} {...form.handlers} />}
    </AdminPage>
  );
};

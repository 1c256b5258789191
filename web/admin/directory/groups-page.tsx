import { Loaded } from '../../forms/loaded.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { AddButton } from '../add-button.tsx';
import { AdminPage } from '../admin-page.tsx';
import { groupsQuery } from '../admin-queries.ts';
import { groupTypeLabel } from '../labels.ts';
import { Opener } from '../opener.tsx';
import { organizationColumn } from '../organization.ts';
import { useEditedList } from '../use-edited-list.ts';
import { EndedGroups } from './ended-groups.tsx';
import { GroupDrawer } from './group-drawer.tsx';

/** Facilities and programs of the organisation. */
export const GroupsPage = () => {
  const { list: groups, editing, form, saved } = useEditedList(groupsQuery);
  return (
    <AdminPage
      title="Groups"
      lead="A group is a facility, which reports its stays, or a program, which lists people."
      message={editing.message}
      close={() => editing.say(null)}
      action={<AddButton words="Add a group" ready={groups.data !== undefined} add={() => editing.edit('new')} />}
    >
      <Loaded query={groups} what="groups">
        {(all) =>
          all.length === 0 ? (
            <Empty title="There is no group yet.">Add the facilities and programs of your organisation.</Empty>
          ) : (
            <CardTable
              label="Groups"
              rows={all}
              columns={[
                ['Name', (group) => <Opener name={group.name} open={() => editing.edit(group)} />],
                ...organizationColumn(all),
                ['Type', groupTypeLabel],
                ['State', ({ state }) => state ?? 'Not recorded'],
                ['Time zone', ({ timeZone }) => timeZone],
                [
                  'Stays come',
                  ({ type, isAutomated }) => (type === 'PROGRAM' ? 'From others' : isAutomated ? 'By feed' : 'By hand'),
                ],
                ['Part 2', ({ isPart2Facility }) => (isPart2Facility ? 'Yes: needs consent' : 'No')],
              ]}
            />
          )
        }
      </Loaded>
      <EndedGroups opened={saved} />
      {form && <GroupDrawer key={form.key} group={form.entry} {...form.does} />}
    </AdminPage>
  );
};

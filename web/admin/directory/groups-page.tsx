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
import { ClosedGroups } from './closed-groups.tsx';
import { GroupDrawer } from './group-drawer.tsx';
import { WaitingRosters } from './waiting-rosters.tsx';

/** Facilities and programs of the organization. */
export const GroupsPage = () => {
  const { list: groups, editing, form, saved } = useEditedList(groupsQuery);
  return (
    <AdminPage
      title="Groups"
      lead="A group is either a facility that reports its stays, or a program with a roster of patients."
      message={editing.message}
      dismissMessage={editing.dismissMessage}
      action={<AddButton label="Add group" ready={groups.data !== undefined} add={() => editing.edit('new')} />}
    >
      <WaitingRosters done={saved} />
      <Loaded query={groups} what="groups">
        {(all) =>
          all.length === 0 ? (
            <Empty title="No groups yet.">Add the facilities and programs of your organization.</Empty>
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
                  'Visit data',
                  ({ type, isAutomated }) =>
                    type === 'PROGRAM' ? 'Other facilities' : isAutomated ? 'Live feed' : 'Manual entry',
                ],
                ['42 CFR Part 2', ({ isPart2Facility }) => (isPart2Facility ? 'Yes, needs consent' : 'No')],
              ]}
            />
          )
        }
      </Loaded>
      <ClosedGroups reopened={saved} />
      {form && <GroupDrawer key={form.key} group={form.entry} {...form.handlers} />}
    </AdminPage>
  );
};

import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AdminGroup } from '#contract/admin.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { AddButton } from '../add-button.tsx';
import { AdminPage } from '../admin-page.tsx';
import { groupsQuery, waitingRostersQuery } from '../admin-queries.ts';
import { groupTypeLabel } from '../labels.ts';
import { Opener } from '../opener.tsx';
import { organizationColumn } from '../organization.ts';
import { useEditedList } from '../use-edited-list.ts';
import { ClosedGroups } from './closed-groups.tsx';
import { GroupDrawer } from './group-drawer.tsx';
import { RecordSettings } from './record-settings.tsx';
import { WaitingFacilities } from './waiting-facilities.tsx';
import { WaitingRosters } from './waiting-rosters.tsx';

const visitData = ({ type, isAutomated, waitsForApproval }: AdminGroup): string => {
  if (type === 'PROGRAM') return 'Other facilities';
  if (isAutomated) return 'Live feed';
  return waitsForApproval ? 'Manual entry, waiting for approval' : 'Manual entry';
};

/** What waits for an operator, above the list of groups; nothing for anyone else. */
const Waiting = ({ groups, done }: { groups: readonly AdminGroup[]; done: (message: string) => void }) => {
  const { data: rosters = [] } = useQuery(waitingRostersQuery);
  const facilities = groups.filter(({ canApprove }) => canApprove);
  if (rosters.length + facilities.length === 0) return null;
  return (
    <Stack gap="xl" mb="sm">
      {rosters.length > 0 && <WaitingRosters rosters={rosters} done={done} />}
      {facilities.length > 0 && <WaitingFacilities facilities={facilities} done={done} />}
      <Title order={2}>All groups</Title>
    </Stack>
  );
};

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
      <Waiting groups={groups.data ?? []} done={saved} />
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
                ['Visit data', visitData],
                ['42 CFR Part 2', ({ isPart2Facility }) => (isPart2Facility ? 'Yes, needs consent' : 'No')],
              ]}
            />
          )
        }
      </Loaded>
      <ClosedGroups reopened={saved} />
      <RecordSettings saved={saved} />
      {form && <GroupDrawer key={form.key} group={form.entry} {...form.handlers} />}
    </AdminPage>
  );
};

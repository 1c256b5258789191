import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AdminGroup } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { ZONE_WORDS } from '../../forms/zone-choices.ts';
import { CardTable, type TableColumn } from '../../ui/card-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { AddButton } from '../add-button.tsx';
import { AdminPage } from '../admin-page.tsx';
import { directoryQuery, facilitiesToApproveQuery, groupsQuery, waitingRostersQuery } from '../admin-queries.ts';
import { groupTypeLabel } from '../labels.ts';
import { Opener } from '../opener.tsx';
import { organizationColumn } from '../organization.ts';
import { PagedList } from '../paging/paged-list.tsx';
import { usePaging } from '../paging/use-paging.ts';
import { useEditedPage } from '../use-edited-list.ts';
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
const Waiting = ({ done }: { done: (message: string) => void }) => {
  const { data: rosters = [] } = useQuery(waitingRostersQuery);
  const facilities = useQuery(facilitiesToApproveQuery).data?.groups ?? [];
  if (rosters.length + facilities.length === 0) return null;
  return (
    <Stack gap="xl" mb="sm">
      {rosters.length > 0 && <WaitingRosters rosters={rosters} done={done} />}
      {facilities.length > 0 && <WaitingFacilities facilities={facilities} done={done} />}
      <Title order={2}>All groups</Title>
    </Stack>
  );
};

const columns = (shown: readonly AdminGroup[], edit: (group: AdminGroup) => void): TableColumn<AdminGroup>[] => [
  ['Name', (group) => <Opener name={group.name} open={() => edit(group)} />, { width: '24%' }],
  ...organizationColumn(shown),
  ['Type', groupTypeLabel, { width: '17%' }],
  ['State', ({ state }) => state ?? 'Not recorded', { width: '9%' }],
  ['Time zone', ({ timeZone }) => ZONE_WORDS[timeZone] ?? timeZone, { width: '12%' }],
  ['Visit data', visitData],
  ['42 CFR Part 2', ({ isPart2Facility }) => (isPart2Facility ? 'Yes, needs consent' : 'No'), { width: '11%' }],
];

/** Facilities and programs of the organization. */
export const GroupsPage = () => {
  const paging = usePaging();
  const {
    list: groups,
    editing,
    form,
    saved,
  } = useEditedPage(groupsQuery(paging.filters), {
    entries: (answer) => answer.groups,
    load: (id) => call('GET /api/admin/groups/:id', { params: { id } }),
    changes: [['admin-groups'], directoryQuery.queryKey],
  });
  return (
    <AdminPage
      title="Groups"
      lead="A group is either a facility that reports its stays, or a program with a roster of patients."
      message={editing.message}
      dismissMessage={editing.dismissMessage}
      action={<AddButton label="Add group" ready={groups.data !== undefined} add={() => editing.edit('new')} />}
    >
      <Waiting done={saved} />
      <Loaded query={groups} what="groups">
        {({ groups: shown, total }) =>
          total === 0 && !paging.query ? (
            <Empty title="No groups yet.">Add the facilities and programs of your organization.</Empty>
          ) : (
            <PagedList paging={paging} total={total} one="group" many="groups">
              <CardTable label="Groups" rows={shown} columns={columns(shown, editing.edit)} />
            </PagedList>
          )
        }
      </Loaded>
      <ClosedGroups reopened={saved} />
      <RecordSettings saved={saved} />
      {form && <GroupDrawer key={form.key} group={form.entry} {...form.handlers} />}
    </AdminPage>
  );
};

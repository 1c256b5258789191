import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import { TIME_ZONE_LABELS } from '#contract/time-zones.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { RemoveButton } from '../forms/remove-button.tsx';
import { useForm } from '../forms/use-form.ts';
import { zoneChoices } from '../forms/zone-choices.ts';
import { CardTable } from '../ui/card-table.tsx';
import { Empty } from '../ui/states.tsx';
import { AddButton } from './add-button.tsx';
import { AdminPage } from './admin-page.tsx';
import { groupsQuery } from './admin-queries.ts';
import type { AdminGroup } from './admin-types.ts';
import { EndedGroups } from './ended-groups.tsx';
import { choices, FACILITY_TYPE_LABELS, GROUP_TYPE_LABELS } from './labels.ts';
import { Opener } from './opener.tsx';
import { organizationColumn } from './organization.ts';
import { useEditedList } from './use-edited-list.ts';

interface Values {
  name: string;
  type: GroupType;
  facilityType: FacilityType | null;
  state: string;
  timeZone: string;
  address: string;
  isAutomated: boolean;
  isPart2Facility: boolean;
}

const valuesOf = (group: AdminGroup | null): Values => ({
  name: group?.name ?? '',
  type: group?.type ?? 'HOS',
  facilityType: group ? group.facilityType : 'HOS',
  state: group?.state ?? '',
  timeZone: group?.timeZone ?? TIME_ZONE_LABELS['New York'],
  address: group?.address ?? '',
  isAutomated: group?.isAutomated ?? true,
  isPart2Facility: group?.isPart2Facility ?? false,
});

/** The kind of facility that goes with a type of group, where there is but one. */
const facilityTypeFor = (type: GroupType, current: FacilityType | null): FacilityType | null =>
  type === 'PROGRAM' ? null : type === 'ADMITTING' ? (current ?? 'ALF') : type;

const EditGroup = ({
  group,
  saved,
  outdated,
  takeTheirs,
  close,
}: {
  group: AdminGroup | null;
  saved: (message: string) => void;
  outdated: () => void;
  takeTheirs: () => Promise<void>;
  close: () => void;
}) => {
  const form = useForm<Values, AdminGroup>({
    initial: valuesOf(group),
    check: ({ name }) => ({ name: name.trim() ? undefined : 'Enter the name.' }),
    keys: { NAME_TAKEN: 'name' },
    version: group?.version,
    save: (values, version) => {
      const body = {
        ...values,
        name: values.name.trim(),
        state: values.state.trim().toUpperCase() || null,
        address: values.address.trim() || null,
      };
      return group
        ? call('PUT /api/admin/groups/:id', { params: { id: group.id }, body: { ...body, version } })
        : call('POST /api/admin/groups', { body });
    },
    saved: ({ name }) => saved(`The group ${name} was saved.`),
    outdated,
    takeTheirs,
  });
  const { values, change, errorOf } = form;
  return (
    <EditDrawer title={group ? group.name : 'Add a group'} form={form} submit="Save" close={close}>
      <TextInput
        label="Name"
        maxLength={200}
        value={values.name}
        error={errorOf('name')}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <NativeSelect
        label="Type"
        value={values.type}
        error={errorOf('type')}
        onChange={({ currentTarget }) => {
          const type = currentTarget.value as GroupType;
          change({ type, facilityType: facilityTypeFor(type, values.facilityType) });
        }}
        data={choices(GROUP_TYPE_LABELS)}
      />
      {values.type !== 'PROGRAM' && (
        <NativeSelect
          label="Kind of facility"
          value={values.facilityType ?? ''}
          error={errorOf('facilityType')}
          onChange={({ currentTarget }) => change({ facilityType: currentTarget.value as FacilityType })}
          data={choices(FACILITY_TYPE_LABELS)}
        />
      )}
      <TextInput
        label="State"
        description="Two letters, for example MI"
        maxLength={2}
        value={values.state}
        error={errorOf('state')}
        onChange={({ currentTarget }) => change({ state: currentTarget.value })}
      />
      <NativeSelect
        label="Time zone"
        description="Events of this group are shown on this clock."
        value={values.timeZone}
        error={errorOf('timeZone')}
        onChange={({ currentTarget }) => change({ timeZone: currentTarget.value })}
        data={zoneChoices(values.timeZone)}
      />
      <TextInput
        label="Address"
        value={values.address}
        error={errorOf('address')}
        onChange={({ currentTarget }) => change({ address: currentTarget.value })}
      />
      <Checkbox
        label="Fed by a live feed"
        description="Otherwise its staff enter stays by hand."
        checked={values.isAutomated}
        onChange={({ currentTarget }) => change({ isAutomated: currentTarget.checked })}
      />
      <Checkbox
        label="Treats substance use disorders (42 CFR Part 2)"
        description="It then tells nobody outside without the patient’s consent on record."
        checked={values.isPart2Facility}
        onChange={({ currentTarget }) => change({ isPart2Facility: currentTarget.checked })}
      />
      {group && (
        <RemoveButton
          kind="group"
          what={`the group ${group.name}`}
          act={() => call('DELETE /api/admin/groups/:id', { params: { id: group.id } })}
          done={saved}
        >
          A group can be removed once nobody is listed there, no ping, stay or upload is open, no feed names it and
          nobody but you has access for it. What it was told stays on record, and it can be opened again.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};

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
                [
                  'Type',
                  ({ type, facilityType }) =>
                    type === 'ADMITTING' && facilityType ? FACILITY_TYPE_LABELS[facilityType] : GROUP_TYPE_LABELS[type],
                ],
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
      {form && <EditGroup key={form.key} group={form.entry} {...form.does} />}
    </AdminPage>
  );
};

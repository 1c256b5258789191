import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { FACILITY_TYPE_LABELS, type FacilityType, GROUP_TYPE_LABELS, type GroupType } from '#contract/groups.ts';
import { TIME_ZONE_LABELS } from '#contract/time-zones.ts';
import { call } from '../../api/call.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../../forms/fields.ts';
import { RemoveButton } from '../../forms/remove-button.tsx';
import { type Form, useForm } from '../../forms/use-form.ts';
import { zoneChoices } from '../../forms/zone-choices.ts';
import type { AdminGroup } from '../admin-types.ts';
import { choices } from '../labels.ts';
import type { EntryActs } from '../use-edited-list.ts';

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

const bodyOf = (values: Values) => ({
  ...values,
  name: values.name.trim(),
  state: values.state.trim().toUpperCase() || null,
  address: values.address.trim() || null,
});

const useGroupForm = (group: AdminGroup | null, { saved, outdated, takeTheirs }: EntryActs) =>
  useForm<Values, AdminGroup>({
    initial: valuesOf(group),
    check: ({ name }) => ({ name: name.trim() ? undefined : 'Enter the name.' }),
    keys: { NAME_TAKEN: 'name' },
    version: group?.version,
    save: (values, version) =>
      group
        ? call('PUT /api/admin/groups/:id', { params: { id: group.id }, body: { ...bodyOf(values), version } })
        : call('POST /api/admin/groups', { body: bodyOf(values) }),
    saved: ({ name }) => saved(`The group ${name} was saved.`),
    outdated,
    takeTheirs,
  });

/** The type, and the kind of facility: a program is none. */
const TypeFields = ({ form: { values, change, errorOf } }: { form: Form<Values> }) => (
  <>
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
  </>
);

/** One group, or a new one, beside the list. */
export const GroupDrawer = ({ group, ...acts }: EntryActs & { group: AdminGroup | null }) => {
  const form = useGroupForm(group, acts);
  return (
    <EditDrawer title={group ? group.name : 'Add a group'} form={form} submit="Save" close={acts.close}>
      <TextInput label="Name" maxLength={200} {...textOf(form, 'name')} />
      <TypeFields form={form} />
      <TextInput label="State" description="Two letters, for example MI" maxLength={2} {...textOf(form, 'state')} />
      <NativeSelect
        label="Time zone"
        description="Events of this group are shown on this clock."
        {...textOf(form, 'timeZone')}
        data={zoneChoices(form.values.timeZone)}
      />
      <TextInput label="Address" {...textOf(form, 'address')} />
      <Checkbox
        label="Fed by a live feed"
        description="Otherwise its staff enter stays by hand."
        {...tickOf(form, 'isAutomated')}
      />
      <Checkbox
        label="Treats substance use disorders (42 CFR Part 2)"
        description="It then tells nobody outside without the patient’s consent on record."
        {...tickOf(form, 'isPart2Facility')}
      />
      {group && (
        <RemoveButton
          kind="group"
          what={`the group ${group.name}`}
          act={() => call('DELETE /api/admin/groups/:id', { params: { id: group.id } })}
          done={acts.saved}
        >
          A group can be removed once nobody is listed there, no ping, stay or upload is open, no feed names it and
          nobody but you has access for it. What it was told stays on record, and it can be opened again.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};

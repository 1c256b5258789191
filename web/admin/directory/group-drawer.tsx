import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AdminGroup } from '#contract/admin.ts';
import { GROUP_TEXTS } from '#contract/admin-fields.ts';
import { FACILITY_TYPE_LABELS, type FacilityType, GROUP_TYPE_LABELS, type GroupType } from '#contract/groups.ts';
import { STATE_LABELS, type UsState } from '#contract/states.ts';
import { TIME_ZONE_LABELS } from '#contract/time-zones.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../../forms/fields.ts';
import { RemoveButton } from '../../forms/remove-button.tsx';
import { type Form, useForm } from '../../forms/use-form.ts';
import { zoneChoices } from '../../forms/zone-choices.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { choices } from '../labels.ts';
import { missingTexts } from '../required-texts.ts';
import type { EntryHandlers } from '../use-edited-list.ts';

interface Values {
  name: string;
  type: GroupType;
  facilityType: FacilityType | null;
  state: UsState | '';
  timeZone: string;
  address: string;
  isAutomated: boolean;
  isPart2Facility: boolean;
}

const STATE_CHOICES = [{ value: '', label: 'Not recorded' }, ...choices(STATE_LABELS)];

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

/** The facility type for a type of group: none for a program, free to choose for other facilities. */
const facilityTypeFor = (type: GroupType, current: FacilityType | null): FacilityType | null =>
  type === 'PROGRAM' ? null : type === 'ADMITTING' ? (current ?? 'ALF') : type;

/** Returns what was done, and what other people have to confirm or approve now. */
function savedMessage(before: AdminGroup | null, { name, waitsForApproval }: AdminGroup): string {
  const parts = [`The group ${name} was saved.`];
  if (before === null) {
    parts.push('You can manage it; another administrator has to confirm the rest of your access to it.');
  }
  if (waitsForApproval && !before?.waitsForApproval) {
    parts.push('Staff can enter patients manually once Tidings support has approved it.');
  }
  return parts.join(' ');
}

const bodyOf = (values: Values) => ({
  ...values,
  name: values.name.trim(),
  state: values.state || null,
  address: values.address.trim() || null,
});

const useGroupForm = (group: AdminGroup | null, { saved, outdated, takeTheirs }: EntryHandlers) =>
  useForm<Values, AdminGroup>({
    initial: valuesOf(group),
    check: ({ name }) => missingTexts(GROUP_TEXTS, { name }),
    keys: { NAME_TAKEN: 'name' },
    version: group?.version,
    save: (values, version) =>
      group
        ? call('PUT /api/admin/groups/:id', { params: { id: group.id }, body: { ...bodyOf(values), version } })
        : call('POST /api/admin/groups', { body: bodyOf(values) }),
    saved: (after) => saved(savedMessage(group, after)),
    outdated,
    takeTheirs,
  });

/** The type of the group, and for a facility its facility type. */
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
        label="Facility type"
        value={values.facilityType ?? ''}
        error={errorOf('facilityType')}
        onChange={({ currentTarget }) => change({ facilityType: currentTarget.value as FacilityType })}
        data={choices(FACILITY_TYPE_LABELS)}
      />
    )}
  </>
);

/** The 42 CFR Part 2 mark. Removing it opens visits without consent, so only an operator may, after a question. */
const Part2Field = ({ group, form }: { group: AdminGroup | null; form: Form<Values> }) => {
  const [asking, ask] = useState(false);
  const isMarked = group?.isPart2Facility ?? false;
  const mayLift = group?.canLiftPart2 ?? true;
  const tick = tickOf(form, 'isPart2Facility');
  const shared = "Its information is shared with others only if the patient's consent is on record.";
  return (
    <>
      <Checkbox
        label="Substance use disorder treatment (42 CFR Part 2)"
        description={isMarked && !mayLift ? `${shared} Only Tidings support can remove this mark.` : shared}
        disabled={isMarked && !mayLift}
        checked={tick.checked}
        onChange={(event) => (isMarked && tick.checked ? ask(true) : tick.onChange(event))}
      />
      {asking && (
        <Confirm
          title={`Remove the 42 CFR Part 2 mark from ${group?.name}?`}
          word="Remove mark"
          act={async () => form.change({ isPart2Facility: false })}
          done={() => ask(false)}
          close={() => ask(false)}
        >
          Once you save, every group that lists a patient of this facility, or got a ping about one, can read the visits
          there without the patient's consent. Each visit this opens is recorded with your name.
        </Confirm>
      )}
    </>
  );
};

/** The form of a group, or of a new one, beside the list. */
export const GroupDrawer = ({ group, ...handlers }: EntryHandlers & { group: AdminGroup | null }) => {
  const form = useGroupForm(group, handlers);
  return (
    <EditDrawer title={group ? group.name : 'Add group'} form={form} submit="Save" close={handlers.close}>
      <TextInput label="Name" maxLength={GROUP_TEXTS.name.max} {...textOf(form, 'name')} />
      <TypeFields form={form} />
      <NativeSelect label="State" {...textOf(form, 'state')} data={STATE_CHOICES} />
      <ChoiceField
        label="Time zone"
        description="Times of events at this group are shown in this time zone."
        {...textOf(form, 'timeZone')}
        data={zoneChoices(form.values.timeZone)}
      />
      <TextInput label="Address" {...textOf(form, 'address')} />
      <Checkbox
        label="Visits come from a live feed"
        description="If off, staff enter visits manually once Tidings support has approved it."
        {...tickOf(form, 'isAutomated')}
      />
      <Part2Field group={group} form={form} />
      {group && (
        <RemoveButton
          kind="group"
          what={`the group ${group.name}`}
          act={() => call('DELETE /api/admin/groups/:id', { params: { id: group.id } })}
          done={handlers.saved}
        >
          You can remove a group once its roster is empty, no pings, stays or uploads are open, no feed uses it and only
          you have access to it. Its history stays on record, and you can reopen it.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};

import { NativeSelect, Text, TextInput } from '@mantine/core';
import type { HeldPatient } from '#contract/pre-admit.ts';
import { GENDERS, HELD_HOURS, isLastFour, lastFourOfSsn, NOT_LAST_FOUR } from '#contract/pre-admit-words.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf } from '../forms/fields.ts';
import { useForm } from '../forms/use-form.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import type { HoldingGroup } from './holding-groups.ts';

interface Values {
  groupId: string;
  firstName: string;
  lastName: string;
  gender: string;
  dob: string;
  zip: string;
  ssn: string;
}

interface Props {
  /** The facilities to choose from, one at least. */
  groups: readonly HoldingGroup[];
  saved: (held: HeldPatient) => void;
  close: () => void;
}

/** The form of a patient whom a facility expects. */
export const HoldDrawer = ({ groups, saved, close }: Props) => {
  const [first] = groups;
  const form = useForm<Values, HeldPatient>({
    initial: { groupId: first?.id ?? '', firstName: '', lastName: '', gender: '', dob: '', zip: '', ssn: '' },
    check: ({ firstName, lastName, gender, dob, ssn }) => ({
      firstName: firstName.trim() ? undefined : 'Enter a first name.',
      lastName: lastName.trim() ? undefined : 'Enter a last name.',
      gender: gender ? undefined : 'Choose a gender.',
      dob: dob.trim() ? undefined : 'Enter a date of birth.',
      ssn: ssn.trim() === '' || isLastFour(ssn.trim()) ? undefined : NOT_LAST_FOUR,
    }),
    save: ({ gender, ...rest }) =>
      call('POST /api/pre-admit/patients', { body: { ...rest, gender: gender as HeldPatient['gender'] } }),
    saved: (held) => saved(held),
  });
  return (
    <EditDrawer title="Hold patient" form={form} submit="Hold patient" close={close}>
      <Text size="sm">
        {groups.length === 1 && (
          <>
            At <strong>{first?.name}</strong>.{' '}
          </>
        )}
        Held for {HELD_HOURS} hours, or until the patient is admitted.
      </Text>
      {groups.length > 1 && (
        <ChoiceField
          label="Facility"
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
          {...textOf(form, 'groupId')}
        />
      )}
      <TextInput label="First name" maxLength={100} autoComplete="off" {...textOf(form, 'firstName')} />
      <TextInput label="Last name" maxLength={100} autoComplete="off" {...textOf(form, 'lastName')} />
      <NativeSelect
        label="Gender"
        data={[{ value: '', label: 'Choose a gender' }, ...GENDERS]}
        {...textOf(form, 'gender')}
      />
      <TextInput
        label="Date of birth"
        placeholder="MM/DD/YYYY"
        maxLength={10}
        autoComplete="off"
        {...textOf(form, 'dob')}
      />
      <TextInput
        label="ZIP"
        description="ZIP and SSN tell apart people with the same name. Without them there may be no match."
        maxLength={10}
        autoComplete="off"
        {...textOf(form, 'zip')}
      />
      <TextInput
        label="Last 4 digits of SSN"
        inputMode="numeric"
        autoComplete="off"
        {...textOf(form, 'ssn')}
        onChange={({ currentTarget }) => form.change({ ssn: lastFourOfSsn(currentTarget.value) })}
      />
    </EditDrawer>
  );
};

import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ENTRY_LIMITS } from '#contract/entry-limits.ts';
import type { EventCode } from '#contract/event-codes.ts';
import type { PatientDetails } from '#contract/patient-details.ts';
import type { Patient } from '#contract/patients.ts';
import { RELATIONSHIP_LABELS, RELATIONSHIPS, type Relationship } from '#contract/relationships.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf } from '../forms/fields.ts';
import { instantOf, localOf } from '../forms/local-time.ts';
import { type Form, useForm } from '../forms/use-form.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { formatDate } from '../ui/format/date.ts';
import { firstChoices } from './entry-fields.ts';
import type { ManualGroup } from './manual-groups.ts';

interface Details {
  firstName: string;
  middleName: string;
  lastName: string;
  nameSuffix: string;
  dateOfBirth: string;
  gender: string;
  address1: string;
  city: string;
  state: string;
  zip: string;
  homePhone: string;
}

type Gender = Patient['gender'];
const GENDERS: Gender[] = ['Female', 'Male', 'Other', 'Unknown'];

const detailsOf = (patient: Patient | null): Details => ({
  firstName: patient?.firstName ?? '',
  middleName: patient?.middleName ?? '',
  lastName: patient?.lastName ?? '',
  nameSuffix: patient?.nameSuffix ?? '',
  dateOfBirth: patient?.dateOfBirth ? formatDate(patient.dateOfBirth) : '',
  gender: patient?.gender ?? '',
  address1: patient?.address?.address1 ?? '',
  city: patient?.address?.city ?? '',
  state: patient?.address?.state ?? '',
  zip: patient?.address?.zip ?? '',
  homePhone: patient?.address?.homePhone ?? '',
});

const checkDetails = ({ firstName, lastName, dateOfBirth, gender }: Details) => ({
  firstName: firstName.trim() ? undefined : 'Enter a first name.',
  lastName: lastName.trim() ? undefined : 'Enter a last name.',
  dateOfBirth: dateOfBirth.trim() ? undefined : 'Enter a date of birth.',
  gender: gender ? undefined : 'Choose a gender.',
});

/** `seesDetails`: whether address and phone are shown; otherwise they stay as they are. */
const DetailFields = <T extends Details>({ form, seesDetails }: { form: Form<T>; seesDetails: boolean }) => {
  const fields = form as unknown as Form<Details>;
  return (
    <>
      <TextInput label="First name" maxLength={ENTRY_LIMITS.name} {...textOf(fields, 'firstName')} />
      <TextInput label="Middle name" maxLength={ENTRY_LIMITS.name} {...textOf(fields, 'middleName')} />
      <TextInput label="Last name" maxLength={ENTRY_LIMITS.name} {...textOf(fields, 'lastName')} />
      <TextInput label="Suffix" maxLength={ENTRY_LIMITS.suffix} {...textOf(fields, 'nameSuffix')} />
      <TextInput label="Date of birth" placeholder="MM/DD/YYYY" maxLength={10} {...textOf(fields, 'dateOfBirth')} />
      <NativeSelect
        label="Gender"
        data={[{ value: '', label: 'Choose a gender' }, ...GENDERS]}
        {...textOf(fields, 'gender')}
      />
      {seesDetails && (
        <>
          <TextInput label="Address" maxLength={ENTRY_LIMITS.line} {...textOf(fields, 'address1')} />
          <TextInput label="City" maxLength={ENTRY_LIMITS.city} {...textOf(fields, 'city')} />
          <TextInput label="State" maxLength={ENTRY_LIMITS.state} {...textOf(fields, 'state')} />
          <TextInput label="ZIP" maxLength={ENTRY_LIMITS.zip} {...textOf(fields, 'zip')} />
          <TextInput label="Phone" type="tel" maxLength={ENTRY_LIMITS.phone} {...textOf(fields, 'homePhone')} />
        </>
      )}
    </>
  );
};

interface NewValues extends Details {
  groupId: string;
  recordNumber: string;
  status: string;
  date: string;
  time: string;
  relationship: string;
}

const kindOf = (groups: readonly ManualGroup[], groupId: string) => ({
  type: groups.find(({ id }) => id === groupId)?.type ?? 'SNF',
  facilityType: null,
});

/** The form of a new patient with the first event of a visit. */
export const AddPatientDrawer = ({
  groups,
  saved,
  close,
}: {
  /** The facilities to choose from, one at least. */
  groups: readonly ManualGroup[];
  saved: (patientId: string) => void;
  close: () => void;
}) => {
  const zoneOf = (groupId: string): string => groups.find(({ id }) => id === groupId)?.timeZone ?? 'UTC';
  const [first] = groups;
  const groupId = first?.id ?? '';
  const [today] = useState(() => localOf(new Date().toISOString(), zoneOf(groupId)).date);
  const form = useForm<NewValues, { patientId: string }>({
    initial: {
      ...detailsOf(null),
      groupId,
      recordNumber: '',
      status: 'ADMIT',
      date: today,
      time: '',
      relationship: 'TREATMENT',
    },
    check: (values) => ({ ...checkDetails(values), date: values.date ? undefined : 'Enter a date.' }),
    save: ({ groupId: at, date, time, status, gender, relationship, ...rest }) =>
      call('POST /api/cohort/:groupId/patients', {
        params: { groupId: at },
        body: {
          ...rest,
          gender: gender as Gender,
          status: status as EventCode,
          relationship: relationship as Relationship,
          eventDate: instantOf(date, time, zoneOf(at)),
        },
      }),
    saved: ({ patientId }) => saved(patientId),
  });
  return (
    <EditDrawer
      title="Add patient"
      form={form}
      submit="Add patient"
      shownFields={[...Object.keys(form.values), 'eventDate']}
      close={close}
    >
      {groups.length === 1 && (
        <Text size="sm">
          At <strong>{first?.name}</strong>
        </Text>
      )}
      {groups.length > 1 && (
        <ChoiceField
          label="Facility"
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
          {...textOf(form, 'groupId')}
        />
      )}
      <DetailFields form={form} seesDetails />
      <TextInput
        label="Record number"
        description="Leave empty to have one made."
        maxLength={ENTRY_LIMITS.record}
        {...textOf(form, 'recordNumber')}
      />
      <NativeSelect
        label="Status"
        data={firstChoices(kindOf(groups, form.values.groupId))}
        {...textOf(form, 'status')}
      />
      <WhenFields form={form} />
      <NativeSelect
        label="Your facility's relationship with this person"
        description="It opens their visits at other facilities to your team. It is recorded with your name."
        data={RELATIONSHIPS.map((value) => ({ value, label: RELATIONSHIP_LABELS[value] }))}
        {...textOf(form, 'relationship')}
      />
    </EditDrawer>
  );
};

/** The day of an event, with a time if it is known. */
export const WhenFields = <T extends { date: string; time: string }>({ form }: { form: Form<T> }) => {
  const fields = form as unknown as Form<{ date: string; time: string }>;
  return (
    <>
      <TextInput
        label="Date"
        type="date"
        {...textOf(fields, 'date')}
        error={form.errorOf('date') ?? form.errorOf('eventDate')}
      />
      <TextInput
        label="Time"
        type="time"
        description="Facility time. Leave empty if you only know the date."
        {...textOf(fields, 'time')}
      />
    </>
  );
};

/** The form of a patient whom staff entered by hand. */
export const EditPatientDrawer = ({
  patient,
  saved,
  takeTheirs,
  close,
}: {
  patient: Patient;
  saved: (patientId: string) => void;
  /** Opens the form again with the patient as someone else has saved them. */
  takeTheirs: () => Promise<void>;
  close: () => void;
}) => {
  // The page loads the patient again while the form is open.
  const [version] = useState((patient as Partial<PatientDetails>).entryVersion ?? undefined);
  const seesDetails = patient.detailsVisible;
  const form = useForm<Details, { patientId: string }>({
    initial: detailsOf(patient),
    check: checkDetails,
    version,
    takeTheirs,
    save: ({ address1, city, state, zip, homePhone, gender, ...rest }, read) =>
      call('PATCH /api/patients/:id', {
        params: { id: patient.id },
        body: {
          ...rest,
          gender: gender as Gender,
          ...(seesDetails ? { address1, city, state, zip, homePhone } : {}),
          ...(read !== undefined && { version: read }),
        },
      }),
    saved: ({ patientId }) => saved(patientId),
  });
  return (
    <EditDrawer title="Edit patient" form={form} submit="Save" close={close}>
      <DetailFields form={form} seesDetails={seesDetails} />
      {!seesDetails && (
        <Text size="sm" c="dimmed">
          You can't see address and phone, so they stay as they are.
        </Text>
      )}
    </EditDrawer>
  );
};

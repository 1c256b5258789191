import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { dispositionLabel } from '#contract/dispositions.ts';
import { SETTING_LABELS, SETTINGS, type Setting } from '#contract/event-codes.ts';
import { type ClassRule, DEFAULT_FEED_SETTINGS } from '#contract/feed-settings.ts';
import type { Form } from '../forms/use-form.ts';
import { RowTable } from './row-table.tsx';
import { codeOf, dispositionRows, errorAt, type SettingsValues } from './settings-form.ts';

const CHOICES = SETTINGS.map((value) => ({ value, label: SETTING_LABELS[value] }));

/** A map that is the standard one, or the feed's own. */
const Own = ({
  title,
  about,
  own,
  count,
  begin,
  end,
  children,
}: {
  title: string;
  about: string;
  own: boolean;
  /** Rows of the standard map. */
  count: number;
  begin: () => void;
  end: () => void;
  children: ReactNode;
}) => (
  <section aria-label={title}>
    <Group justify="space-between" gap="sm" mb="xs">
      <Text component="h3" size="md" fw={650} m={0}>
        {title}
      </Text>
      <Button size="xs" variant="default" onClick={own ? end : begin}>
        {own ? 'Use the standard table' : 'Use a table of its own'}
      </Button>
    </Group>
    <Text size="sm" c="dimmed" mb="xs">
      {about} {own ? 'This table replaces the standard one.' : `The standard table of ${count} rows holds.`}
    </Text>
    {own && children}
  </section>
);

/** PV1-2, PV1-10 and PV1-18 → the setting. */
export const ClassMap = ({ form: { values, change, errors } }: { form: Form<SettingsValues> }) => {
  const { classMap } = values;
  const name = (part: 'patientClass' | 'hospitalService' | 'patientType', head: string) => ({
    head,
    cell: (row: ClassRule, set: (next: Partial<ClassRule>) => void, at: number, label: string) => (
      <TextInput
        size="xs"
        aria-label={label}
        maxLength={100}
        value={row[part] ?? ''}
        error={errorAt(errors, `classMap.${at}.${part}`)}
        onChange={({ currentTarget }) => set({ [part]: currentTarget.value })}
      />
    ),
  });
  return (
    <Own
      title="Patient classes"
      about="Which setting a visit is in. All codes that a row names must agree; the first row that agrees decides."
      own={classMap !== null}
      count={DEFAULT_FEED_SETTINGS.classMap.length}
      begin={() => change({ classMap: DEFAULT_FEED_SETTINGS.classMap })}
      end={() => change({ classMap: null })}
    >
      <RowTable<ClassRule>
        label="patient classes"
        rows={classMap ?? []}
        empty="No row: every setting is unknown."
        add={() => ({ setting: 'INPATIENT' })}
        change={(rows) => change({ classMap: rows })}
        errorOf={(at) => errorAt(errors, `classMap.${at}`)}
        columns={[
          name('patientClass', 'Class (PV1-2)'),
          name('hospitalService', 'Service (PV1-10)'),
          name('patientType', 'Type (PV1-18)'),
          {
            head: 'Setting',
            width: '30%',
            cell: (row, set, at, label) => (
              <NativeSelect
                size="xs"
                aria-label={label}
                value={row.setting}
                error={errorAt(errors, `classMap.${at}.setting`)}
                onChange={({ currentTarget }) => set({ setting: currentTarget.value as Setting })}
                data={CHOICES}
              />
            ),
          },
        ]}
      />
    </Own>
  );
};

/** PV1-36 → the UB-04 discharge status. */
export const DispositionMap = ({ form: { values, change, errors } }: { form: Form<SettingsValues> }) => (
  <Own
    title="Discharge dispositions"
    about="What this sender writes in PV1-36, as the two digits of the UB-04 patient discharge status."
    own={values.dispositions !== null}
    count={Object.keys(DEFAULT_FEED_SETTINGS.dispositionMap).length}
    begin={() => change({ dispositions: dispositionRows(DEFAULT_FEED_SETTINGS.dispositionMap) })}
    end={() => change({ dispositions: null })}
  >
    <RowTable
      label="discharge dispositions"
      rows={values.dispositions ?? []}
      empty="No row: what the sender writes is shown as it is."
      add={() => ({ code: '', status: '' })}
      change={(dispositions) => change({ dispositions })}
      columns={[
        {
          head: 'Sender writes',
          cell: (row, set, at, label) => (
            <TextInput
              size="xs"
              aria-label={label}
              maxLength={100}
              value={row.code}
              error={errorAt(errors, `dispositions.${at}.code`)}
              onChange={({ currentTarget }) => set({ code: currentTarget.value })}
            />
          ),
        },
        {
          head: 'Status',
          width: '90px',
          cell: (row, set, at, label) => (
            <TextInput
              size="xs"
              aria-label={label}
              inputMode="numeric"
              maxLength={2}
              value={row.status}
              error={errorAt(errors, `dispositions.${at}.status`, `dispositionMap.${codeOf(row.code)}`)}
              onChange={({ currentTarget }) => set({ status: currentTarget.value })}
            />
          ),
        },
        {
          head: 'Shown as',
          width: '40%',
          cell: (row) => {
            const label = dispositionLabel(row.status);
            return <Text size="sm">{!row.status || label === row.status ? 'Not a known status' : label}</Text>;
          },
        },
      ]}
    />
  </Own>
);

/** PV1-3.1 → the name of the unit, and its setting where it says more than the class. */
export const LocationMap = ({ form: { values, change, errors } }: { form: Form<SettingsValues> }) => (
  <section aria-label="Units">
    <Text component="h3" size="md" fw={650} m={0}>
      Units
    </Text>
    <Text size="sm" c="dimmed" mb="xs">
      The name of a point of care (PV1-3.1), and its setting where the unit says more than the patient class.
    </Text>
    <RowTable
      label="units"
      rows={values.locations}
      empty="No row: units are shown as the sender writes them."
      add={() => ({ code: '', unit: '', setting: '' })}
      change={(locations) => change({ locations })}
      columns={[
        {
          head: 'Sender writes',
          cell: (row, set, at, label) => (
            <TextInput
              size="xs"
              aria-label={label}
              maxLength={100}
              value={row.code}
              error={errorAt(errors, `locations.${at}.code`, `locationMap.${codeOf(row.code)}`)}
              onChange={({ currentTarget }) => set({ code: currentTarget.value })}
            />
          ),
        },
        {
          head: 'Name of the unit',
          width: '38%',
          cell: (row, set, at, label) => (
            <TextInput
              size="xs"
              aria-label={label}
              maxLength={100}
              value={row.unit}
              error={errorAt(errors, `locations.${at}.unit`, `locationMap.${codeOf(row.code)}.unit`)}
              onChange={({ currentTarget }) => set({ unit: currentTarget.value })}
            />
          ),
        },
        {
          head: 'Setting',
          width: '30%',
          cell: (row, set, at, label) => (
            <NativeSelect
              size="xs"
              aria-label={label}
              value={row.setting}
              error={errorAt(errors, `locations.${at}.setting`, `locationMap.${codeOf(row.code)}.setting`)}
              onChange={({ currentTarget }) => set({ setting: currentTarget.value })}
              data={[{ value: '', label: 'By the class' }, ...CHOICES]}
            />
          ),
        },
      ]}
    />
  </section>
);

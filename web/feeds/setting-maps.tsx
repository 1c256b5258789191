import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { dispositionLabel } from '#contract/dispositions.ts';
import { SETTING_LABELS, SETTINGS } from '#contract/event-codes.ts';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { ClassRule } from '#contract/feed-settings.ts';
import type { Form } from '../forms/use-form.ts';
import { ChoiceCell, TextCell } from './row-cells.tsx';
import { type Cell, RowTable } from './row-table.tsx';
import { codeOf, dispositionRows, errorAt, type LocationRow, type SettingsValues } from './settings-form.ts';

const CHOICES = SETTINGS.map((value) => ({ value, label: SETTING_LABELS[value] }));

interface Props {
  form: Form<SettingsValues>;
}

/** A mapping table: the standard one, or the feed's own. */
const MappingTable = ({
  title,
  about,
  customized,
  standardCount,
  customize,
  reset,
  children,
}: {
  title: string;
  about: string;
  customized: boolean;
  /** Rows of the standard table. */
  standardCount: number;
  customize: () => void;
  reset: () => void;
  children: ReactNode;
}) => (
  <section aria-label={title}>
    <Group justify="space-between" gap="sm" mb="xs">
      <Text component="h3" size="md" fw={650} m={0}>
        {title}
      </Text>
      <Button size="xs" variant="default" onClick={customized ? reset : customize}>
        {customized ? 'Use standard table' : 'Customize table'}
      </Button>
    </Group>
    <Text size="sm" c="dimmed" mb="xs">
      {about}{' '}
      {customized ? 'This table replaces the standard one.' : `Uses the standard table (${standardCount} rows).`}
    </Text>
    {customized && children}
  </section>
);

/** PV1-2, PV1-10 and PV1-18 → the setting. */
export const ClassMap = ({ form: { values, change, errors } }: Props) => {
  const { classMap } = values;
  const codes = (name: 'patientClass' | 'hospitalService' | 'patientType', head: string) => ({
    head,
    cell: (cell: Cell<ClassRule>) => (
      <TextCell cell={cell} name={name} maxLength={100} error={errorAt(errors, `classMap.${cell.at}.${name}`)} />
    ),
  });
  return (
    <MappingTable
      title="Patient classes"
      about="Decides which setting a visit is in. A row applies if all of its codes match; the first matching row is used."
      customized={classMap !== null}
      standardCount={DEFAULT_FEED_SETTINGS.classMap.length}
      customize={() => change({ classMap: DEFAULT_FEED_SETTINGS.classMap })}
      reset={() => change({ classMap: null })}
    >
      <RowTable<ClassRule>
        label="patient classes"
        rows={classMap ?? []}
        empty="No rows. Every visit will have an unknown setting."
        add={() => ({ setting: 'INPATIENT' })}
        change={(rows) => change({ classMap: rows })}
        errorOf={(at) => errorAt(errors, `classMap.${at}`)}
        columns={[
          codes('patientClass', 'Class (PV1-2)'),
          codes('hospitalService', 'Service (PV1-10)'),
          codes('patientType', 'Type (PV1-18)'),
          {
            head: 'Setting',
            width: '30%',
            cell: (cell) => (
              <ChoiceCell
                cell={cell}
                name="setting"
                error={errorAt(errors, `classMap.${cell.at}.setting`)}
                data={CHOICES}
              />
            ),
          },
        ]}
      />
    </MappingTable>
  );
};

/** PV1-36 → the UB-04 discharge status. */
export const DispositionMap = ({ form: { values, change, errors } }: Props) => (
  <MappingTable
    title="Discharge dispositions"
    about="Maps this sender's discharge dispositions (PV1-36) to the two digits of the UB-04 patient discharge status."
    customized={values.dispositions !== null}
    standardCount={Object.keys(DEFAULT_FEED_SETTINGS.dispositionMap).length}
    customize={() => change({ dispositions: dispositionRows(DEFAULT_FEED_SETTINGS.dispositionMap) })}
    reset={() => change({ dispositions: null })}
  >
    <RowTable
      label="discharge dispositions"
      rows={values.dispositions ?? []}
      empty="No rows. Two-digit codes and clear words, such as EXPIRED, are still recognized. Other dispositions are shown as sent, without follow-up reminders."
      add={() => ({ code: '', status: '' })}
      change={(dispositions) => change({ dispositions })}
      columns={[
        {
          head: 'Sent as',
          cell: (cell) => (
            <TextCell cell={cell} name="code" maxLength={100} error={errorAt(errors, `dispositions.${cell.at}.code`)} />
          ),
        },
        {
          head: 'Status',
          width: '90px',
          cell: (cell) => (
            <TextCell
              cell={cell}
              name="status"
              inputMode="numeric"
              maxLength={2}
              error={errorAt(errors, `dispositions.${cell.at}.status`, `dispositionMap.${codeOf(cell.row.code)}`)}
            />
          ),
        },
        {
          head: 'Shown as',
          width: '40%',
          cell: ({ row: { status } }) => {
            const label = dispositionLabel(status);
            return <Text size="sm">{!status || label === status ? 'Unknown status' : label}</Text>;
          },
        },
      ]}
    />
  </MappingTable>
);

/** PV1-3.1 → the name of the unit, and its setting if the unit is more specific than the patient class. */
export const LocationMap = ({ form: { values, change, errors } }: Props) => {
  /** The error at the row's index, as the form names it, or at its code, as the server does. */
  const errorIn = ({ row, at }: Cell<LocationRow>, part: string, named = `.${part}`): string | undefined =>
    errorAt(errors, `locations.${at}.${part}`, `locationMap.${codeOf(row.code)}${named}`);
  return (
    <section aria-label="Units">
      <Text component="h3" size="md" fw={650} m={0}>
        Units
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        Names for points of care (PV1-3.1). Choose a setting if a unit is more specific than the patient class.
      </Text>
      <RowTable<LocationRow>
        label="units"
        rows={values.locations}
        empty="No rows. Units are shown as the sender writes them."
        add={() => ({ code: '', unit: '', setting: '' })}
        change={(locations) => change({ locations })}
        columns={[
          {
            head: 'Sent as',
            cell: (cell) => <TextCell cell={cell} name="code" maxLength={100} error={errorIn(cell, 'code', '')} />,
          },
          {
            head: 'Unit name',
            width: '38%',
            cell: (cell) => <TextCell cell={cell} name="unit" maxLength={100} error={errorIn(cell, 'unit')} />,
          },
          {
            head: 'Setting',
            width: '30%',
            cell: (cell) => (
              <ChoiceCell
                cell={cell}
                name="setting"
                error={errorIn(cell, 'setting')}
                data={[{ value: '', label: 'From patient class' }, ...CHOICES]}
              />
            ),
          },
        ]}
      />
    </section>
  );
};

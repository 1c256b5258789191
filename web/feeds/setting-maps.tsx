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
export const ClassMap = ({ form: { values, change, errors } }: Props) => {
  const { classMap } = values;
  const codes = (name: 'patientClass' | 'hospitalService' | 'patientType', head: string) => ({
    head,
    cell: (cell: Cell<ClassRule>) => (
      <TextCell cell={cell} name={name} maxLength={100} error={errorAt(errors, `classMap.${cell.at}.${name}`)} />
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
    </Own>
  );
};

/** PV1-36 → the UB-04 discharge status. */
export const DispositionMap = ({ form: { values, change, errors } }: Props) => (
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
            return <Text size="sm">{!status || label === status ? 'Not a known status' : label}</Text>;
          },
        },
      ]}
    />
  </Own>
);

/** PV1-3.1 → the name of the unit, and its setting where it says more than the class. */
export const LocationMap = ({ form: { values, change, errors } }: Props) => {
  /** At the row as it is typed, or at its code as the server names it. */
  const errorIn = ({ row, at }: Cell<LocationRow>, part: string, named = `.${part}`): string | undefined =>
    errorAt(errors, `locations.${at}.${part}`, `locationMap.${codeOf(row.code)}${named}`);
  return (
    <section aria-label="Units">
      <Text component="h3" size="md" fw={650} m={0}>
        Units
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        The name of a point of care (PV1-3.1), and its setting where the unit says more than the patient class.
      </Text>
      <RowTable<LocationRow>
        label="units"
        rows={values.locations}
        empty="No row: units are shown as the sender writes them."
        add={() => ({ code: '', unit: '', setting: '' })}
        change={(locations) => change({ locations })}
        columns={[
          {
            head: 'Sender writes',
            cell: (cell) => <TextCell cell={cell} name="code" maxLength={100} error={errorIn(cell, 'code', '')} />,
          },
          {
            head: 'Name of the unit',
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
                data={[{ value: '', label: 'By the class' }, ...CHOICES]}
              />
            ),
          },
        ]}
      />
    </section>
  );
};

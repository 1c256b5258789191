import { Checkbox, Text } from '@mantine/core';
import type { AdminGroup } from '#contract/admin.ts';
import { FEED_FACILITIES_REQUIRED } from '#contract/admin-fields.ts';
import type { FieldErrors } from '../forms/use-form.ts';
import { ChoiceCell, TextCell } from './row-cells.tsx';
import { RowTable } from './row-table.tsx';
import { errorAt, type SettingsValues } from './settings-form.ts';

type Rows = SettingsValues['facilities'];

/** The identifiers that a sender uses for each of its facilities. */
export const FacilityRows = ({
  isFhir,
  rows,
  facilities,
  errors,
  change,
}: {
  isFhir: boolean;
  rows: Rows;
  /** The facilities to choose from. */
  facilities: readonly (Pick<AdminGroup, 'id'> & { label: string })[];
  errors: FieldErrors;
  change: (rows: Rows) => void;
}) => (
  <section aria-label="Facilities">
    <Text component="h3" size="md" fw={650} m={0}>
      Facilities
    </Text>
    <Text size="sm" c="dimmed" mb="xs">
      What this sender calls each facility (
      {isFhir
        ? 'an identifier or the name of Encounter.serviceProvider or its location'
        : 'PV1-3.4, EVN-7, MSH-4 or PV1-39'}
      ). Enter an asterisk (*) to match all other names. Without one, messages from unknown facilities are quarantined.
    </Text>
    {errorAt(errors, 'facilities') && (
      <Text size="xs" c="var(--mantine-color-error)" role="alert">
        {errorAt(errors, 'facilities')}
      </Text>
    )}
    <RowTable
      label="facilities"
      rows={rows}
      empty={FEED_FACILITIES_REQUIRED}
      add={() => ({
        identifier: '',
        groupId: facilities.length === 1 ? (facilities[0]?.id ?? '') : '',
        registrationIsVisit: false,
      })}
      change={change}
      columns={[
        {
          head: 'Sent as',
          cell: (cell) => (
            <TextCell
              cell={cell}
              name="identifier"
              maxLength={200}
              error={errorAt(errors, `facilities.${cell.at}.identifier`)}
            />
          ),
        },
        {
          head: 'Facility',
          width: '40%',
          cell: (cell) => (
            <ChoiceCell
              cell={cell}
              name="groupId"
              error={errorAt(errors, `facilities.${cell.at}.groupId`)}
              data={[{ value: '', label: 'Choose' }, ...facilities.map(({ id, label }) => ({ value: id, label }))]}
            />
          ),
        },
        {
          head: 'Send outpatient registrations as visits',
          width: '110px',
          cell: ({ row, change: set, label }) => (
            <Checkbox
              pt={5}
              aria-label={label}
              checked={row.registrationIsVisit}
              onChange={({ currentTarget }) => set({ registrationIsVisit: currentTarget.checked })}
            />
          ),
        },
      ]}
    />
  </section>
);

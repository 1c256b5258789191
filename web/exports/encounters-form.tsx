import { Alert, Button, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DAY } from '#contract/durations.ts';
import { EVENT_CODES, EVENT_LABELS, type EventCode } from '#contract/event-codes.ts';
import { EXPORT_TYPES, type ExportFieldId, type ExportType } from '#contract/export-fields.ts';
import { call } from '../api/call.ts';
import { reasonOf } from '../api/error.ts';
import { useSession } from '../session/session.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { localDay } from '../ui/format/age.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { MOST_SHOWN } from '../ui/long-lists.ts';
import { exportFieldsQuery, recentExportsQuery } from './export-queries.ts';
import classes from './exports.module.css';
import { FieldChoice } from './field-choice.tsx';

const EXPORTED_DAYS = 30;

interface Choice {
  exportType: ExportType;
  groupIds: string[];
  statuses: EventCode[];
  beginDate: string;
  endDate: string;
}

const firstChoice = (): Choice => ({
  exportType: 'CSV',
  groupIds: [],
  statuses: [],
  beginDate: localDay(new Date(Date.now() - EXPORTED_DAYS * DAY)),
  endDate: localDay(new Date()),
});

type Change = (changed: Partial<Choice>) => void;

const TypeChoice = ({ choice, change }: { choice: Choice; change: Change }) => (
  <div>
    <Text size="sm" fw={550} aria-hidden>
      File type
    </Text>
    <ChoiceBar
      label="File type"
      choices={EXPORT_TYPES.map((value) => ({ value, label: value === 'CSV' ? 'CSV' : 'Excel (XLSX)' }))}
      value={choice.exportType}
      choose={(exportType) => change({ exportType })}
    />
  </div>
);

const Dates = ({ choice, change, error }: { choice: Choice; change: Change; error: string | null }) => (
  <div>
    <div className={classes.dates}>
      <TextInput
        type="date"
        label="From"
        value={choice.beginDate}
        onChange={({ currentTarget }) => change({ beginDate: currentTarget.value })}
      />
      <TextInput
        type="date"
        label="To"
        value={choice.endDate}
        error={error}
        onChange={({ currentTarget }) => change({ endDate: currentTarget.value })}
      />
    </div>
    <Text size="xs" c="dimmed" mt={4}>
      Dates at each facility. Times in the file use the time zone named in the column, so an event near midnight can
      have another date there.
    </Text>
  </div>
);

const useStart = (done: () => void) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ beginDate, endDate, ...choice }: Choice & { fields: ExportFieldId[] }) =>
      call('POST /api/export/initiate-encounters-export', {
        query: { ...choice, ...(beginDate && { beginDate }), ...(endDate && { endDate }) },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: recentExportsQuery.queryKey });
      done();
    },
  });
};

/** Starts an export of encounters: which, of whom, with what. */
export const EncountersForm = ({ close }: { close: () => void }) => {
  const { team } = useSession();
  const groups = Object.values(team.groups)
    .filter(({ permissions }) => permissions.includes('canViewPatients'))
    .sort((a, b) => a.name.localeCompare(b.name));
  const [choice, setChoice] = useState(firstChoice);
  const change: Change = (changed) => setChoice({ ...choice, ...changed });
  const { data: fields = [], error: fieldsError } = useQuery(exportFieldsQuery(choice.groupIds));
  const [chosenFields, chooseFields] = useState<ReadonlySet<ExportFieldId> | null>(null);
  const chosen = chosenFields ?? new Set(fields.filter(({ isDefault }) => isDefault).map(({ id }) => id));
  const start = useStart(close);
  const isBackward = choice.beginDate !== '' && choice.endDate !== '' && choice.beginDate > choice.endDate;
  const toExport = fields.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBackward && toExport.length > 0) start.mutate({ ...choice, fields: toExport });
      }}
    >
      <Stack gap="md">
        <TypeChoice choice={choice} change={change} />
        {groups.length > 1 && (
          <MultiSelect
            label="Groups"
            description="Encounters of patients on these groups' lists."
            placeholder={choice.groupIds.length === 0 ? 'All groups' : ''}
            searchable
            limit={MOST_SHOWN}
            clearable
            clearButtonProps={{ 'aria-label': 'Clear groups' }}
            data={groups.map(({ id, name }) => ({ value: id, label: name }))}
            value={choice.groupIds}
            onChange={(groupIds) => change({ groupIds })}
          />
        )}
        <MultiSelect
          label="Statuses"
          description="Encounters with one of these events between the dates."
          placeholder={choice.statuses.length === 0 ? 'All statuses' : ''}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear statuses' }}
          data={EVENT_CODES.map((code) => ({ value: code, label: EVENT_LABELS[code] }))}
          value={choice.statuses}
          onChange={(statuses) => change({ statuses })}
        />
        <Dates choice={choice} change={change} error={isBackward ? 'Choose a date on or after the first one.' : null} />
        <FieldChoice fields={fields} chosen={chosen} choose={chooseFields} />
        {fields.length > 0 && toExport.length === 0 && (
          <Text size="sm" role="status">
            Choose at least one field.
          </Text>
        )}
        {(start.error ?? fieldsError) && (
          <Alert
            role="alert"
            color="caution"
            icon={<IconAlertTriangle size={18} aria-hidden />}
            title="Couldn't start the export"
          >
            {reasonOf(start.error ?? fieldsError)}
          </Alert>
        )}
        <Group gap="sm">
          <Button type="submit" loading={start.isPending} disabled={isBackward || toExport.length === 0}>
            Start export
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import { EXPORT_TYPES, type ExportType } from '#contract/export-fields.ts';
import { useListExport } from '../exports/use-list-export.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { filtersInWords } from '../lists/print/filters-in-words.ts';
import { useSession } from '../session/session.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { Modal } from '../ui/modal.tsx';

const FORMATS: Record<ExportType, string> = { CSV: 'CSV', XLSX: 'Excel (XLSX)' };

interface Props {
  filters: ListFilters;
  /** How many events match. */
  total: number;
  close: () => void;
}

/** The modal "export event feed": says which events go into the file, and asks for its format. */
export const ExportEventFeed = ({ filters, total, close }: Props) => {
  const { team } = useSession();
  const [format, choose] = useState<ExportType>('CSV');
  const start = useListExport('EVENTS', filters);
  const { group } = filters.search;
  const words = filtersInWords(filters, group && team.groups[group]?.name);
  return (
    <Modal opened onClose={close} title="Export event feed">
      <Stack gap="md">
        <Text size="sm">
          {counted(total, 'event', 'events')}, each with its patient and visit, also those that the page has not loaded.
        </Text>
        <Text size="sm">Filters: {words.join('; ') || 'None'}</Text>
        <ChoiceBar
          label="Format"
          choices={EXPORT_TYPES.map((value) => ({ value, label: FORMATS[value] }))}
          value={format}
          choose={choose}
        />
        <Group gap="sm">
          <Button
            loading={start.isPending}
            disabled={total === 0}
            onClick={() => start.mutate(format, { onSuccess: close })}
          >
            Start export
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};

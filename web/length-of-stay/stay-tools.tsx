import { Button } from '@mantine/core';
import { without, withToggled } from '../filters/criteria.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { useCommands } from '../ui/commands.ts';
import { Select } from '../ui/select.tsx';
import type { GroupedBy, StaySearch } from './stay-search.ts';

const GROUPINGS: { value: GroupedBy | ''; label: string }[] = [
  { value: '', label: 'No grouping' },
  { value: 'facility', label: 'By facility' },
  { value: 'diagnosis', label: 'By diagnosis' },
];

/** Limits the list to stays over their expected length, and groups the rows. */
export const StayTools = ({ filters }: { filters: ListFilters }) => {
  const { criteria, change, patch, search } = filters;
  const chosen = criteria.filters.expectedStay ?? [];
  const onlyOver = chosen.length === 1 && chosen[0]?.value === 'OVER' && !chosen[0].negated;
  const toggle = (): void => {
    const rest = without(criteria, 'expectedStay');
    change(onlyOver ? rest : withToggled(rest, 'expectedStay', 'OVER'));
  };
  useCommands({ 'stays.over': toggle });
  return (
    <>
      <Button
        size="xs"
        variant={onlyOver ? 'light' : 'default'}
        aria-pressed={onlyOver}
        aria-keyshortcuts="O"
        onClick={toggle}
      >
        Over expected
      </Button>
      <Select
        aria-label="Group rows"
        value={(search as StaySearch).by ?? ''}
        onChange={({ currentTarget }) => patch({ by: currentTarget.value || undefined })}
        data={GROUPINGS}
      />
    </>
  );
};

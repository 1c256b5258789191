import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomSpotlight, SpotlightName } from '#contract/spotlights.ts';
import { useSession } from '../session/session.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { KeptDrawer } from './kept-drawer.tsx';
import { DEFAULT_PERIOD, type SpotlightSearch } from './spotlight-periods.ts';
import { keptSpotlightsQuery } from './spotlight-queries.ts';

interface Props {
  name: SpotlightName;
  search: SpotlightSearch;
  /** Shows a spotlight of the period, groups and people. */
  show: (name: SpotlightName, search: SpotlightSearch) => void;
}

/** Returns what a kept spotlight shows. */
const searchOf = ({ id, period, groupId, filterId }: CustomSpotlight): SpotlightSearch => ({
  kept: id,
  period,
  ...(groupId && { groupId }),
  ...(filterId && { filterId }),
});

const labelOf = ({ title, owner }: CustomSpotlight): string => (owner.isYou ? title : `${title} (${owner.name})`);

/** The spotlights that the user and the team keep, and the way to keep what is shown. */
export const KeptSpotlights = ({ name, search, show }: Props) => {
  const { can } = useSession();
  const client = useQueryClient();
  const { data: all = [] } = useQuery({ ...keptSpotlightsQuery, enabled: can('canViewCustomSpotlights') });
  const [isOpen, setIsOpen] = useState(false);
  if (!can('canViewCustomSpotlights')) return null;
  const kept = all.find(({ id }) => id === search.kept) ?? null;
  const { kept: _, ...plain } = search;
  const done = (changed: CustomSpotlight | null): void => {
    setIsOpen(false);
    void client.invalidateQueries(keptSpotlightsQuery);
    if (changed) show(changed.name, searchOf(changed));
    else show(name, plain);
  };
  return (
    <>
      {all.length > 0 && (
        <ChoiceField
          label="Saved spotlights"
          value={kept?.id ?? ''}
          data={[{ value: '', label: 'None' }, ...all.map((one) => ({ value: one.id, label: labelOf(one) }))]}
          onChange={({ currentTarget: { value } }) => {
            const chosen = all.find(({ id }) => id === value);
            if (chosen) show(chosen.name, searchOf(chosen));
            else show(name, plain);
          }}
        />
      )}
      {(kept === null || kept.mayChange) && (
        <Button variant="default" onClick={() => setIsOpen(true)}>
          {kept ? 'Edit' : 'Save spotlight'}
        </Button>
      )}
      {kept?.filterName && (
        <Text size="sm" c="dimmed">
          People of the filter “{kept.filterName}”
        </Text>
      )}
      {isOpen && (
        <KeptDrawer
          kept={kept}
          shown={{
            name,
            period: search.period ?? DEFAULT_PERIOD,
            groupId: search.groupId ?? '',
            filterId: search.filterId ?? '',
          }}
          done={done}
          close={() => setIsOpen(false)}
        />
      )}
    </>
  );
};
